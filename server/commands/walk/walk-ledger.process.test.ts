import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, readdir, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { entryOf } from './testing/entries.ts'
import { openFileLedger } from './walk-ledger.ts'

const PROGRAM = new URL('./testing/dying-walk.ts', import.meta.url)
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const newFolder = async () => join(await mkdtemp(join(inject('runFolder'), 'ledger-')), 'walks')

/** A living process that has taken this many steps of its walk. */
async function walking(folder: string, domain: string, steps: number) {
  const child = fork(PROGRAM, [folder, domain, String(steps)], { execArgv: [] })
  children.push(child)
  await once(child, 'message')
  return async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

const NOTES = 'open.sqlite'

/** The locks of walks with notes. */
const notesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.includes('.lock'))

const [one, two] = [entryOf('a.example', 'one'), entryOf('a.example', 'two')]
const ONE = { ...one, session: 'session of one' }

test.each([
  [0, []],
  [1, [one]],
  [2, [ONE]],
  [3, [ONE, two]],
  [4, [two]],
])('what a walk that was killed after step %d left open is noted', async (steps, expected) => {
  const folder = await newFolder()
  const kill = await walking(folder, 'a.example', steps)
  const other = await openFileLedger(folder, 'b.example')
  expect(await other.leftOpen(), 'while it lives').toEqual([])
  await kill()
  expect(await other.leftOpen()).toEqual(expected)
  expect(await other.leftOpen(), 'asked again').toEqual(expected)
  for (const { key } of expected) await other.closed(key)
  expect(await other.leftOpen()).toEqual([])
  await other.close()
  expect(await notesIn(folder)).toEqual([])
})

test('what could not be cancelled is there the next time, and for one process at a time', async () => {
  const folder = await newFolder()
  await (await walking(folder, 'a.example', 3))()
  const first = await openFileLedger(folder, 'b.example')
  expect(await first.leftOpen()).toHaveLength(2)
  await first.closed('one')
  await first.opened('two', 'session of two')
  const second = await openFileLedger(folder, 'c.example')
  expect(await second.leftOpen(), 'another has it').toEqual([])
  await first.close()
  expect(await second.leftOpen()).toEqual([{ ...two, session: 'session of two' }])
  await second.close()
})

test('a domain is walked by one process at a time', async () => {
  const folder = await newFolder()
  const kill = await walking(folder, 'a.example', 0)
  await expect(openFileLedger(folder, 'a.example')).rejects.toThrow('being walked already')
  await kill()
  await (await openFileLedger(folder, 'a.example')).close()
})

test('where no folder can be made, it says what to set', async () => {
  const file = join(await mkdtemp(join(inject('runFolder'), 'ledger-')), 'file')
  await appendFile(file, '')
  await expect(openFileLedger(join(file, 'walks'), 'a.example')).rejects.toMatchObject({
    name: 'CommandError',
    message: expect.stringMatching(/ENOTDIR.*Set DATA_DIR to a folder/),
  })
})

test('the longest domain has a file, and others may not read it', async () => {
  const folder = await newFolder()
  const domain = `${Array.from({ length: 5 }, () => 'a'.repeat(49)).join('.')}.ex`
  const ledger = await openFileLedger(folder, domain)
  await ledger.opening(entryOf(domain, 'one'))
  expect((await stat(join(folder, NOTES))).mode & 0o077).toBe(0)
  expect((await stat(folder)).mode & 0o077).toBe(0)
  // Its own notes are not left over.
  expect(await ledger.leftOpen()).toEqual([])
  await ledger.closed('one')
  await ledger.close()
  expect(await notesIn(folder)).toEqual([])
})

test('a walk whose notes cannot be begun leaves its domain to the next', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, NOTES), { recursive: true })
  await expect(openFileLedger(folder, 'a.example')).rejects.toThrow(/EISDIR.*Set DATA_DIR/)
  await rmdir(join(folder, NOTES))
  await (await openFileLedger(folder, 'a.example')).close()
})
