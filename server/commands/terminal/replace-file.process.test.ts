import { execFileSync } from 'node:child_process'
import { lstat, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { replaceFile } from './replace-file.ts'

const folder = await mkdtemp(join(inject('runFolder'), 'replace-'))
const at = (name: string) => join(folder, name)
const isPosix = process.platform !== 'win32'

test('a file is replaced whole, and nothing is left beside it', async () => {
  await writeFile(at('a.json'), 'old')
  await replaceFile(at('a.json'), 'new')
  expect(await readFile(at('a.json'), 'utf8')).toBe('new')
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test.runIf(isPosix)('of a link, what it leads to is replaced', async () => {
  await writeFile(at('real.json'), 'old')
  await symlink('real.json', at('link.json'))
  await replaceFile(at('link.json'), 'new')
  expect((await lstat(at('link.json'))).isSymbolicLink()).toBe(true)
  expect(await readFile(at('real.json'), 'utf8')).toBe('new')
})

test('what cannot be replaced is refused, and stays', async () => {
  await mkdir(at('folder'))
  await expect(replaceFile(at('folder'), '')).rejects.toThrow('it is a folder. Name another file.')
  await writeFile(at('file'), '')
  await expect(replaceFile(at('file/below.json'), '')).rejects.toThrow('cannot be written')
  await expect(replaceFile(at('none/a.json'), '')).rejects.toThrow('cannot be written')
})

// As root, a device would be gone for all others.
test.runIf(isPosix)('neither a device nor a pipe is replaced or waited for', async () => {
  execFileSync('mkfifo', [at('pipe')])
  await symlink('/dev/null', at('null'))
  for (const name of ['pipe', 'null']) {
    await expect(replaceFile(at(name), '')).rejects.toThrow('it is not a file')
    expect((await lstat(at(name))).isFile()).toBe(false)
  }
  expect((await lstat('/dev/null')).isCharacterDevice()).toBe(true)
})
