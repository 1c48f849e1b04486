import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { validateXML } from 'xmllint-wasm'

const beside = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const JUNIT = beside('jenkins-junit.xsd')
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats(ajv)
const isSarif = ajv.compile(JSON.parse(beside('sarif-2.1.0.json')))

/** The errors by the official schema of SARIF 2.1.0. */
export function faultsOfSarif(text: string): unknown[] {
  isSarif(JSON.parse(text))
  return isSarif.errors ?? []
}

/** The errors by Jenkins' schema. Since junit-8.xsd, `skipped` may have a message. */
export async function faultsOfJunit(xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'report.xml', contents: xml }],
    schema: [{ fileName: 'junit.xsd', contents: JUNIT }],
  })
  return errors
    .map(({ message }) => message)
    .filter((message) => !message.includes("Element 'skipped', attribute 'message'"))
}
