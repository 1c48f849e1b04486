import { setTimeout as sleep } from 'node:timers/promises'
import {
  beginPages,
  type PagesKept,
  type PagesKeptStep,
} from '../../../../shared/walk/pages/pages-kept.ts'
import type {
  Exchange,
  Purchase,
  RouteWalk,
  Transcript,
  WalkStep,
} from '../../../../shared/walk/transcript.ts'
import type { WalksDeps } from '../jobs.ts'
import type { OpenEntry } from '../ledger.ts'
import type { WalkOrder } from '../order.ts'

/** The beginning of a JPEG. */
export const PICTURE = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])

const PAGE_STEP: PagesKeptStep = {
  n: 1,
  stage: 'checkout',
  url: 'https://shop.example/checkout/1',
  title: 'Checkout',
  does: null,
  element: null,
  sees: ['button "Pay 179.00 USD"'],
  findings: [
    {
      id: 'field_unnamed',
      detail: 'It has no label.',
      element: { role: 'textbox', name: '', selector: '#city' },
      box: { x: 100, y: 200, width: 300, height: 40 },
    },
  ],
  picture: 'pictures/1',
}

/** A walk through pages that came to its end. */
export const WALKED_PAGES: PagesKept = {
  ...beginPages('https://shop.example/products/boot'),
  product: 'Fell Boot',
  ended: 'reached',
  emptied: 'emptied',
  steps: [PAGE_STEP],
  tools: {
    unseen: null,
    tools: [{ name: 'get_product', description: 'Reads a product.', only_reads: true }],
    calls: [{ tool: 'get_product', input: '{"id":"boot"}', answer: '{"price":"169.00 USD"}' }],
    left: [],
    findings: [
      {
        id: 'price_differs',
        tool: 'get_product',
        detail: 'It says 169.00 USD of Fell Boot; the page says 179.00 USD.',
      },
    ],
  },
}

interface PretendOptions {
  /** Waits while a session is open; an abort ends it. */
  hold?: (signal: AbortSignal | undefined) => Promise<unknown>
  /** How long the bodies of answers are. */
  bodyLength?: number
  /** Steps of each purchase. */
  steps?: number
  /** How long their titles are, which are never cut. */
  titleLength?: number
  /** What the store repeats in each answer. */
  repeats?: (order: WalkOrder) => string
}

const ROUTE = {
  dialect: 'spec_ucp',
  label: 'UCP',
  endpoint: 'https://shop.example/ucp',
} as const

/**
 * A store, and a walk through it that does as the real one: it opens, and closes what it opened.
 */
export function pretendStore({
  hold = async () => {},
  bodyLength = 10,
  steps = 2,
  titleLength = 10,
  repeats = () => '',
}: PretendOptions = {}) {
  /** Session ids by idempotency key, as the store has them open. */
  const open = new Map<string, string>()
  const orders: WalkOrder[] = []

  const walk: WalksDeps['walk'] = async (order, { ledger, onEvent, signal, keepPicture }) => {
    orders.push(order)
    const body = `${repeats(order)}${'x'.repeat(bodyLength)}`
    const route: RouteWalk = { ...ROUTE, browsing: [stepOf(1, 'find', body)], purchases: [] }
    onEvent?.({ event: 'route', route: ROUTE })
    onEvent?.({ event: 'browsed', dialect: ROUTE.dialect, step: stepOf(1, 'find', body) })
    for (const intent of order.intents) {
      if (signal?.aborted) break
      onEvent?.({ event: 'purchase', dialect: ROUTE.dialect, intent })
      const key = crypto.randomUUID()
      await ledger.opening(entryOf(key, order, body))
      open.set(key, `session-${key}`)
      await ledger.opened(key, `session-${key}`)
      const walked: WalkStep[] = []
      for (let n = 1; n <= steps; n += 1) {
        const step = { ...stepOf(n, 'open', body), title: 't'.repeat(titleLength) }
        walked.push(step)
        onEvent?.({ event: 'step', dialect: ROUTE.dialect, intent, step })
        if (n === 1) await hold(signal)
      }
      open.delete(key)
      await ledger.closed(key)
      const purchase: Purchase = {
        intent,
        dialect: ROUTE.dialect,
        outcome: 'passed',
        why: null,
        charge: null,
        steps: walked,
        orders: [],
        left_open: [],
      }
      route.purchases.push(purchase)
      onEvent?.({ event: 'purchased', purchase })
    }
    if (order.pages) {
      await keepPicture?.(1, PICTURE)
      onEvent?.({ event: 'pages', pages: beginPages(order.pages.url ?? null) })
      onEvent?.({ event: 'page', step: PAGE_STEP })
    }
    const transcript: Transcript = {
      version: 1,
      id: 'of its own',
      domain: order.domain,
      mode: order.mode,
      started_at: new Date().toISOString(),
      ended_at: new Date().toISOString(),
      stopped: signal?.aborted ? 'It was told to stop.' : null,
      nothing: null,
      elsewhere: [],
      missing: [],
      routes: [route],
      ...(order.pages && { pages: WALKED_PAGES }),
    }
    onEvent?.({ event: 'ended', transcript })
    return transcript
  }

  const cancelled: OpenEntry[] = []
  const cancelLeftOpen: WalksDeps['cancelLeftOpen'] = async (entries, { ledger }) => {
    for (const entry of entries) {
      cancelled.push(entry)
      open.delete(entry.key)
      await ledger.closed(entry.key)
    }
    return entries.length
  }
  return { open, orders, cancelled, walk, cancelLeftOpen }
}

/** Waits until it is let go or the walk is told to stop. */
export function createGate() {
  let letGo = () => {}
  const opened = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const hold = async (signal: AbortSignal | undefined) => {
    const left = new Promise<void>((resolve) =>
      signal?.aborted ? resolve() : signal?.addEventListener('abort', () => resolve()),
    )
    await Promise.race([opened, left])
    // As a store takes a moment to cancel.
    await sleep(5)
  }
  return { hold, letGo }
}

const entryOf = (key: string, order: WalkOrder, body: string): OpenEntry => ({
  // Careless on purpose: neither is what the caller gave it.
  walk: '00000000-0000-4000-8000-000000000000',
  domain: order.domain,
  key,
  opening: {
    op: 'open',
    wanted: {
      lines: [],
      address: null,
      option: null,
      coupon: `${order.agentKey ?? ''} ${body}`,
      currency: 'USD',
    },
    key,
    dryRun: false,
  },
  route: {
    dialect: ROUTE.dialect,
    endpoint: ROUTE.endpoint,
    version: null,
    capabilities: [],
    orders: null,
  },
  session: null,
  since: new Date().toISOString(),
})

export const stepOf = (n: number, step: WalkStep['step'], body: string): WalkStep => ({
  n,
  step,
  title: 'Asks the store',
  exchanges: [exchangeOf(body)],
  concluded: [{ text: 'total 142.00 USD', field: 'totals[type=total]' }],
  held: ['answers'],
  failed: null,
})

const exchangeOf = (body: string): Exchange => ({
  request: { method: 'POST', url: 'https://shop.example/ucp', headers: {}, body, bytes: 10 },
  answer: { status: 200, headers: {}, body, bytes: body.length, cut: false },
  failure: null,
  ms: 3,
  at: '2026-11-21T12:00:00.000Z',
})
