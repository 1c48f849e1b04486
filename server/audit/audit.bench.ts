import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rulesOf } from '../../shared/audit/checks/index.ts'
import { CHECK_NAMES, DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { median } from '../../shared/testing/median.ts'
import { freePort } from '../testing/free-port.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { createJudges } from './judging/judges.ts'
import { ofThisThread } from './judging/processor-time.ts'
import { openEvidence } from './judging/sealed-page.ts'
import { createFetcher } from './probe/fetch/fetch.ts'
import { parseTestHosts } from './probe/fetch/test-hosts.ts'
import { gatherEvidence } from './probe/gather.ts'
import { auditSession } from './probe/session.ts'
import { auditHere } from './testing/audit-here.ts'

/** As slow as a store on another continent, so that requests one after the other show. */
const DELAY_MS = 100
const ROUNDS = 7
const print = (line: string) => process.stdout.write(`${line}\n`)

const judges = createJudges()
let store: ChildProcess
let storePort: number
/** Passes requests on to the store, each answer delayed. */
const delayed = await onLoopback((incoming, outgoing) => {
  const { method, url, headers } = incoming
  const onwards = request({ port: storePort, method, path: url, headers }, async (answer) => {
    await sleep(DELAY_MS)
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  incoming.pipe(onwards)
})

beforeAll(async () => {
  storePort = await freePort()
  store = spawn(process.execPath, ['dist/store/main.js'], {
    env: {
      ...process.env,
      STORE_PORT: String(storePort),
      // Over official UCP the store fetches the profile of its caller, which it serves itself here.
      TEST_HOSTS: `*.example=http://127.0.0.1:${storePort}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (store.stdout) await once(store.stdout, 'data')
})

afterAll(async () => {
  await judges.close()
  await delayed.close()
  store.kill()
})

const fetcherOf = (port: number) =>
  createFetcher({
    userAgent: 'Aisle (bench)',
    testHosts: parseTestHosts(`*.example=http://127.0.0.1:${port}`, undefined),
  })

/** One audit over the network: wall time and CPU time, both in milliseconds. */
async function auditVia(
  port: number,
  checks: readonly (typeof CHECK_NAMES)[number][],
  domain = 'shop.example',
) {
  const fetcher = fetcherOf(port)
  const started = performance.now()
  const cpu = process.cpuUsage()
  const result = await auditHere({ domain, checks }, { fetcher, judges })
  const { user, system } = process.cpuUsage(cpu)
  await fetcher.close()
  expect(result.gaps).toEqual([])
  return { ms: performance.now() - started, cpuMs: (user + system) / 1000 }
}

test('a full audit takes at most 8 answers of the store one after the other, and 300 ms', async () => {
  const { port } = delayed
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { ms } = await auditVia(port, DEFAULT_CHECKS)
    if (round > 0) times.push(ms)
  }
  const limit = 8 * DELAY_MS + 300
  print(
    `audit, every answer ${DELAY_MS} ms late: median ${median(times).toFixed(0)} ms, limit ${limit} ms`,
  )
  const { ms } = await auditVia(port, CHECK_NAMES)
  print(`the same with acp: ${ms.toFixed(0)} ms`)
  expect(median(times)).toBeLessThanOrEqual(limit)
})

test('that of an official store takes two answers more at most', async () => {
  const { port } = delayed
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { ms } = await auditVia(port, DEFAULT_CHECKS, 'ucp.example')
    if (round > 0) times.push(ms)
  }
  const limit = 10 * DELAY_MS + 300
  print(`audit of an official store: median ${median(times).toFixed(0)} ms, limit ${limit} ms`)
  expect(median(times)).toBeLessThanOrEqual(limit)
})

test('the CPU cost of an audit', async () => {
  const costs: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { cpuMs } = await auditVia(storePort, DEFAULT_CHECKS)
    if (round > 0) costs.push(cpuMs)
  }
  print(`CPU of an audit: median ${median(costs).toFixed(0)} ms`)
})

/** Of what all rules take; the one that comes first also reads what others share. */
const MOST_OF_ALL = 1 / 3
const NAMED_FROM = 1 / 25

test('no rule takes more than a third of what all take', async () => {
  const rules = rulesOf(DEFAULT_CHECKS)
  const fetcher = fetcherOf(storePort)
  const session = fetcher.open()
  const wanted = new Set(rules.flatMap(({ reads }) => reads))
  const looking = auditSession(session, judges)
  const evidence = await gatherEvidence(
    looking,
    { domain: 'shop.example' },
    wanted,
    () => new Date(),
  )
  await session.close()
  await fetcher.close()
  const costs = new Map<string, number>()
  for (let round = -ROUNDS; round < 5 * ROUNDS; round += 1) {
    // As each audit has it: nothing is known yet of what an earlier one has read.
    const opened = openEvidence(structuredClone(evidence))
    for (const { id, judge } of rules) {
      const before = ofThisThread()
      judge(opened)
      if (round >= 0) costs.set(id, (costs.get(id) ?? 0) + ofThisThread() - before)
    }
  }
  const all = [...costs.values()].reduce((sum, ms) => sum + ms, 0)
  const dear = [...costs].sort(([, a], [, b]) => b - a).filter(([, ms]) => ms / all > NAMED_FROM)
  print(`${rules.length} rules judge in ${(all / 5 / ROUNDS).toFixed(1)} ms; the most take`)
  for (const [id, ms] of dear) print(`  ${((100 * ms) / all).toFixed(0)} % ${id}`)
  expect((dear[0]?.[1] ?? 0) / all).toBeLessThan(MOST_OF_ALL)
})
