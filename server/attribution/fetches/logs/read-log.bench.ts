import { expect, test } from 'vitest'
import { median } from '../../../../shared/testing/median.ts'
import { BUILT_IN_COPIES } from '../../agents/published-lists.ts'
import { createAddressVerifier } from '../../agents/verify-address.ts'
import { createFetchVerifier } from '../verify-fetch.ts'
import { createLogReader } from './read-log.ts'

/** Rounds that count; the figure is the median of their ratios. */
const ROUNDS = Number(process.env.ROUNDS ?? 7)
const WARM_UP = 2
const LINES = 100_000
const CHUNK = 256 * 1024

const AGENT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0'
/** As many browsers as a log has within an hour. */
const BROWSERS = Array.from(
  { length: 400 },
  (_, n) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (n % 40)}.0.${n}.0 Safari/537.36`,
)
const userAgentOf = (n: number, agents: number) =>
  n % 100 < agents ? AGENT : (BROWSERS[n % BROWSERS.length] ?? '')

const FORMATS: Record<string, (n: number, userAgent: string) => string> = {
  combined: (n, userAgent) =>
    `203.0.113.${n % 250} - - [29/Nov/2026:06:${String(Math.floor(n / 2000) % 60).padStart(2, '0')}:00 +0000] "GET /products/${n % 500}?variant=${n} HTTP/1.1" 200 ${n} "https://shop.example/" "${userAgent}"`,
  Cloudflare: (n, userAgent) =>
    JSON.stringify({
      ...{ EdgeStartTimestamp: '2026-11-29T06:00:00Z', ClientIP: `203.0.113.${n % 250}` },
      ...{ ClientRequestHost: 'shop.example', ClientRequestMethod: 'GET', RayID: `ray-${n}` },
      ...{ ClientRequestURI: `/products/${n % 500}?variant=${n}`, EdgeResponseStatus: 200 },
      ...{ ClientRequestUserAgent: userAgent, EdgeResponseBytes: n },
    }),
}

function chunksOf(line: (n: number) => string): Buffer[] {
  const bytes = Buffer.from(Array.from({ length: LINES }, (_, n) => `${line(n)}\n`).join(''))
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, n) =>
    bytes.subarray(n * CHUNK, (n + 1) * CHUNK),
  )
}

/** Finds the lines of a log, and does nothing with them. */
function readBare(chunks: readonly Buffer[]): number {
  let lines = 0
  let begun = ''
  for (const chunk of chunks) {
    const text = chunk.toString('latin1')
    let from = 0
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      const line = begun + text.slice(from, to)
      if (line.length > 0) lines += 1
      begun = ''
      from = to + 1
    }
    begun = text.slice(from)
  }
  return lines
}

const ranges = createAddressVerifier(BUILT_IN_COPIES)
const verifierFor = createFetchVerifier({
  ...{ addresses: async () => ranges, names: null, callers: null },
})

/** Reads a log and verifies its agents, as `aisle logs` does without a database. */
async function readOurs(chunks: readonly Buffer[]): Promise<number> {
  const reader = createLogReader()
  for (const chunk of chunks) {
    const requests = reader.write(chunk)
    if (requests.length > 0) await verifierFor(requests)
  }
  reader.end()
  return reader.counts.lines
}

/** Microseconds of the processor for a line. */
async function costOf(read: () => number | Promise<number>): Promise<number> {
  const before = process.cpuUsage()
  expect(await read()).toBe(LINES)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / LINES
}

// People's lines are looked at no further than to their User-Agent; one of twenty is an agent's.
test.each([
  ['combined', 5, 12],
  ['Cloudflare', 5, 12],
  ['combined', 100, 90],
  ['Cloudflare', 100, 120],
])(
  '%s, %i of 100 lines of agents: a line costs at most %i times what finding it costs',
  async (name, agents, most) => {
    const chunks = chunksOf((n) => FORMATS[name]!(n, userAgentOf(n, agents)))
    const costs: { bare: number; ours: number }[] = []
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const contestants = [
        () => costOf(() => readBare(chunks)),
        () => costOf(() => readOurs(chunks)),
      ]
      const [first, second] = round % 2 === 0 ? contestants : contestants.toReversed()
      const measured = [await first!(), await second!()]
      const [bare = 0, ours = 0] = round % 2 === 0 ? measured : measured.toReversed()
      if (round >= WARM_UP) costs.push({ bare, ours })
    }
    const of = (which: 'bare' | 'ours') => median(costs.map((each) => each[which]))
    const ratio = median(costs.map(({ bare, ours }) => ours / bare))
    process.stdout.write(
      `${name}, ${agents}% agents: ${of('ours').toFixed(2)} µs of processor a line, ${Math.round(1e6 / of('ours')).toLocaleString('en')} lines a second of it; bare ${of('bare').toFixed(2)} µs: ${ratio.toFixed(2)} times\n`,
    )
    expect(ratio).toBeLessThanOrEqual(most)
  },
)
