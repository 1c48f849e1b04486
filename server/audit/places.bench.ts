import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { median } from '../../shared/testing/median.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { createEngine } from './engine.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'

const ROUNDS = 9
const DELAY_MS = 50
const HANGING = 60
const MOST_SLOWER = 1.5

/** A store that answers after 50 ms; names below slow.example never get an answer. */
const stores = await onLoopback(async (request, response) => {
  if (request.headers.host?.endsWith('.slow.example')) return
  await sleep(DELAY_MS)
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>A shop</title>')
})
const testHosts = [{ pattern: '*.example', origin: stores.origin }]
const engine = createEngine(
  { baseUrl: 'https://aisle.example', testHosts },
  () => new Date(),
  JUDGES_HERE,
)

afterAll(async () => {
  await engine.close()
  await stores.close()
})

const timeAudit = async (key: string): Promise<number> => {
  const call = { caller: { key }, signal: new AbortController().signal }
  const started = performance.now()
  await engine.audit({ domain: 'shop.example', checks: [...DEFAULT_CHECKS] }, call)
  return performance.now() - started
}

/** A's sixty requests: each that ends, or is refused, is sent again, until A leaves. */
function hang(): { leave: () => Promise<void> } {
  const leaver = new AbortController()
  const { signal } = leaver
  const sent = Array.from({ length: HANGING }, async (_, n) => {
    const url = `https://n${n}.slow.example/.well-known/ucp`
    while (!signal.aborted) {
      await engine.validateManifest(url, { caller: { key: 'a' }, signal }).catch(() => {})
      await sleep(100)
    }
  })
  return {
    leave: async () => {
      leaver.abort()
      await Promise.all(sent)
    },
  }
}

test('beside 60 hanging validations of A, an audit of B takes at most 1.5 times as long', async () => {
  const alone: number[] = []
  const beside: number[] = []
  await timeAudit('b')
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await timeAudit('b'))
    const a = hang()
    beside.push(await timeAudit('b'))
    await a.leave()
  }
  const ratio = median(beside) / median(alone)
  process.stdout.write(
    `audit of B: ${median(alone).toFixed(0)} ms alone, ${median(beside).toFixed(0)} ms beside ${HANGING} hanging validations of A, ratio ${ratio.toFixed(2)}, limit ${MOST_SLOWER}\n`,
  )
  expect(ratio).toBeLessThanOrEqual(MOST_SLOWER)
})
