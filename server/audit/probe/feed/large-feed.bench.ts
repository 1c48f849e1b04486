import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageSeen } from '../../../../shared/audit/evidence.ts'
import type { Fetched } from '../../../../shared/web/http/fetched.ts'
import { onLoopback } from '../../../testing/on-loopback.ts'
import { createJudges, type Judges } from '../../judging/judges.ts'
import { createFetcher } from '../fetch/fetch.ts'
import { parseTestHosts } from '../fetch/test-hosts.ts'
import { auditSession } from '../session.ts'
import { probeFeed } from './feed.ts'
import { FEED_FORMS, type FeedForm } from './testing/large-feeds.ts'

// Feeds of 5 and of 50 MB, made while they are sent: what reading them takes.

const MB = 1_000_000
const MOST_MS = 12_000
/** Of the larger feed over the smaller one, in MiB of the whole process, workers included. */
const MOST_MORE_MIB = 96

const FORMS: Record<string, FeedForm> = {
  rss: FEED_FORMS.rss,
  tsv: FEED_FORMS.tsv,
  jsonl: FEED_FORMS.jsonl,
}

let server: Awaited<ReturnType<typeof onLoopback>>
let judges: Judges

beforeAll(async () => {
  judges = createJudges()
  server = await onLoopback(async (request, response) => {
    const [, form = '', size = '0', gz] =
      /^\/feed-(\w+)-(\d+)(\.gz)?$/.exec(request.url ?? '') ?? []
    const made = FORMS[form]
    if (made === undefined) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    const send = (text: string) => response.write(gz ? gzipSync(text) : text)
    let sent = made.head.length
    let n = 0
    send(made.head)
    while (sent < Number(size) * MB && !response.destroyed) {
      const rows = Array.from({ length: 100 }, (_, k) => made.row(n + k + 1)).join('')
      n += 100
      sent += rows.length
      if (!send(rows)) await new Promise((resolve) => response.once('drain', resolve))
      else await turn()
    }
    response.end(gz ? gzipSync(made.tail) : made.tail)
  })
})
afterAll(async () => {
  await judges?.close()
  await server?.close()
})

const answer = (url: string, body = ''): Extract<Fetched, { kind: 'answer' }> => ({
  ...{ kind: 'answer', method: 'GET', url, final_url: url, redirects: [], status: 200 },
  ...{ headers: {}, body, truncated: false, ms: 1 },
})

async function read(path: string) {
  const fetcher = createFetcher({
    userAgent: 'bench',
    testHosts: parseTestHosts(`*.example=${server.origin}`, 'test'),
  })
  const origin = 'https://shop.example'
  const homePage: PageSeen<never> = { fetched: answer(`${origin}/`), page: null }
  const robots = answer(`${origin}/robots.txt`, `Sitemap: ${origin}${path}\n`)
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() / 1024 / 1024)
  }, 20)
  const cpu = process.cpuUsage()
  const began = performance.now()
  const session = auditSession(fetcher.open(), judges)
  const site = { domain: 'shop.example', origin, homePage, robots }
  const seen = await probeFeed(session, site)
  clearInterval(watch)
  await fetcher.close()
  const used = process.cpuUsage(cpu)
  return { seen, most, ms: performance.now() - began, cpu: (used.user + used.system) / 1000 }
}

test.each(Object.keys(FORMS))(
  '%s',
  async (form) => {
    for (const zip of ['', '.gz']) {
      const found = [5, 50].map((size) => `/feed-${form}-${size}${zip}`)
      const results: Awaited<ReturnType<typeof read>>[] = []
      for (const path of found) {
        const result = await read(path)
        results.push(result)
        const { seen, most, ms, cpu } = result
        process.stdout.write(
          `${path}: ${seen.tally.rows} rows, cut: ${seen.cut}, ${(ms / 1000).toFixed(1)} s, ${(cpu / 1000).toFixed(1)} s of CPU (making it included), most ${most.toFixed(0)} MiB\n`,
        )
        expect(seen.kind).toBe(form)
        expect(seen.problem).toBeNull()
        expect(seen.tally.faults).toMatchObject([{ field: 'availability' }])
        expect(ms).toBeLessThan(MOST_MS)
      }
      const [small, large] = results
      expect(large!.seen.tally.rows).toBeGreaterThan(2 * small!.seen.tally.rows)
      expect(large!.most - small!.most).toBeLessThan(MOST_MORE_MIB)
    }
  },
  120_000,
)
