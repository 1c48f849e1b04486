import { expect, test } from 'vitest'
import { Report, TOUCHES, type TouchChoice } from '../../../../shared/attribution/report.ts'
import { shiftDay } from '../../../../shared/web/moment.ts'
import { visitEvent } from '../../../attribution/beacon/visit-event.ts'
import { createProperty } from '../../../attribution/properties.ts'
import { rebuildRollup } from '../../../db/events/rebuild.ts'
import { aiOfWeek } from '../../../db/watch/digests.ts'
import { createComparison, numbersFrom } from '../testing/comparison.ts'
import { testPages } from '../testing/pages.ts'

/*
 * A month of 5,000 purchases in a store: visits, orders of one visit, of two, too late for any,
 * over protocols and of unknown visits, and refunds. Each figure of the API, the CSV, the page and
 * the digest stands next to one that is counted here, by no code of the project.
 */

const HOUR = 3_600_000
const LOOKBACK_DAYS = 7
/** An order is joined for so long after its visit, with the hour in which it is paid. */
const JOINED_MS = LOOKBACK_DAYS * 24 * HOUR + HOUR

const SURFACES = {
  chatgpt: { host: 'chatgpt.com', name: 'ChatGPT' },
  perplexity: { host: 'www.perplexity.ai', name: 'Perplexity' },
  claude: { host: 'claude.ai', name: 'Claude' },
  gemini: { host: 'gemini.google.com', name: 'Gemini' },
  copilot: { host: 'copilot.microsoft.com', name: 'Microsoft Copilot' },
}
type Surface = keyof typeof SURFACES
const IDS = Object.keys(SURFACES) as Surface[]
/** Those of the page. */
const PAGES = ['/', ...Array.from({ length: 9 }, (_, n) => `/products/boot-${n}`)]
const PRODUCTS = Array.from({ length: 12 }, (_, n) => `sku-${n}`)
const CURRENCIES = ['EUR', 'USD', 'GBP', 'JPY', 'KWD', 'CHF']
const DECIMALS: Record<string, number> = { JPY: 0, KWD: 3 }

interface Visit {
  at: number
  id: string
  surface: Surface
  landing: string
}

interface Sale {
  id: string
  at: number
  began: number | null
  failed: boolean
  value: number
  currency: string
  product: string
  isNew: boolean | undefined
  source: 'web' | 'ucp' | 'acp'
  /** Over a protocol, as the store says. */
  surface: Surface | null
  last: Visit | null
  first: Visit | null
  refund: { at: number; value: number } | null
}

function happenIn(month: string, seed: number) {
  const { next, below, one } = numbersFrom(seed)
  const start = Date.parse(`${month}-01T00:00Z`) - 9 * 24 * HOUR
  const visits: Visit[] = []
  const visit = (at: number): Visit => {
    const made = {
      ...{ at, surface: one(IDS), landing: one(PAGES) },
      id: `${at}-${1e9 + visits.length}`,
    }
    visits.push(made)
    return made
  }
  const sales = Array.from({ length: 5000 }, (_, n): Sale => {
    const at = start + below(38 * 24 * HOUR)
    const isOverProtocol = next() < 0.15
    // Some are of the last minute that counts, and some of the first that does not.
    const after = next() < 0.1 ? JOINED_MS + one([0, 1, -HOUR]) : below(8 * 24 * HOUR)
    const last = isOverProtocol || next() < 0.1 ? null : visit(at - after)
    const first = last === null || next() < 0.6 ? null : visit(last.at - 1 - below(6 * 24 * HOUR))
    const value = 1 + below(90_000)
    const refund = { at: at + below(12 * 24 * HOUR), value: 1 + below(value) }
    return {
      ...{ id: `order-${n}`, at, last, first, value },
      began: next() < 0.7 ? at - below(2 * HOUR) : null,
      failed: next() < 0.05,
      currency: one(CURRENCIES),
      product: one(PRODUCTS),
      isNew: one([true, false, undefined]),
      source: isOverProtocol ? one(['ucp', 'acp']) : 'web',
      surface: isOverProtocol ? one(IDS) : null,
      refund: next() < 0.064 ? refund : null,
    }
  })
  for (let n = 0; n < 3000; n += 1) visit(start + below(38 * 24 * HOUR))
  return { visits, sales }
}

// --- What it comes to, counted otherwise ---------------------------------------------------------

/** One thing that counts on one day. */
interface Line {
  what: 'session' | 'initiated' | 'failed' | 'completed' | 'refunded'
  day: string
  source: string
  value: number
  currency: string
  product: string | null
  isNew: boolean | undefined
  /** Null: its visit is not known. */
  of: Record<TouchChoice, { surface: Surface; kind: string; landing: string | null } | null>
}

function linesOf({ visits, sales }: ReturnType<typeof happenIn>, zone: string): Line[] {
  const days = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  const lines: Line[] = []
  const clicked = ({ surface, landing }: Visit) => ({ surface, kind: 'click', landing })
  const none = { value: 0, currency: '', product: null, isNew: undefined }
  for (const visit of visits) {
    const of = clicked(visit)
    const day = days.format(visit.at)
    lines.push({ ...none, what: 'session', day, source: 'web', of: { last: of, first: of } })
  }
  for (const sale of sales) {
    const { last, first, surface, source, product, isNew, currency } = sale
    const placeAt = (at: number): Line['of'] => {
      if (surface !== null) {
        const bought = { surface, kind: 'protocol', landing: null }
        return { last: bought, first: bought }
      }
      if (last === null || at - last.at > JOINED_MS) return { last: null, first: null }
      const isFirst = first !== null && at - first.at <= JOINED_MS
      return { last: clicked(last), first: clicked(isFirst ? first : last) }
    }
    const line = (what: Line['what'], at: number, value = 0): Line => ({
      ...{ what, day: days.format(at), source, product, value },
      currency: value > 0 ? currency : '',
      isNew: what === 'completed' ? isNew : undefined,
      of: placeAt(what === 'refunded' ? sale.at : at),
    })
    if (surface !== null) {
      const opened = line('session', sale.began ?? sale.at)
      lines.push({ ...opened, product: null })
    }
    if (sale.began !== null) lines.push(line('initiated', sale.began))
    if (sale.failed) lines.push(line('failed', sale.at - 1))
    lines.push(line('completed', sale.at, sale.value))
    if (sale.refund) lines.push(line('refunded', sale.refund.at, sale.refund.value))
  }
  return lines
}

const countOf = (lines: readonly Line[], what: Line['what']) =>
  lines.filter((line) => line.what === what).length
const sumOf = (lines: readonly Line[], what: Line['what'], currency: string) =>
  lines
    .filter((line) => line.what === what && line.currency === currency)
    .reduce((sum, { value }) => sum + value, 0)

/** Under the names of the report. */
function figuresOf(lines: readonly Line[], currency: string) {
  const refunds = countOf(lines, 'refunded')
  const [revenue_cents, refunded_cents] = [
    sumOf(lines, 'completed', currency),
    sumOf(lines, 'refunded', currency),
  ]
  return {
    sessions: countOf(lines, 'session'),
    checkouts: countOf(lines, 'initiated'),
    orders: countOf(lines, 'completed'),
    revenue_cents,
    ...(refunds > 0 && {
      ...{ refunds, refunded_cents, net_revenue_cents: revenue_cents - refunded_cents },
    }),
  }
}

/** The same with what is worked out of it. */
function ratesOf(lines: readonly Line[], currency: string) {
  const figures = figuresOf(lines, currency)
  const { sessions, orders, revenue_cents } = figures
  const inCurrency = lines.filter(
    (line) => line.what === 'completed' && line.currency === currency,
  ).length
  return {
    ...figures,
    // Orders of the days before have their session there.
    conversion_rate: sessions === 0 ? 0 : Math.min(1, orders / sessions),
    orders_in_currency: inCurrency,
    avg_order_value_cents: inCurrency === 0 ? 0 : Math.round(revenue_cents / inCurrency),
  }
}

// --- The store --------------------------------------------------------------------------------

const { ask, db, clock, signIn, ingest } = await testPages()

type Event = { at: number; send: object | Visit }

/** What the tag and the store's server send, as it happened. */
const eventsOf = ({ visits, sales }: ReturnType<typeof happenIn>): Event[] =>
  [
    ...visits.map((visit): Event => ({ at: visit.at, send: visit })),
    ...sales.flatMap((sale): Event[] => {
      const { id, source, surface, last, first, value, currency, product, isNew } = sale
      const visit_id =
        last === null ? `nobody-${id}` : first === null ? last.id : `${last.id}_${first.id}`
      const send = (event: string, at: number, more: object): Event => ({
        at,
        send: {
          ...{ event, session_id: id, source, timestamp: new Date(at).toISOString() },
          ...(surface !== null && { ai_surface: surface }),
          properties: { product_id: product, ...(surface === null && { visit_id }), ...more },
        },
      })
      const sold = { value, currency, ...(isNew !== undefined && { new_customer: isNew }) }
      const { refund } = sale
      return [
        ...(sale.began === null ? [] : [send('ai_checkout_initiated', sale.began, {})]),
        ...(sale.failed ? [send('ai_checkout_failed', sale.at - 1, {})] : []),
        send('ai_checkout_completed', sale.at, sold),
        ...(refund === null
          ? []
          : [
              send('ai_order_refunded', refund.at, {
                ...{ refund_id: `refund-${id}`, value: refund.value, currency },
              }),
            ]),
      ]
    }),
  ].toSorted((a, b) => a.at - b.at)

const ORDERS_OF_ARRIVAL = {
  'as it happened': (events: Event[]) => events,
  'the newest first': (events: Event[]) => events.toReversed(),
  'in any order': (events: Event[]) => {
    const { next } = numbersFrom(7)
    return events
      .map((event) => ({ event, place: next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ event }) => event)
  },
}

test.each([
  ['Europe/Berlin', '2026-10', 31, 'as it happened'],
  ['America/New_York', '2026-03', 31, 'the newest first'],
  ['America/New_York', '2026-11', 30, 'in any order'],
] as const)(
  'every figure of a month in %s, %s with %i days, is what happened: %s',
  async (zone, month, length, arrival) => {
    clock.now = new Date(`${shiftDay(`${month}-${length}`, 20)}T12:00:00Z`)
    const domain = `${month}.example`
    const property = { domain, time_zone: zone, lookback_days: LOOKBACK_DAYS }
    const { id: property_id } = await createProperty(db, property, clock.now)
    const happened = happenIn(month, length)
    const visitOf = ({ at, id, surface, landing }: Visit) =>
      visitEvent(
        {
          ...{ id, surface, referrer: `https://${SURFACES[surface].host}/` },
          landing: `https://${domain}?=1&#${landing}`,
        },
        {
          domain,
          property_id,
          ts: new Date(at),
          caller: { userAgent: null, signatureAgent: null },
        },
      )
    const arriving = ORDERS_OF_ARRIVAL[arrival](eventsOf(happened))
    for (let at = 0; at < arriving.length; at += 100) {
      const batch = arriving.slice(at, at + 100).map(({ send }) => send)
      const orders = batch.filter((each) => !('landing' in each))
      const sent = batch.filter((each): each is Visit => 'landing' in each)
      const body = orders.map((order) => ({ ...order, domain }))
      const [answer] = await Promise.all([
        ask('/api/report', { body }),
        ...sent.map((visit) => ingest.record(visitOf(visit))),
      ])
      expect(answer.status).toBe(body.length === 0 ? 422 : 200)
    }

    const [start, end] = [`${month}-01`, `${month}-${length}`]
    const days = Array.from({ length }, (_, n) => shiftDay(start, n))
    const whole = linesOf(happened, zone)
    const inMonth = whole.filter(({ day }) => day >= start && day <= end)
    const { compare, wrong, compared } = createComparison()
    const browser = await signIn({ domains: [domain] })
    const read = async (query: string) => {
      const answer = await ask(`/api/report?domain=${domain}&start=${start}&end=${end}${query}`)
      return answer
    }

    for (const touch of TOUCHES) {
      const of = (line: Line) => line.of[touch]
      for (const currency of CURRENCIES) {
        // Orders count in all currencies, and money in this one.
        const query = `&touch=${touch}&money_in=${currency}`
        const report = Report.parse(await (await read(`${query}&series=surface&limit=100`)).json())
        const known = inMonth.filter((line) => of(line) !== null)
        const where = `${touch} ${currency}`
        const { sessions, checkouts, orders, revenue_cents, ...rest } = ratesOf(known, currency)
        compare(`${where} summary`, report.summary, {
          ...{ ai_sessions: sessions, ai_checkouts: checkouts, ai_orders: orders },
          ...{ ai_revenue_cents: revenue_cents, ai_conversion_rate: rest.conversion_rate },
          ...{ avg_order_value_cents: rest.avg_order_value_cents, ai_refunds: rest.refunds },
          ...{ ai_refunded_cents: rest.refunded_cents },
          ...{ ai_net_revenue_cents: rest.net_revenue_cents },
        })
        const rowsBy = <Key extends string>(keys: readonly Key[], keyOf: (line: Line) => unknown) =>
          Object.fromEntries(
            keys.map((key) => [
              key,
              ratesOf(
                known.filter((line) => keyOf(line) === key),
                currency,
              ),
            ]),
          )
        compare(
          `${where} by_surface`,
          report.by_surface,
          rowsBy(IDS, (line) => of(line)?.surface),
        )
        compare(
          `${where} by_kind`,
          report.by_kind,
          rowsBy(['click', 'protocol'], (line) => of(line)?.kind),
        )
        compare(
          `${where} by_source`,
          report.by_source,
          rowsBy(['ucp', 'acp', 'web'], ({ source }) => source),
        )
        const landings = Object.fromEntries(
          report.by_landing?.rows.map((row) => [row.landing, row]) ?? [],
        )
        compare(
          `${where} by_landing`,
          landings,
          rowsBy(PAGES, (line) => of(line)?.landing),
        )
        const products = Object.fromEntries(
          report.by_product?.rows.map((row) => [row.product_id, row]) ?? [],
        )
        for (const product of PRODUCTS) {
          const {
            sessions: _,
            conversion_rate: __,
            ...row
          } = ratesOf(
            known.filter((line) => line.product === product),
            currency,
          )
          compare(`${where} by_product ${product}`, products[product], row)
        }
        const kinds = { new: true, returning: false, unknown: undefined }
        for (const [name, isNew] of Object.entries(kinds)) {
          const its = known.filter((line) => line.what === 'completed' && line.isNew === isNew)
          const row = Object(report.by_customer)[name]
          compare(`${where} by_customer ${name}`, row, {
            ...{ orders: its.length, revenue_cents: sumOf(its, 'completed', currency) },
          })
        }
        const ofDay = Map.groupBy(known, ({ day }) => day)
        for (const [n, date] of days.entries()) {
          const its = ofDay.get(date) ?? []
          compare(`${where} daily`, report.daily[n], { date, ...figuresOf(its, currency) })
          for (const id of IDS) {
            const row = report.series?.find((each) => each.date === date && each.surface === id)
            const own = its.filter((line) => of(line)?.surface === id)
            compare(`${where} series ${date} ${id}`, row, figuresOf(own, currency))
          }
        }
        compare(`${where} funnel`, report.funnel, {
          ...{ viewed: 0, initiated: checkouts, completed: orders },
          failed: countOf(known, 'failed'),
        })
        const byCurrency = known.filter(
          (line) => line.what === 'session' || line.currency === currency,
        )
        const {
          sessions: _,
          checkouts: __,
          orders_in_currency: ___,
          ...money
        } = ratesOf(byCurrency, currency)
        compare(`${where} revenue_by_currency`, report.revenue_by_currency[currency], money)
        const apart = inMonth.filter((line) => of(line) === null)
        const { sessions: ____, conversion_rate: _____, ...unattributed } = ratesOf(apart, currency)
        compare(`${where} unattributed`, report.unattributed, unattributed)

        // The CSV has one currency, and how many orders are in others.
        const rows = (await (await read(`${query}&format=csv`)).text()).split('\r\n').slice(1)
        const found = new Map(
          rows.map((row) => [row.split(',').slice(0, 2).join(' '), row.split(',')]),
        )
        const unit = 10 ** (DECIMALS[currency] ?? 2)
        for (const date of days) {
          for (const id of IDS) {
            const own = (ofDay.get(date) ?? []).filter((line) => of(line)?.surface === id)
            const row = ratesOf(own, currency)
            const cells = found.get(`${date} ${id}`)?.slice(2)
            const refunded = sumOf(own, 'refunded', currency)
            const expected = [
              ...[row.sessions, row.checkouts, row.orders_in_currency, row.revenue_cents / unit],
              own.filter((line) => line.what === 'refunded' && line.currency === currency).length,
              ...[refunded / unit, (row.revenue_cents - refunded) / unit],
              row.orders - row.orders_in_currency,
            ]
            compare(`${where} csv ${date} ${id}`, cells, [currency, ...expected.map(String)])
          }
        }

        const html = await (
          await browser.get(
            `/report?domain=${domain}&start=${start}&end=${end}&touch=${touch}&currency=${currency}`,
          )
        ).text()
        const table = html.slice(html.indexOf('Sessions, orders and revenue by AI surface'))
        for (const id of IDS) {
          const row = rowOf(table, SURFACES[id].name)
          const own = ratesOf(
            known.filter((line) => of(line)?.surface === id),
            currency,
          )
          compare(`${where} page ${id}`, row, {
            ...{ Sessions: String(own.sessions), Orders: String(own.orders) },
            Revenue: String(own.revenue_cents),
          })
        }
      }
    }

    for (let week = 7; week <= length; week += 7) {
      const until = shiftDay(start, week)
      const digest = await db.transaction((tx) => aiOfWeek(tx, domain, until))
      const its = whole.filter(({ day }) => day < until && day >= shiftDay(until, -7))
      const known = its.filter(({ of }) => of.last !== null)
      compare(`digest to ${until}`, digest, {
        ...{ sessions: countOf(known, 'session'), orders: countOf(known, 'completed') },
        unattributed: countOf(its, 'completed') - countOf(known, 'completed'),
      })
      for (const currency of CURRENCIES) {
        const sold = digest.revenue.find((each) => each.currency === currency)?.amount ?? 0
        compare(`digest ${currency}`, sold, sumOf(known, 'completed', currency))
      }
    }

    const rebuilt = { domain, since: '2026-01', dryRun: true }
    expect(await rebuildRollup(db, rebuilt)).toEqual([])
    process.stdout.write(`${domain}: ${compared()} figures, ${wrong.length} wrong\n`)
    expect(wrong.slice(0, 10)).toEqual([])
    expect(compared()).toBeGreaterThan(20_000)
  },
)

/** The digits of each cell of a surface's row on the page, by its column. */
function rowOf(table: string, name: string): Record<string, string> {
  const row = table.split('<tr').find((each) => each.includes(`>${name}<`)) ?? ''
  const cells = row.matchAll(/data-label="([^"]+)"[^>]*>([^<]*)/g)
  return Object.fromEntries(
    [...cells].map(([, column, text = '']) => [column, text.replaceAll(/\D/g, '')]),
  )
}
