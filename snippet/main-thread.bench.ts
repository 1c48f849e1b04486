import { readFileSync } from 'node:fs'
import type { BrowserContext, CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  describeInBrowser,
  type Hosts,
  launchBrowser,
  serveHosts,
} from '../shared/testing/browser.ts'
import { median } from '../shared/testing/median.ts'
import { buildSnippet } from './build.ts'

const ROUNDS = 15
/** As long as the first calls to products that are not there yet. */
const WATCHED_MS = 1000

interface Script {
  code: string
  attributes: string
}

/**
 * Trackers to compare with, as their servers serve them. They are not in the repository: get them
 * from a running Umami (`/script.js`) and GoatCounter (`/count.js`), and name their files.
 */
const PEERS = {
  umami: {
    file: process.env.UMAMI_SCRIPT,
    attributes: 'data-website-id="b59e9c65-ae32-47f1-8400-119fcf4861c4"',
  },
  goatcounter: {
    file: process.env.GOATCOUNTER_SCRIPT,
    attributes: 'data-goatcounter="https://tracker.example/count"',
  },
}

const VISITS = {
  plain: { query: '', options: {} },
  AI: { query: '?utm_source=chatgpt.com', options: { referer: 'https://chatgpt.com/' } },
}
type Visit = keyof typeof VISITS

/** Milliseconds of the main thread's own time, which other programs do not lengthen. */
interface Cost {
  longest: number
  all: number
}

describeInBrowser('the main thread at a quarter of its speed', () => {
  const scripts: Record<string, Script> = { empty: { code: ';', attributes: '' } }
  let hosts: Hosts
  let browser: BrowserContext

  beforeAll(async () => {
    scripts.ours = { code: (await buildSnippet()).code, attributes: '' }
    for (const [name, { file, attributes }] of Object.entries(PEERS)) {
      if (file) scripts[name] = { code: readFileSync(file, 'utf8'), attributes }
    }
    hosts = await serveHosts({
      'shop.example': ({ url }) => {
        const name = new URL(url).pathname.slice(1)
        const src = `https://tracker.example/${name}.js?id=prop_1`
        const tag = `<script async src="${src}" ${scripts[name]?.attributes}></script>`
        const page = `<!doctype html><head><link rel="icon" href="data:,">${tag}</head><h1>Boots</h1>`
        return new Response(page, { headers: { 'Content-Type': 'text/html' } })
      },
      'tracker.example': ({ url, headers }) => {
        const name = new URL(url).pathname.slice(1, -'.js'.length)
        return new Response(scripts[name]?.code ?? '{}', {
          headers: {
            'Content-Type': scripts[name] ? 'text/javascript' : 'application/json',
            'Access-Control-Allow-Origin': headers.get('Origin') ?? '*',
            'Access-Control-Allow-Headers': 'Content-Type, X-Umami-Cache',
          },
        })
      },
    })
    browser = await launchBrowser({ hosts, asShipped: true })
  })
  afterAll(async () => {
    await browser?.close()
    await hosts?.close()
  })

  async function measure(name: string, visit: Visit): Promise<Cost> {
    const page = await browser.newPage()
    const devtools = await browser.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    // A landing is the first page of a visitor.
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
    const trace = await startTrace(devtools)
    const { query, options } = VISITS[visit]
    await page.goto(`https://shop.example/${name}${query}`, options)
    await page.waitForTimeout(WATCHED_MS)
    const events = await trace.stop()
    await page.close()
    return costOf(events, `https://tracker.example/${name}.js`)
  }

  test('a visit costs less of it in one task than the trackers do', async () => {
    const costs = new Map<string, Cost[]>()
    const names = Object.keys(scripts)
    for (let round = 0; round < ROUNDS; round++) {
      for (const visit of ['plain', 'AI'] as const) {
        // Each goes first as often as the others.
        for (const at of names.keys()) {
          const name = names[(at + round) % names.length] ?? ''
          const key = `${name} ${visit}`
          costs.set(key, [...(costs.get(key) ?? []), await measure(name, visit)])
        }
      }
    }
    const partsOf = (name: string, visit: Visit, part: keyof Cost) =>
      (costs.get(`${name} ${visit}`) ?? []).map((cost) => cost[part])
    // Per round, because a busy machine is busy for all that are measured in it.
    const ratioOf = (visit: Visit, name: string) => {
      const others = partsOf(name, visit, 'longest')
      return median(partsOf('ours', visit, 'longest').map((own, at) => own / (others[at] ?? own)))
    }
    for (const visit of ['plain', 'AI'] as const) {
      for (const name of names) {
        const [longest, all] = (['longest', 'all'] as const).map((part) =>
          median(partsOf(name, visit, part)).toFixed(1),
        )
        process.stdout.write(
          `${visit} visit, ${name}: longest task ${longest} ms, all ${all} ms; ours is ${ratioOf(visit, name).toFixed(2)} of its longest\n`,
        )
      }
    }
    // The work of a session is spread over tasks of its own.
    const added = partsOf('ours', 'AI', 'longest').map(
      (own, at) => own / (partsOf('ours', 'plain', 'longest')[at] ?? own),
    )
    expect(median(added)).toBeLessThan(3)
    for (const peer of Object.keys(PEERS).filter((name) => name in scripts)) {
      for (const visit of ['plain', 'AI'] as const) {
        expect(ratioOf(visit, peer), `${visit} visit beside ${peer}`).toBeLessThan(1)
      }
    }
  })

  for (const [name, { file }] of Object.entries(PEERS)) {
    test.skipIf(!file)(`beside ${name}`, () => expect(scripts).toHaveProperty(name))
  }
})

/**
 * The part of Chromium's trace events that is read here
 * (https://chromium.googlesource.com/catapult).
 */
interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur: number
  tdur?: number
  args: unknown
}

async function startTrace(devtools: CDPSession) {
  const events: TraceEvent[] = []
  devtools.on('Tracing.dataCollected', ({ value }) => {
    for (const each of value) if (isComplete(each)) events.push(each)
  })
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: [
        'devtools.timeline',
        'disabled-by-default-devtools.timeline',
        'toplevel',
      ],
    },
  })
  const stop = async () => {
    const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve))
    await devtools.send('Tracing.end')
    await complete
    return events
  }
  return { stop }
}

/** Events with a beginning and a duration are `X`. */
const isComplete = (event: object): event is TraceEvent => 'ph' in event && event.ph === 'X'

/** The tasks of the main thread in which the script at this address ran. */
function costOf(events: readonly TraceEvent[], url: string): Cost {
  const runs = events.filter(
    ({ name, args }) =>
      ['EvaluateScript', 'FunctionCall'].includes(name) && JSON.stringify(args).includes(url),
  )
  const tasks = events.filter(({ name }) => name === 'RunTask' || name.endsWith('::RunTask'))
  const holders = runs.map((run) =>
    tasks
      .filter(
        (task) =>
          task.pid === run.pid &&
          task.tid === run.tid &&
          task.ts <= run.ts &&
          task.ts + task.dur >= run.ts + run.dur,
      )
      .reduce((outer, task) => (task.dur > outer.dur ? task : outer), run),
  )
  const times = [...new Set(holders)].map(({ tdur = 0 }) => tdur / 1000)
  return { longest: Math.max(0, ...times), all: times.reduce((sum, time) => sum + time, 0) }
}
