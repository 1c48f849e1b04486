import { beforeAll, expect, test } from 'vitest'
import { THEMES, type Theme, type Thing } from '../../shared/markup/testing/themes.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'

// Whole shops in the manner of the platforms' themes: which pages an audit takes for products.

interface Shop {
  /** Path and query → HTML. */
  pages: Map<string, string>
  /** Paths and queries of its products. */
  products: string[]
  robots?: string
  sitemap?: string
}

const TEXT = `<p>${'Of steel, with a handle of ash. '.repeat(14)}</p>`

const thing = (url: string, id: number): Thing => ({
  ...{ id, url, name: `Kessel Erle ${id}` },
  ...{ price: `${id + 20},90 €`, buy: 'In den Warenkorb' },
})

const markupOf = ({ name, url, id }: Thing, host: string) =>
  `<script type="application/ld+json">${JSON.stringify({
    ...{ '@context': 'https://schema.org', '@type': 'Product', name, url: host + url },
    ...{ description: `${name}, of steel.`, image: `${host}/i/${id}.jpg`, sku: `K-${id}` },
    brand: { '@type': 'Brand', name: 'Erle' },
    offers: {
      ...{ '@type': 'Offer', price: `${id + 20}.90`, priceCurrency: 'EUR', url: host + url },
      availability: 'https://schema.org/InStock',
      shippingDetails: {
        '@type': 'OfferShippingDetails',
        shippingRate: { '@type': 'MonetaryAmount', value: 4, currency: 'EUR' },
        shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'DE' },
      },
      hasMerchantReturnPolicy: {
        '@type': 'MerchantReturnPolicy',
        returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
        ...{ merchantReturnDays: 30, applicableCountry: 'DE' },
      },
    },
  })}</script>`

const page = (title: string, body: string, links: readonly string[], head = '') =>
  `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>${title} | Erle</title>${head}</head><body><header><a href="/">Erle</a> ${links.map((url) => `<a href="${url.replaceAll('&', '&amp;')}">Kessel</a>`).join(' ')}</header><main>${body}</main></body></html>`

/** Categories with these numbers of products, whose pages have good markup. */
function shopOfCategories(host: string, theme: Theme, counts: readonly number[]): Shop {
  const categories = counts.map((_, n) => `/kessel-${'abcd'[n]}.html`)
  const things = Array.from({ length: counts.reduce((sum, each) => sum + each, 0) }, (_, n) =>
    thing(theme.address(n + 1), n + 1),
  )
  const pages = new Map<string, string>()
  for (const each of things) {
    const html = page(each.name, theme.product(each), categories, markupOf(each, host))
    pages.set(each.url, html)
  }
  let from = 0
  for (const [n, count] of counts.entries()) {
    const cards = things.slice(from, from + count).map((each) => theme.card(each, ''))
    pages.set(
      categories[n] ?? '',
      page('Kessel', `<h1>Kessel</h1><p>Of steel.</p>${theme.list(cards.join(''))}`, categories),
    )
    from += count
  }
  pages.set('/', page('Erle', '<p>Willkommen.</p>', categories))
  return { pages, products: things.map(({ url }) => url) }
}

/** Eight products without markup, each with others below it. */
function shopOfRelated(theme: Theme, address: (id: number) => string, related: number): Shop {
  const things = Array.from({ length: 8 }, (_, n) => thing(address(n + 1), n + 1))
  const urls = things.map(({ url }) => url)
  const pages = new Map([['/', page('Erle', '<p>Willkommen.</p>', urls)]])
  for (const each of things) {
    const others = things.filter((other) => other !== each).slice(0, related)
    const below = theme.list(others.map((other) => theme.card(other, '')).join(''))
    const body = `${theme.product(each)}${TEXT}<h2>Das passt dazu</h2>${related > 0 ? below : ''}`
    pages.set(each.url, page(each.name, body, ['/']))
  }
  return { pages, products: urls }
}

const SHOPS = new Map<string, Shop>()
let fetcher: Fetcher
const asked = new Map<string, string[]>()

beforeAll(async () => {
  const front = {
    fetch(request: Request) {
      const { pathname, search } = new URL(request.url)
      const name = request.headers.get('host')?.split('.')[0] ?? ''
      const path = pathname + search
      asked.set(name, [...(asked.get(name) ?? []), path])
      const shop = SHOPS.get(name)
      const html = shop?.pages.get(path)
      if (html !== undefined) {
        return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      }
      if (path === '/robots.txt' && shop?.robots !== undefined) return new Response(shop.robots)
      const sitemap = shop?.sitemap ?? '/sitemap.xml'
      if (path !== sitemap || shop === undefined) return new Response('', { status: 404 })
      const locations = [...shop.pages.keys()].map(
        (each) => `<url><loc>https://${name}.example${each.replaceAll('&', '&amp;')}</loc></url>`,
      )
      return new Response(`<urlset>${locations.join('')}</urlset>`)
    },
  }
  fetcher = await fetcherTo(front, { clock: () => 0 })
})

async function auditOf(name: string, shop: Shop) {
  SHOPS.set(name, shop)
  const result = await auditHere({ domain: `${name}.example`, checks: ['schema'] }, { fetcher })
  const judged = (result.product_pages ?? []).map(({ url }) => {
    const { pathname, search } = new URL(url)
    return pathname + search
  })
  const requests = asked.get(name) ?? []
  return {
    ...{ score: result.score, gaps: result.gaps.map(({ id }) => id) },
    /** Pages that are no products, and pages that were read twice. */
    wrong: judged.filter((path) => !shop.products.includes(path)),
    twice: requests.filter((path, index) => requests.indexOf(path) !== index),
    judged: judged.length,
  }
}

const NOTHING_WRONG = { wrong: [], twice: [] }

test.each(
  THEMES.flatMap((theme, n) =>
    [
      [8, 3, 1, 12],
      [2, 2, 3, 2],
    ].map((counts) => [theme.platform, counts, theme, n] as const),
  ),
)('%s, categories of %j products: products alone are judged', async (_, counts, theme, n) => {
  const name = `categories-${n}-${counts[0]}`
  const shop = shopOfCategories(`https://${name}.example`, theme, counts)
  expect(await auditOf(name, shop)).toEqual({
    ...{ ...NOTHING_WRONG, score: 100, gaps: [] },
    judged: expect.toSatisfy((judged: number) => judged >= 3),
  })
})

const FORMS = [
  (id: number) => `/kessel-modell-${id}`,
  (id: number) => `/kessel-modell-${id}.html`,
  (id: number) => `/produkt/kessel-modell-${id}`,
]

test.each(
  THEMES.filter(({ one_button }) => one_button !== true).flatMap((theme, n) =>
    FORMS.map(
      (form, f) => [theme.platform, form(1), [0, 1, 3, 4, 6, 7][(n + f) % 6], theme, form] as const,
    ),
  ),
)(
  '%s, %s with %i others below: that markup is missing is said',
  async (_, path, related, theme, form) => {
    const name = `related-${THEMES.indexOf(theme)}-${FORMS.indexOf(form)}`
    const { score: _score, ...seen } = await auditOf(name, shopOfRelated(theme, form, related ?? 0))
    expect([path, seen]).toEqual([
      path,
      { ...NOTHING_WRONG, gaps: ['product_schema_missing'], judged: 5 },
    ])
  },
)

test('a sitemap is read where a blank stands before the colon', async () => {
  const [theme] = THEMES
  if (theme === undefined) throw new Error('no theme')
  const shop = shopOfRelated(theme, (id) => `/kessel-modell-${id}`, 0)
  shop.pages.set('/', page('Erle', '<p>Willkommen.</p>', []))
  shop.robots = 'user-agent:*\nDisallow:\nSITEMAP : https://blank.example/s/index.xml'
  shop.sitemap = '/s/index.xml'
  expect(await auditOf('blank', shop)).toMatchObject({ judged: 4, wrong: [] })
})
