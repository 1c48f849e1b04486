import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { auditedStore } from './formats/testing/audited-store.ts'

const store = await auditedStore()

/** An `aisle.json` with the fault that `docs/integrator/pipeline.md` shows. */
const WRONG_FILE = '{\n  "domain": ["shop.example"]\n}\n'

/** The output of `aisle audit`; without a domain it reads the wrong file. */
async function printedBy(args: readonly string[]): Promise<string> {
  const folder = await store.folderOf()
  if (args.length === 1) await writeFile(join(folder, 'aisle.json'), WRONG_FILE)
  const { out, err } = await store.aisle(args, folder)
  return `${out}${err}`.trimEnd()
}

/** A block with an audit's output: the command, and below it the output. */
const BLOCK = /(?<=^```\n)(\$ (?:TEST_HOSTS=\S+ )?npx aisle (audit\b.*))\n([\s\S]*?)(?=\n```$)/gm

/** Whether a text is this output; `…` stands for omitted parts. */
const isTrue = (shown: string, printed: string): boolean =>
  new RegExp(
    `^${shown.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '[\\s\\S]*')}$`,
  ).test(printed)

test.each(['README.md', 'docs/integrator/pipeline.md'])(
  '%s shows what audits print',
  async (file) => {
    const path = fileURLToPath(new URL(`../../${file}`, import.meta.url))
    const text = await readFile(path, 'utf8')
    const blocks = [...text.matchAll(BLOCK)]
    expect(blocks).not.toEqual([])
    let shown = text
    for (const [block, command = '', args = '', output = ''] of blocks) {
      const printed = await printedBy(args.split(' '))
      if (!isTrue(output, printed)) shown = shown.replace(block, () => `${command}\n${printed}`)
    }
    await expect(shown).toMatchFileSnapshot(path)
  },
)
