import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { SERVED_BY } from './proxy.ts'

const CONNECTIONS = 48
/** A page is read for every so many events. */
const EVENTS_PER_PAGE = 19
const PAGES = ['/', '/help', '/gaps/checkout_price_mismatch', '/attribution.js', '/livez']
const RESEND_MS = 50

export interface Failure {
  /** Since the traffic began. */
  ms: number
  what: string
}

/** What the requests of a test came to. */
export interface Outcome {
  requests: number
  failures: Failure[]
  /** Each order was resent until it was acknowledged, and counts here once. */
  orders: number
  revenue: number
  /** The longest time without an answer that was no failure. */
  gapMs: number
}

export interface Traffic {
  requests: () => number
  failures: () => number
  /** How many answers a replica gave, by its port. */
  servedBy: (port: number) => number
  /** Resolves when the last order is acknowledged. */
  stop: () => Promise<Outcome>
}

interface TrafficTo {
  origin: string
  key: string
  domain: string
  /** Requests per second in all, while the answers keep up. */
  rate: number
}

/**
 * Sends orders of a merchant and reads pages until it is stopped. Each order has a session of its
 * own.
 */
export function startTraffic({ origin, key, domain, rate }: TrafficTo): Traffic {
  const pool = new Pool(origin, { connections: CONNECTIONS })
  const began = performance.now()
  const failures: Failure[] = []
  const served = new Map<string, number>()
  const run = began.toString(36)
  let [requests, planned, orders, revenue, gapMs] = [0, 0, 0, 0, 0]
  let lastAnswer = began
  let stopped = false

  /** Whether the answer was as it should be. */
  async function send(method: 'GET' | 'POST', path: string, body: string | null): Promise<boolean> {
    requests++
    let failure: string
    try {
      const headers =
        body === null ? {} : { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const answer = await pool.request({ method, path, body, headers })
      const text = await answer.body.text()
      if (answer.statusCode === 200) {
        const by = String(answer.headers[SERVED_BY])
        served.set(by, (served.get(by) ?? 0) + 1)
        const now = performance.now()
        gapMs = Math.max(gapMs, now - lastAnswer)
        lastAnswer = now
        return true
      }
      failure = `${answer.statusCode} ${text.slice(0, 120)}`
    } catch (error) {
      failure = String(error)
    }
    failures.push({ ms: performance.now() - began, what: `${method} ${path}: ${failure}` })
    return false
  }

  async function order(n: number): Promise<void> {
    const value = 1000 + (n % 997)
    const body = JSON.stringify({
      event: 'ai_checkout_completed',
      domain,
      session_id: `order_${run}_${n}`,
      source: 'acp',
      ai_surface: 'chatgpt',
      properties: { value, currency: 'USD' },
    })
    while (!(await send('POST', '/api/report', body))) await sleep(RESEND_MS)
    orders++
    revenue += value
  }

  async function worker(): Promise<void> {
    while (!stopped) {
      const n = planned++
      const due = began + (n / rate) * 1000 - performance.now()
      if (due > 1) await sleep(due)
      if (n % (EVENTS_PER_PAGE + 1) > 0) await order(n)
      else await send('GET', PAGES[(n / (EVENTS_PER_PAGE + 1)) % PAGES.length] ?? '/', null)
    }
  }

  const workers = Array.from({ length: CONNECTIONS }, worker)
  return {
    requests: () => requests,
    failures: () => failures.length,
    servedBy: (port) => served.get(`127.0.0.1:${port}`) ?? 0,
    stop: async () => {
      stopped = true
      await Promise.all(workers)
      await pool.close()
      return { requests, failures, orders, revenue, gapMs }
    },
  }
}

/** How often each failure was seen. */
export function kindsOf(failures: readonly Failure[]): Record<string, number> {
  const kinds = Map.groupBy(failures, ({ what }) => what.replace(/"request_id".*/, '…'))
  return Object.fromEntries([...kinds].map(([what, of]) => [what, of.length]))
}
