import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { PageSeen } from '../../../../shared/audit/evidence.ts'
import type { Fetched } from '../../../../shared/web/http/fetched.ts'
import { answerFrom } from '../../../../shared/web/testing/answer-from.ts'
import type { SealedPage } from '../../judging/sealed-page.ts'
import { TASKS } from '../../judging/tasks.ts'
import { JUDGES_HERE } from '../../judging/testing/judges-here.ts'
import { type AuditSession, createHold } from '../session.ts'
import { type FeedLimits, probeFeed } from './feed.ts'

const ORIGIN = 'https://shop.example'
const FEED =
  '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id></item></channel></rss>'
const BLOG = '<rss><channel><item><title>News</title></item></channel></rss>'
const SHOPIFY = '{"products":[{"handle":"t","variants":[{"id":1,"price":"5.00"}]}]}'
const WOO = '[{"id":1,"prices":{"price":"500","currency_code":"EUR","currency_minor_unit":2}}]'

type Site = Record<string, string | number | 'timeout'>

/** A machine that is never busy. */
const CLOCK: Pick<
  AuditSession,
  'after' | 'waited' | 'starved' | 'signedAs' | 'stopSigning' | 'readsChoices'
> = {
  starved: () => null,
  signedAs: () => null,
  stopSigning: () => {},
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  waited: () => performance.now(),
  readsChoices: false,
}

/** Answers from a table of addresses; what is not in it is 404. */
function fakeSession(site: Site, cutAt = Number.POSITIVE_INFINITY) {
  const asked: string[] = []
  const session: AuditSession = {
    ...CLOCK,
    agentBase: ORIGIN,
    async request({ url, read }) {
      asked.push(url.replace(ORIGIN, ''))
      const found = site[url.replace(ORIGIN, '')] ?? 404
      const base = { method: 'GET', url, ms: 1 }
      if (found === 'timeout')
        return { kind: 'no_answer', why: 'timeout', message: 'late', ...base }
      const body = typeof found === 'string' ? found : 'error'
      const more = (await read?.(Buffer.from(body.slice(0, cutAt)), {})) ?? true
      const truncated = !more || body.length > cutAt
      const status = typeof found === 'string' ? 200 : found
      return { ...base, ...answered(url, ''), status, truncated }
    },
    run: JUDGES_HERE.run,
    hold: createHold(),
  }
  return { session, asked }
}

const answered = (url: string, body: string): Extract<Fetched, { kind: 'answer' }> =>
  answerFrom(url, { body })

function siteOf(html: string, robots = '') {
  const bytes = new TextEncoder().encode(html)
  const body = { status: 200, bytes, contentType: 'text/html', truncated: false, url: `${ORIGIN}/` }
  const { page, platform } = TASKS.page(body)
  const homePage: PageSeen<SealedPage> = {
    fetched: answered(`${ORIGIN}/`, html),
    page,
    ...(platform !== null && { platform }),
  }
  return {
    domain: 'shop.example',
    origin: ORIGIN,
    homePage,
    robots: answered(`${ORIGIN}/robots.txt`, robots),
  }
}

async function probe(site: Site, html = '', robots = '', cutAt?: number) {
  const { session, asked } = fakeSession(site, cutAt)
  const feed = await probeFeed(session, siteOf(html, robots))
  expect(feed.tried.map((url) => url.replace(ORIGIN, ''))).toEqual(asked)
  expect(asked.length).toBeLessThanOrEqual(4)
  return { feed, asked }
}

const link = (href: string, type = 'application/rss+xml') =>
  `<link rel="alternate" type="${type}" href="${href}">`
const USUAL = [
  '/merchant_feed/google.xml',
  '/feed/google.xml',
  '/google-shopping.xml',
  '/product-feed.xml',
]

describe('where a feed is found, and how many requests it takes', () => {
  test.each([
    ['a link', { '/feeds/google.xml': FEED }, link('/feeds/google.xml'), '', ['/feeds/google.xml']],
    [
      'the link that is named after products first',
      { '/products.tsv': 'id\ttitle\n1\ta\n' },
      link('/feed') + link('/products.tsv', 'text/tab-separated-values; charset=utf-8'),
      '',
      ['/products.tsv'],
    ],
    [
      'a link to another host',
      { 'https://cdn.other.example/f.xml': FEED },
      link('https://cdn.other.example/f.xml'),
      '',
      ['https://cdn.other.example/f.xml'],
    ],
    [
      'robots.txt, past an ordinary feed',
      { '/feed': BLOG, '/merchant.xml': FEED },
      link('/feed') + link('/blog/feed') + link('/comments/feed'),
      `User-agent: *\nSitemap: ${ORIGIN}/sitemap.xml\nSITEMAP : ${ORIGIN}/merchant.xml\n`,
      ['/feed', '/merchant.xml'],
    ],
    [
      'Shopify',
      { '/products.json?limit=10': SHOPIFY },
      '<script src="https://cdn.shopify.com/s/a.js"></script>',
      '',
      ['/products.json?limit=10'],
    ],
    [
      'WooCommerce',
      { '/wp-json/wc/store/v1/products?per_page=10': WOO },
      '<link rel="stylesheet" href="/wp-content/plugins/woocommerce/a.css">',
      '',
      ['/wp-json/wc/store/v1/products?per_page=10'],
    ],
    ['a usual path', { '/google-shopping.xml': FEED }, '', '', USUAL],
  ] as [string, Site, string, string, string[]][])('%s', async (_, site, html, robots, path) => {
    const { feed, asked } = await probe(site, html, robots)
    expect(asked).toEqual(path)
    expect(feed).toMatchObject({ problem: null, items: [{ row: 1, id: '1' }] })
    expect(feed.kind).not.toBeNull()
  })

  test('four requests at most, two of each source, none twice', async () => {
    const links = ['/a-products', '/a-products', '/b-products', '/c-products']
    const sitemaps = ['/feed/google.xml', '/feed-2', '/feed-3']
    const { feed, asked } = await probe(
      {},
      `${links.map((href) => link(href)).join('')}<script>Shopify.theme = {}</script>`,
      sitemaps.map((path) => `Sitemap: ${ORIGIN}${path}\n`).join(''),
    )
    expect(asked).toEqual(['/a-products', '/b-products', '/feed/google.xml', '/feed-2'])
    expect(feed).toMatchObject({ url: null, kind: null, items: [] })
  })

  test('addresses that are none are left alone', async () => {
    const { asked } = await probe(
      {},
      link('data:text/csv,id') + link('javascript:google()'),
      'Sitemap: feed',
    )
    expect(asked).toEqual(USUAL)
  })
})

describe('what is told of a search without result', () => {
  test.each([
    ['404', {}, { kind: 'answer', status: 404 }],
    ['a page', { '/feed/google.xml': '<html>' }, { kind: 'answer', status: 404 }],
    ['403', { '/product-feed.xml': 403 }, { kind: 'answer', status: 403 }],
    ['a time-out', { '/feed/google.xml': 'timeout' }, { kind: 'no_answer', why: 'timeout' }],
  ] as [string, Site, object][])('%s', async (_, site, fetched) => {
    const { feed } = await probe(site)
    expect(feed).toMatchObject({ url: null, kind: null, items: [], problem: null, fetched })
  })

  test('an error page that looks like a feed is none', async () => {
    const { session } = fakeSession({})
    const seen = await probeFeed(
      {
        ...session,
        request: async ({ url, read }) => {
          await read?.(Buffer.from(FEED), {})
          return { ...answered(url, ''), status: 404 }
        },
      },
      siteOf(link('/feeds/google.xml')),
    )
    expect(seen.kind).toBeNull()
  })
})

test('a broken feed is a feed', async () => {
  const { feed } = await probe({ '/google.xml': FEED.slice(0, -8) }, link('/google.xml'))
  expect(feed).toMatchObject({
    url: `${ORIGIN}/google.xml`,
    kind: 'rss',
    items: [{ id: '1' }],
    problem: expect.stringMatching('unclosed tag'),
  })
})

test('where our limit ends the reading, the feed is not to blame', async () => {
  const { feed } = await probe({ '/google.xml': FEED }, link('/google.xml'), '', FEED.length - 8)
  expect(feed).toMatchObject({ kind: 'rss', items: [{ id: '1' }], problem: null })
})

describe('a feed that is long', () => {
  const ROWS = 6_000
  const rows = Array.from(
    { length: ROWS },
    (_, n) => `<item><g:id>T-${n}</g:id><g:title>Zelt für ${n} Personen</g:title></item>\n`,
  )
  const LONG = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${rows.join('')}</channel></rss>`
  const path = '/google.xml'

  /** Sends bytes in packets, as a connection does, and notes how much was held at a time. */
  async function probeBytes(
    bytes: Uint8Array,
    { limits, headers = {}, breaksOff = false }: Partial<Served> = {},
  ) {
    let most = 0
    const session: AuditSession = {
      ...CLOCK,
      agentBase: ORIGIN,
      async request({ url, read }) {
        for (let at = 0; at < bytes.length; at += PACKET) {
          const more = await read?.(bytes.subarray(at, at + PACKET), headers)
          if (more === false) return { ...answered(url, ''), truncated: true }
        }
        const late = { why: 'timeout' as const, message: 'late', ms: 1, method: 'GET' }
        return breaksOff ? { kind: 'no_answer', url, ...late } : answered(url, '')
      },
      run: (task, input) => {
        if ('text' in input) most = Math.max(most, input.text.length)
        return JUDGES_HERE.run(task, input)
      },
      hold: createHold(),
    }
    const feed = await probeFeed(session, siteOf(link(path)), limits)
    return { feed, most }
  }
  interface Served {
    limits: FeedLimits
    headers: Record<string, string>
    /** The connection ends before the answer does. */
    breaksOff: boolean
  }
  const PACKET = 16_384

  test('is read to its end, a part at a time', async () => {
    const { feed, most } = await probeBytes(Buffer.from(LONG))
    expect(feed).toMatchObject({ kind: 'rss', problem: null, cut: null, tally: { rows: ROWS } })
    expect(feed.items).toHaveLength(200)
    expect(most).toBeLessThan(256 * 1024)
    expect(LONG.length).toBeGreaterThan(256 * 1024)
  })

  test('may be compressed, whatever its type says', async () => {
    const { feed } = await probeBytes(gzipSync(LONG), { headers: { 'content-type': 'text/plain' } })
    expect(feed).toMatchObject({ kind: 'rss', problem: null, cut: null, tally: { rows: ROWS } })
  })

  test.each([
    [
      'is not compressed at all behind its first bytes',
      Buffer.from([0x1f, 0x8b, 1, 2, 3]),
      null,
      null,
    ],
    ['is cut within its compression', gzipSync(LONG).subarray(0, 40_000), 'rss', null],
    [
      'expands more than a hundred times',
      gzipSync(
        `${LONG.slice(0, LONG.indexOf('<item>'))}${'<item><g:id>T</g:id></item>'.repeat(80_000)}`,
      ),
      'rss',
      'its compression',
    ],
  ])('%s', async (_, bytes, kind, cut) => {
    const { feed } = await probeBytes(bytes)
    expect(feed).toMatchObject({ kind, cut })
  })

  test('may be in another encoding, its characters split between two packets', async () => {
    const [type, bytes] = ['text/xml; charset=utf-16le', Buffer.from(LONG, 'utf16le')]
    const { feed } = await probeBytes(bytes, { headers: { 'content-type': type } })
    expect(feed.items[199]?.title).toBe('Zelt für 199 Personen')
    expect(feed.tally.rows).toBe(ROWS)
    const german = await probeBytes(Buffer.from(LONG))
    expect(german.feed.tally.faults).toEqual(feed.tally.faults)
  })

  test.each<[string, Partial<Served>, string]>([
    ['its size', { limits: { ms: 60_000, bytes: 300_000 } }, 'its size'],
    ['the time it takes', { limits: { ms: -1, bytes: 9e6 } }, 'the time it takes'],
    ['a connection that ends', { breaksOff: true }, 'the time it takes'],
  ])('is judged as far as it was read: %s', async (_, served, cut) => {
    const { feed } = await probeBytes(Buffer.from(LONG), served)
    expect(feed).toMatchObject({ kind: 'rss', problem: null, cut })
    expect(feed.tally.rows).toBeGreaterThan(100)
    expect(feed.tally.faults).toContainEqual(expect.objectContaining({ kind: 'missing' }))
  })
})
