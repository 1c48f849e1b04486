import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import type { Printable } from '../../shared/web/text/printable.ts'
import { createLog } from '../process/log.ts'
import { sayWhereItIs, tellFirstKey } from './first-start.ts'

const FIRST = { id: 'abcd1234', key: 'aisle_live_abcd1234_secret' }
const said: string[] = []
const lines: string[] = []
const log = createLog({ write: (line) => lines.push(line) })
const output = (isTerminal: boolean) => ({
  isTerminal,
  line: (text: Printable) => void said.push(String(text)),
})
afterEach(() => {
  said.splice(0)
  lines.splice(0)
  vi.unstubAllEnvs()
})

test('who sits at a terminal reads the key there, and it is written nowhere else', async () => {
  await tellFirstKey(FIRST, tmpdir(), log, output(true))
  expect(said).toEqual([`The operator's API key (shown only once): ${FIRST.key}`])
  expect(lines).toEqual([])
})

test('who starts it in a terminal is told where it is and what comes next; a log is not', () => {
  sayWhereItIs('http://127.0.0.1:8787', output(false))
  expect(said).toEqual([])
  sayWhereItIs('http://127.0.0.1:8787', output(true))
  sayWhereItIs('https://aisle.example', output(true))
  const [here = '', there = ''] = said
  expect(here).toContain('Aisle is at http://127.0.0.1:8787')
  expect(here).toContain('Only this machine reaches it. Set BASE_URL')
  expect(there).toContain('https://aisle.example/sign-in')
  expect(there).not.toContain('BASE_URL')
})

test('where nothing can be written to DATA_DIR, the key is in a folder that is its owner’s alone', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'aisle-file-')), 'file')
  await writeFile(file, '')
  await tellFirstKey(FIRST, join(file, 'data'), log, output(false))
  const { path, key_id } = JSON.parse(lines.join())
  expect(key_id).toBe(FIRST.id)
  expect(await readFile(path, 'utf8')).toBe(`${FIRST.key}\n`)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  expect(said).toEqual([])
  for (const made of [file, path]) await rm(dirname(made), { recursive: true })
})

test('where nothing can be written at all, the log says how to get another key', async () => {
  const file = fileURLToPath(import.meta.url)
  vi.stubEnv('TMPDIR', file)
  await tellFirstKey(FIRST, file, log, output(false))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('aisle keys create')
  expect(lines[0]).toContain(`aisle keys revoke ${FIRST.id}`)
  expect(lines[0]).not.toContain('secret')
})
