import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { testApp } from '../../testing/app.ts'
import { packagesForTests } from '../../testing/registry.ts'

/** What integrators do with the document: they lint it and make a client of it. */

const { app } = await testApp()
const source = await (await app.request('/openapi.json')).text()

// The licence is the owner's to choose. A walk's id is a UUID, which `shared` is not.
const KNOWN = ['info-license', 'no-ambiguous-paths']

/** What is read of what Redocly says. */
interface Problem {
  ruleId: string
  message: string
  location: { pointer?: string }[]
}

const linter = await packagesForTests('@redocly/openapi-core@2.64.0')

test.skipIf(linter === null)("Redocly's recommended rules find no fault", async () => {
  const redocly = await import(join(linter ?? '', '@redocly/openapi-core/lib/index.js'))
  const config = await redocly.createConfig({ extends: ['recommended'] })
  const problems: Problem[] = await redocly.lintFromString({
    source,
    absoluteRef: '/openapi.json',
    config,
  })
  expect(
    problems
      .filter(({ ruleId }) => !KNOWN.includes(ruleId))
      .map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`),
  ).toEqual([])
})

/** The calls of docs/integrator/, as a program in TypeScript makes them. */
const CALLS = `
import * as aisle from './aisle.ts'

const options = { headers: { Authorization: 'Bearer ' + process.env.AISLE_KEY } }

const audited = await aisle.audit({ domain: 'shop.example' }, options)
if (audited.status === 200) {
  const { score, gaps } = audited.data
  const fixes: string[] = gaps.map(({ fix }) => fix)
  console.log(score.toFixed(0), fixes)
} else console.log(audited.data.error.message)

const begun = await aisle.walk(
  { domain: 'shop.example', intents: ['cheapest_variant'] },
  options,
)
if (begun.status === 202) console.log(begun.data.events_url)

const property = await aisle.createProperty({ domain: 'shop.example' }, options)
if (property.status === 200) console.log(property.data.tag)

const recorded = await aisle.reportEvent(
  {
    event: 'ai_checkout_completed',
    domain: 'shop.example',
    session_id: 'order_1001',
    source: 'acp',
    ai_surface: 'chatgpt',
    properties: { value: 24_900, currency: 'USD' },
  },
  options,
)
if (recorded.status === 200 && 'event_id' in recorded.data) console.log(recorded.data.ai_source)

const report = await aisle.readReport(
  { domain: 'shop.example', start: '2026-11-01', end: '2026-11-21' },
  options,
)
if (report.status === 200 && typeof report.data !== 'string') {
  console.log(report.data.summary.ai_revenue_cents)
}
`

const NO_CHECK = /^\/\/ @ts-nocheck$/m

const generator = await packagesForTests('orval@8.38.0')

test.skipIf(generator === null)(
  'a generated client compiles, with the documented calls',
  async () => {
    const { generate } = await import(join(generator ?? '', 'orval/dist/index.mjs'))
    const folder = await mkdtemp(join(scratchFolder(), 'aisle-client-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const at = (name: string) => join(folder, name)
    await writeFile(at('openapi.json'), source)
    await writeFile(at('package.json'), '{ "type": "module" }')
    await generate({
      input: { target: at('openapi.json') },
      output: { target: at('aisle.ts'), client: 'fetch', mode: 'single' },
    })
    expect(await readFile(at('aisle.ts'), 'utf8')).not.toMatch(NO_CHECK)
    await writeFile(at('calls.ts'), CALLS)
    const tsc = new URL('../../node_modules/.bin/tsc', import.meta.url).pathname
    const flags =
      '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2023 --allowImportingTsExtensions'
    const compiled = await promisify(execFile)(tsc, [
      ...flags.split(' '),
      '--types',
      'node',
      '--typeRoots',
      join(process.cwd(), 'node_modules/@types'),
      at('calls.ts'),
    ]).catch((error: { stdout?: string }) => error)
    expect(compiled.stdout).toBe('')
  },
)
