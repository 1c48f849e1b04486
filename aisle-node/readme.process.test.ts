import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../shared/testing/scratch.ts'

/** The names of the shop that the code in the README uses. */
const OF_THE_SHOP = 'declare const request: unknown, order: { id: number }\n'

test('the code of the README compiles in a strict project', async () => {
  const folder = await mkdtemp(join(scratchFolder(), 'aisle-node-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [, code] = /^```js\n(.*?)^```/ms.exec(await readFile('aisle-node/README.md', 'utf8')) ?? []
  const installed = join(folder, 'node_modules/aisle-node')
  await mkdir(installed, { recursive: true })
  for (const name of ['package.json', 'index.d.ts']) {
    await cp(join('aisle-node', name), join(installed, name))
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'shop.ts'), `${code}${OF_THE_SHOP}`)
  const flags =
    '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2023'
  const compiled = await promisify(execFile)('node_modules/.bin/tsc', [
    ...flags.split(' '),
    ...['--types', 'node', '--typeRoots', join(process.cwd(), 'node_modules/@types')],
    join(folder, 'shop.ts'),
  ]).catch((error: { stdout?: string }) => error)
  expect(compiled.stdout).toBe('')
})
