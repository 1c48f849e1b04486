import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'

/** How catalogs write the address of a page, by the name of the shop. */
const WRITTEN: Record<string, string> = {
  plain: 'https://plain.example/p/tent',
  followed: 'https://followed.example/p/tent?utm_source=ucp&utm_medium=agent',
  fragment: 'https://fragment.example/p/tent#red',
  insecure: 'http://insecure.example/p/tent',
  spaced: 'https://spaced.example/p/a tent',
  home: 'https://home.example/p/tent',
}

const PRODUCT = {
  ...{ id: 'tent', name: 'Tent for two', category: 'Tents', availability: 'in_stock' },
  description: 'A tent for two people, made of ripstop nylon, with poles of aluminium.',
  price: { amount: 19_900, currency: 'EUR' },
}

const MARKUP = {
  ...{ '@context': 'https://schema.org', '@type': 'Product', name: 'Tent for two' },
  offers: { '@type': 'Offer', price: '249.00', priceCurrency: 'EUR' },
}

const PAGE = `<script type="application/ld+json">${JSON.stringify(MARKUP)}</script>`

/** A shop of one product sells it on its home page, and names the product's page as the address. */
const ONE_PRODUCT = `<head>${PAGE}<link rel="canonical" href="/p/tent"></head>
  <body><h1>Tent for two</h1><p>249,00 €</p><button>Add to cart</button></body>`

const shops = new Hono()
  .get('/', (c) => c.html(c.req.header('host') === 'home.example' ? ONE_PRODUCT : '<h1>Tents</h1>'))
  .get('/ucp/products', (c) => {
    const [name = ''] = c.req.header('host')?.split('.') ?? []
    return c.json({ products: [{ ...PRODUCT, url: WRITTEN[name] }] })
  })
  .get('/p/:name', (c) => c.html(PAGE))

let fetcher: Fetcher

beforeAll(async () => {
  fetcher = await fetcherTo(shops, { clock: () => 0 })
})

test.each(Object.entries(WRITTEN))('%s: the page of %s has another price', async (name) => {
  const domain = `${name}.example`
  const { gaps, skipped } = await auditHere({ domain, checks: ['catalog'] }, { fetcher })
  expect(gaps.map(({ id }) => id)).toContain('catalog_page_price_mismatch')
  const compared = ['availability', 'currency', 'identifiers'].map(
    (about) => `catalog_page_${about}_mismatch`,
  )
  expect(skipped.map(({ id }) => id).filter((id) => compared.includes(id))).toEqual([])
})
