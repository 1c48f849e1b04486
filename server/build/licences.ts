import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

/** Where the packages of a bundle have their licences. */
export const LICENCES = 'THIRD-PARTY.txt'

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z
    .union([z.string(), z.object({ name: z.string() }).transform((of) => of.name)])
    .optional(),
})

interface Licence extends z.infer<typeof Manifest> {
  /** From the package's own files; empty if it has none. */
  text: string
}

const TEXTS = /^(licen[cs]e|copying|notice)(\.\w+)?$|\.LICENSE\.txt$/i
const RULE = '-'.repeat(80)

/**
 * The names, versions and licences of the packages that `files` belong to. A licence text that is
 * missing from a package is taken from the packages of `around`. Rejects if a text cannot be found.
 */
export async function licencesOf(
  files: Iterable<string>,
  around: Iterable<string> = files,
): Promise<string> {
  const licences = await readLicences(files)
  const all = await readLicences(around)
  const texts = licences.map((each) =>
    [RULE, `${each.name} ${each.version} (${each.license})`, RULE, textOf(each, all)].join('\n'),
  )
  return `Aisle contains these packages.\n\n${texts.join('\n\n')}\n`
}

function readLicences(files: Iterable<string>): Promise<Licence[]> {
  const folders = new Set([...files].flatMap((file) => packageFolder(file) ?? []))
  return Promise.all([...folders].toSorted().map(readLicence))
}

/** `node_modules/a/node_modules/@b/c/d.js` → `node_modules/a/node_modules/@b/c` */
const packageFolder = (file: string) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]

async function readLicence(folder: string): Promise<Licence> {
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const manifest = Manifest.parse(JSON.parse(await read('package.json')))
  const names = (await readdir(folder)).filter((name) => TEXTS.test(name)).toSorted()
  const texts = await Promise.all(names.map(read))
  return { ...manifest, text: texts.map((text) => text.trim()).join('\n\n') }
}

/** Some packages only name their licence: another package has the same text. */
function textOf({ name, license, author, text }: Licence, all: readonly Licence[]): string {
  if (text !== '') return text
  const same = all.find((other) => other.license === license && other.text !== '')
  if (!same) throw new Error(`The text of the licence ${license} of ${name} is not known.`)
  const withoutNames = same.text.replace(/^\s*(\/\/ )?copyright .*\n/gim, '')
  return `Copyright (c) ${author ?? `the authors of ${name}`}\n\n${withoutNames}`
}
