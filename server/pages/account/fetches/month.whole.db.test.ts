import { expect, test } from 'vitest'
import { FetchReport } from '../../../../shared/audit/fetch-report.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { shiftDay } from '../../../../shared/web/moment.ts'
import { BUILT_IN_COPIES } from '../../../attribution/agents/published-lists.ts'
import { visitEvent } from '../../../attribution/beacon/visit-event.ts'
import { createProperty } from '../../../attribution/properties.ts'
import { saveAudit } from '../../../db/audit/audits.ts'
import { aiOfWeek } from '../../../db/watch/digests.ts'
import { cleanResult } from '../../../testing/app.ts'
import { createComparison, numbersFrom } from '../testing/comparison.ts'
import { testPages } from '../testing/pages.ts'

/*
 * A month of a store from crawl to refund: audits that see its catalog, logs of its server, visits
 * and orders. Each figure of the API, the CSV, the page and the digest stands next to one that is
 * counted here, by no code of the project.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR

const addressOf = (list: string) =>
  BUILT_IN_COPIES.findLast((copy) => copy.list === list)?.prefixes[0]?.split('/')[0] ?? ''
const FOREIGN = '203.0.113.9'

/** Who comes, as who it is, and how often of 100 requests. */
const CALLERS = [
  ['ChatGPT-User', 'OpenAI', 'chatgpt', 'answer', 'verified', addressOf('chatgpt-user'), 24],
  ['ChatGPT-User', 'OpenAI', 'chatgpt', 'answer', 'forged', FOREIGN, 4],
  ['OAI-SearchBot', 'OpenAI', 'chatgpt', 'search', 'verified', addressOf('oai-searchbot'), 12],
  ['GPTBot', 'OpenAI', 'chatgpt', 'training', 'verified', addressOf('gptbot'), 8],
  ['Claude-User', 'Anthropic', 'claude', 'answer', 'verified', addressOf('claude'), 10],
  [
    'Perplexity-User',
    'Perplexity',
    'perplexity',
    'answer',
    'verified',
    addressOf('perplexity-user'),
    9,
  ],
  [
    'PerplexityBot',
    'Perplexity',
    'perplexity',
    'search',
    'verified',
    addressOf('perplexitybot'),
    3,
  ],
  ['Googlebot', 'Google', 'google_ai_mode', 'search', 'verified', addressOf('google-common'), 12],
  ['meta-externalagent', 'Meta', 'meta_ai', 'training', 'claimed', FOREIGN, 6],
  ['Devin', 'Cognition', 'devin', 'action', 'claimed', FOREIGN, 4],
  ['', '', '', '', 'person', FOREIGN, 8],
] as const
const PERSON = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36'

/** Products of the catalog; the last two are gone in the second half of the month. */
const PRODUCTS = ['boot', 'hat', 'tent'].map((id) => ({
  product_id: id,
  title: `The ${id}`,
  path: `/products/${id}`,
}))
const GONE = ['/products/hat', '/products/tent']
const PAGES = [...PRODUCTS.map(({ path }) => path), '/', '/about', '/guides/winter']
const IMAGE = '/img/boot.webp'
const CHALLENGE = 1

interface Request {
  at: number
  caller: (typeof CALLERS)[number]
  path: string
  /** As it is kept: 1 for a challenge. */
  status: number
  line: Record<string, unknown>
}

function requestsIn(domain: string, start: number, days: number): Request[] {
  const { next, below, one } = numbersFrom(days)
  const callers = CALLERS.flatMap((caller) => Array.from({ length: caller[6] }, () => caller))
  return Array.from({ length: 9000 }, (_, n): Request => {
    // No two at one moment.
    const at = start - 10 * DAY + Math.floor(((days + 15) * DAY * n) / 9000) + below(20_000)
    const caller = one(callers)
    const [token] = caller
    const late = at > start + (days * DAY) / 2
    const path =
      token === 'PerplexityBot' || next() < 0.04
        ? '/robots.txt'
        : next() < 0.08
          ? IMAGE
          : one(PAGES)
    const isWalled = token === 'Perplexity-User' && at > start + 9 * DAY
    const status = isWalled
      ? one([403, CHALLENGE, CHALLENGE])
      : late && GONE.includes(path)
        ? one([404, 404, 410])
        : one([200, 200, 200, 200, 304, 200, 200, 500, 429, 301])
    return {
      ...{ at, caller, path, status },
      line: {
        ...{ at: new Date(at).toISOString(), method: 'GET', host: one([domain, `www.${domain}`]) },
        // A query is of no interest to anybody.
        path: path === '/about' && next() < 0.5 ? '/about/' : path,
        ...(status === CHALLENGE ? { status: 403, challenged: true } : { status }),
        userAgent: token === '' ? PERSON : `Mozilla/5.0 (compatible; ${token}/1.0)`,
        ...{ address: caller[5], id: `request-${n}` },
      },
    }
  })
}

interface Visit {
  id: string
  at: number
  surface: 'chatgpt' | 'claude' | 'perplexity'
  landing: string
  order: { at: number; product: string; refundAt: number | null } | null
}
const HOSTS = { chatgpt: 'chatgpt.com', claude: 'claude.ai', perplexity: 'www.perplexity.ai' }

function visitsIn(start: number, days: number): Visit[] {
  const { next, below, one } = numbersFrom(days + 1)
  return Array.from({ length: 900 }, (_, n): Visit => {
    const at = start - 9 * DAY + below((days + 12) * DAY)
    const ordered = { at: at + below(20 * HOUR), product: one(PRODUCTS).product_id }
    const refundAt = next() < 0.1 ? ordered.at + below(5 * DAY) : null
    return {
      ...{ id: `visit-${n}-${at}`, at, surface: one(['chatgpt', 'claude', 'perplexity'] as const) },
      landing: one(PAGES),
      order: next() < 0.3 ? { ...ordered, refundAt } : null,
    }
  })
}

// --- What it comes to, counted otherwise ---------------------------------------------------------

const isRead = ({ status }: Request) => status === 304 || (status >= 200 && status < 300)
const isRefused = ({ status }: Request) => [401, 403, 429, CHALLENGE].includes(status)
const isMissing = ({ status }: Request) => status === 404 || status === 410
const isForPeople = ({ caller }: Request) => caller[3] === 'answer' || caller[3] === 'action'
const isPage = ({ path }: Request) => path !== IMAGE && path !== '/robots.txt'
const isProved = ({ caller }: Request) => caller[4] === 'verified'
const newestOf = (requests: readonly Request[]) =>
  requests.reduce((newest, each) => (each.at > newest.at ? each : newest))
const iso = (at: number) => new Date(at).toISOString()

/** The prices that audits saw: of the boot another one from the middle of the month on. */
function pricesOf(start: number, days: number) {
  return [2, 9, Math.floor(days / 2) + 1, days - 3].map((day, n) => ({
    at: start + day * DAY,
    price: (id: string) => (id === 'boot' && n >= 2 ? 8000 : 9000),
  }))
}

function priceAt(at: number, id: string, audits: ReturnType<typeof pricesOf>, now: number) {
  const current = audits.at(-1)?.price(id)
  const others = audits.filter(({ price }) => price(id) !== current)
  const since = audits.find((audit) => audit.at > (others.at(-1)?.at ?? 0))?.at ?? 0
  const whole = (ms: number) => Math.floor(ms / DAY)
  if (at >= since) return { price: 'current', days: whole(at - since) }
  const changed = others.at(-1)?.at
  if (changed !== undefined && at <= changed) return { price: 'earlier', days: whole(now - since) }
  return { price: 'unknown', days: null }
}

// --- The store -----------------------------------------------------------------------------------

const { ask, db, clock, signIn, ingest } = await testPages()

test.each([
  ['Europe/Berlin', '2026-10', 31],
  ['America/New_York', '2026-11', 30],
] as const)('every figure of a month in %s, %s with %i days', async (zone, month, length) => {
  const domain = `${month}.example`
  const [start, end] = [`${month}-01`, `${month}-${length}`]
  clock.now = new Date(`${shiftDay(end, 12)}T12:00:00Z`)
  const begins = Date.parse(`${start}T00:00Z`)
  const { id: property_id } = await createProperty(db, { domain, time_zone: zone }, clock.now)
  const audits = pricesOf(begins, length)
  for (const { at, price } of audits) {
    await saveAudit(
      db,
      cleanResult(domain, DEFAULT_CHECKS, new Date(at)),
      PRODUCTS.map((each) => ({ ...each, price: price(each.product_id), currency: 'USD' })),
    )
  }
  const visits = visitsIn(begins, length)
  for (const { id, at, surface, landing, order } of visits) {
    await ingest.record(
      visitEvent(
        {
          ...{ id, surface, referrer: `https://${HOSTS[surface]}/` },
          landing: `https://${domain}?=1&#${landing}`,
        },
        {
          ...{ domain, property_id, ts: new Date(at) },
          caller: { userAgent: null, signatureAgent: null },
        },
      ),
    )
    if (order === null) continue
    const send = (event: string, when: number, more: object) => ({
      ...{ event, domain, session_id: `order-${id}`, source: 'web', timestamp: iso(when) },
      properties: { product_id: order.product, visit_id: id, currency: 'USD', ...more },
    })
    const body = [
      send('ai_checkout_completed', order.at, { value: 9000 }),
      ...(order.refundAt === null
        ? []
        : [send('ai_order_refunded', order.refundAt, { refund_id: id, value: 9000 })]),
    ]
    expect((await ask('/api/report', { body })).status).toBe(200)
  }

  const requests = requestsIn(domain, begins, length)
  const { next } = numbersFrom(5)
  const arriving = [...requests, ...requests.slice(2000, 3500)]
    .map((request) => ({ request, place: next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ request }) => request)
  const taken: Record<string, number> = {}
  for (let at = 0; at < arriving.length; at += 1500) {
    const answer = await ask(`/api/fetches?domain=${domain}`, {
      body: arriving
        .slice(at, at + 1500)
        .map(({ line }) => JSON.stringify(line))
        .join('\n'),
      headers: { 'Content-Type': 'application/x-ndjson' },
    })
    expect(answer.status).toBe(202)
    for (const [name, value] of Object.entries(await answer.json())) {
      if (typeof value === 'number') taken[name] = (taken[name] ?? 0) + value
    }
  }

  const { compare, wrong, compared } = createComparison()
  const agents = requests.filter(({ caller }) => caller[4] !== 'person')
  const people = arriving.filter(({ caller }) => caller[4] === 'person').length
  compare('taken', taken, {
    ...{ lines: arriving.length, not_agents: people, stored: agents.length, wrong: 0, over: 0 },
    ...{ repeated: arriving.length - people - agents.length, other_host: 0, too_old: 0 },
  })

  const days = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  const isIn = (at: number) => days.format(at) >= start && days.format(at) <= end
  const own = agents.filter(({ at }) => isIn(at))
  const query = `domain=${domain}&start=${start}&end=${end}`
  const report = FetchReport.parse(await (await ask(`/api/fetches?${query}`)).json())

  const byAgent = Map.groupBy(own, ({ caller }) => `${caller[0]} ${caller[4]}`)
  const agentRows = new Map(report.agents.map((row) => [`${row.agent} ${row.verified}`, row]))
  compare('agents', agentRows.size, byAgent.size)
  for (const [name, its] of byAgent) {
    const [agent, operator, surface, purpose, verified] = its[0]!.caller
    compare(`agents ${name}`, agentRows.get(name), {
      ...{ agent, operator, surface, purpose, verified, fetches: its.length },
      ...{ read: its.filter(isRead).length, refused: its.filter(isRefused).length },
      missing: its.filter(isMissing).length,
      failed: its.filter(({ status }) => status >= 500).length,
      robots: its.filter(({ path }) => path === '/robots.txt').length,
      days: new Set(its.map(({ at }) => days.format(at))).size,
      last_at: iso(newestOf(its).at),
    })
  }

  const byDay = Map.groupBy(own, ({ at, caller }) => `${days.format(at)} ${caller[3]}`)
  const dayRows = new Map(
    report.days.map(({ day, purpose, fetches }) => [`${day} ${purpose}`, fetches]),
  )
  compare('days', dayRows.size, byDay.size)
  for (const [day, its] of byDay) compare(`days ${day}`, dayRows.get(day), its.length)

  const sessions = visits.filter(({ at }) => isIn(at))
  const orders = visits.filter(({ order }) => order !== null && isIn(order.at))
  for (const surface of ['chatgpt', 'claude', 'perplexity', 'devin']) {
    const ofIt = (each: Visit) => each.surface === surface
    compare(
      `surfaces ${surface}`,
      report.surfaces.find((row) => row.surface === surface),
      {
        answers: own.filter(
          (each) => each.caller[2] === surface && isForPeople(each) && isRead(each),
        ).length,
        sessions: sessions.filter(ofIt).length,
        orders: orders.filter(ofIt).length,
      },
    )
  }

  const read = Map.groupBy(
    own.filter((each) => isRead(each) && isPage(each)),
    ({ path }) => path,
  )
  const pages = [...read].map(([path, its]) => {
    const product = PRODUCTS.find((each) => each.path === path)
    const crawls = its.filter((each) => !isForPeople(each))
    const landed = (each: Visit) => each.landing === path
    return {
      ...{ path, name: product?.title ?? null, answers: its.filter(isForPeople).length },
      ...{ crawls: crawls.length, clicked: sessions.filter(landed).length },
      bought: orders.filter((each) =>
        product === undefined ? landed(each) : each.order?.product === product.product_id,
      ).length,
      product_ids: product === undefined ? [] : [product.product_id],
      seen: [...Map.groupBy(crawls, ({ caller }) => caller[1])]
        .map(([operator, those]) => ({ operator, at: newestOf(those).at }))
        .toSorted((a, b) => (a.operator < b.operator ? -1 : 1))
        .map(({ operator, at }) => ({
          ...{ operator, last_at: iso(at) },
          ...(product === undefined
            ? { price: 'unknown', days: null }
            : priceAt(at, product.product_id, audits, clock.now.getTime())),
        })),
    }
  })
  compare('pages', report.pages.length, pages.length)
  for (const page of pages) {
    const found = report.pages.find(({ path }) => path === page.path)
    compare(`pages ${page.path}`, found, page)
    compare(`pages ${page.path} seen`, found?.seen.length, page.seen.length)
  }

  const met = own.filter(
    (each) =>
      isProved(each) &&
      each.path !== IMAGE &&
      (isRefused(each) || each.status >= 500 || (isMissing(each) && isPage(each))),
  )
  const walls = Map.groupBy(met, ({ caller, path, status }) => `${caller[0]} ${path} ${status}`)
  const wallRows = new Map(
    report.walls.map((row) => [`${row.agent} ${row.path} ${row.status}`, row]),
  )
  compare('walls', wallRows.size, walls.size)
  for (const [wall, its] of walls) {
    compare(`walls ${wall}`, wallRows.get(wall), {
      ...{ fetches: its.length, last_at: iso(newestOf(its).at) },
    })
  }

  // The gaps, with the numbers that are their evidence.
  const asked = own.filter((each) => isProved(each) && isPage(each))
  const stopped = asked
    .filter(({ caller }) => caller[0] === 'Perplexity-User')
    .map((each, _, all) => ({
      ...each,
      stays: isRefused(newestOf(all.filter(({ path }) => path === each.path))),
    }))
  const out = stopped.filter(({ stays }) => stays)
  const [refused, challenged] = [
    out.filter((each) => isRefused(each) && each.status !== CHALLENGE).length,
    out.filter(({ status }) => status === CHALLENGE).length,
  ]
  // A refusal does not tell whether there is such a page.
  const tells = (each: Request) => !isRefused(each) && each.status < 500
  const gone = GONE.map((path) => asked.filter((each) => each.path === path)).filter((its) =>
    isMissing(newestOf(its.filter(tells))),
  )
  const missing = gone.flat().filter(isMissing).length
  const robots = own.filter(({ caller }) => caller[0] === 'PerplexityBot')
  const said = Object.fromEntries(report.gaps.map(({ id, detail }) => [id, detail]))
  const english = (count: number) => count.toLocaleString('en')
  compare('gaps', Object.keys(said).length, 4)
  for (const [id, words] of [
    ['agents_refused', `Perplexity-User ${refused} times of ${stopped.length}`],
    ['agents_challenged', `Perplexity-User ${english(challenged)} times of ${stopped.length}`],
    ['product_pages_dead', `${gone.length} of 3 product pages as gone, ${english(missing)} times`],
    ['robots_blocks_ai_agents', `PerplexityBot read robots.txt ${english(robots.length)} times`],
  ] as const) {
    compare(`gaps ${id}: ${said[id]}`, said[id]?.includes(words), true)
  }

  const csv = (await (await ask(`/api/fetches?${query}&format=csv`)).text()).split('\r\n')
  const cells = new Map(csv.slice(1).map((row) => [row.split(',')[0], row.split(',').slice(1)]))
  for (const { path, name, product_ids, answers, crawls, clicked, bought } of pages) {
    const figures = [answers, crawls, clicked, bought].map(String)
    compare(`csv ${path}`, cells.get(path), [name ?? '', product_ids.join(' '), ...figures])
  }

  const browser = await signIn({ domains: [domain] })
  const html = await (await browser.get(`/fetches?${query}`)).text()
  const numbersIn = (title: string, row: string) =>
    [
      ...(
        html
          .slice(html.indexOf(`>${title}<`))
          .split('<tr')
          .find((each) => each.includes(row)) ?? ''
      ).matchAll(/<td class="number">([^<]*)/g),
    ].map(([, text = '']) => text.replaceAll(/\D/g, ''))
  for (const { path, answers, clicked, bought } of pages) {
    const expected = [answers, clicked, bought].map(String)
    compare(`page ${path}`, numbersIn('Products and pages', `<code>${path}</code>`), expected)
  }
  for (const [name, its] of byAgent) {
    const [token = '', proof = ''] = name.split(' ')
    const row = html
      .slice(html.indexOf('>Agents<'))
      .split('<tr')
      .find((each) => each.includes(`>${token} (`) && each.includes(`>${proof}`))
    const found = [...(row ?? '').matchAll(/<td class="number">([^<]*)/g)]
    compare(`page ${name}`, found[0]?.[1]?.replaceAll(/\D/g, ''), String(its.length))
  }

  for (let week = 7; week <= length; week += 7) {
    const until = shiftDay(start, week)
    const between = (from: number, to: number) =>
      agents.filter(({ at }) => {
        const day = days.format(at)
        return day >= shiftDay(until, -from) && day < shiftDay(until, -to)
      })
    const answersOf = (these: Request[]) =>
      these.filter((each) => isForPeople(each) && isRead(each)).length
    const digest = await db.transaction((tx) => aiOfWeek(tx, domain, until))
    compare(`digest to ${until}`, digest, {
      ...{ answers: answersOf(between(7, 0)), answers_before: answersOf(between(14, 7)) },
      refused: between(7, 0).filter((each) => isProved(each) && isRefused(each)).length,
    })
  }

  process.stdout.write(`${domain}: ${compared()} figures, ${wrong.length} wrong\n`)
  expect(wrong.slice(0, 10)).toEqual([])
  expect(compared()).toBeGreaterThan(700)
})
