import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BUILT_IN_COPIES } from '../attribution/agents/published-lists.ts'
import { createAddressVerifier } from '../attribution/agents/verify-address.ts'
import { createIntake } from '../attribution/fetches/intake.ts'
import { createFetchVerifier } from '../attribution/fetches/verify-fetch.ts'
import { testDatabase } from '../testing/app.ts'
import { logsCommand } from './logs.ts'
import { forgetLogsCommand } from './report.ts'
import { readTerminal } from './testing/read-terminal.ts'

const NOW = new Date('2026-11-30T12:00:00Z')
const { db, sql } = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'aisle-logs-'))
const ranges = createAddressVerifier(BUILT_IN_COPIES)
const verifierFor = createFetchVerifier({
  ...{ addresses: async () => ranges, names: null, callers: null },
})
const intake = createIntake({ db, now: () => NOW, retentionMonths: 13, verifierFor })

const AGENTS = ['ChatGPT-User/1.0', 'GPTBot/1.2', 'Chrome/142.0.0.0', 'PerplexityBot/1.0']
const LINES = Array.from({ length: 6000 }, (_, n) => {
  const second = String(Math.floor(n / 200)).padStart(2, '0')
  const address = n % 2 === 0 ? '8.8.8.8' : '4.151.71.176'
  return `${address} - - [29/Nov/2026:06:00:${second} +0000] "GET /products/${n % 3} HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; ${AGENTS[n % 4]})"`
})

const file = (name: string, lines: readonly string[]) => {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

async function run(domain: string | null, files: readonly string[], flags = {}) {
  const { terminal, read } = readTerminal()
  const store = domain === null ? null : { domain, intake }
  const code = await logsCommand(files, flags, { verifierFor, store }, terminal)
  return { code, printed: read() }
}

const keptOf = (domain: string) =>
  sql`select agent, verified, path, fetches::int from fetch_days where domain = ${domain} order by 1, 2, 3`

test('a log stored twice, in halves, in another order or after a part of it gives the same figures', async () => {
  const whole = file('whole', LINES)
  const first = await run('once.example', [whole], { json: true })
  expect(JSON.parse(first.printed)).toMatchObject({
    files: [{ lines: 6000, agents: 4500, others: 1500, unread: {} }],
    stored: { stored: 4500, repeated: 0 },
  })
  const figures = await keptOf('once.example')
  expect(figures.reduce((sum, { fetches }) => sum + fetches, 0)).toBe(4500)
  await run('once.example', [whole, whole])
  expect(await keptOf('once.example')).toEqual(figures)
  // Halves at the end of a second: the lines of one second that are alike are numbered together.
  const halves = [file('second', LINES.slice(3000)), file('first', LINES.slice(0, 3000))]
  await run('halves.example', halves)
  expect(await keptOf('halves.example')).toEqual(figures)
  await run('back.example', [file('back', LINES.toReversed())])
  await run('back.example', [whole])
  expect(await keptOf('back.example')).toEqual(figures)
  await run('begun.example', [file('begun', LINES.slice(0, 1234))])
  await run('begun.example', [whole])
  expect(await keptOf('begun.example')).toEqual(figures)
})

test('what was counted from the wrong log is forgotten', async () => {
  await run('wrong.example', [file('wrong', LINES.slice(0, 40))])
  const { terminal, read } = readTerminal()
  await forgetLogsCommand({ domain: 'wrong.example' }, db, terminal)
  expect(read()).toMatch(/^Forgot what was counted from the logs of wrong\.example: \d+ rows\./)
  expect(await keptOf('wrong.example')).toEqual([])
})

test('without a domain it says who came, and stores nothing', async () => {
  const path = file('few', [...LINES.slice(0, 8), 'half \u001b[31m', '{"a":1}'])
  const { code, printed } = await run(null, [path])
  expect(code).toBe(0)
  expect(printed).toMatch(/few: 10 lines, 6 of AI agents, 2 of people and other programs$/m)
  expect(printed).toMatch(
    /^ {2}1 are in no format that is read here\. The first: half \\x1b\[31m$/m,
  )
  expect(printed).toMatch(/^ChatGPT-User +OpenAI +answer +0 +0 +2$/m)
  expect(printed).toMatch(/^PerplexityBot +Perplexity +search +0 +0 +2$/m)
  expect(printed).not.toContain('Stored')
})

test('what cannot be read says so, and what to do', async () => {
  expect((await run(null, [file('none', ['hello', 'world'])])).code).toBe(1)
  await expect(run(null, [join(folder, 'absent')])).rejects.toThrow('absent cannot be read')
  await expect(run(null, [folder])).rejects.toThrow('cannot be read')
  await expect(run(null, [], { format: 'w3c' })).rejects.toThrow(
    '--format does not know "w3c". It takes combined, cloudfront, json.',
  )
})
