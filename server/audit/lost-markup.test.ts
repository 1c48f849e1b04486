import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { compareAudits, comparedOf } from '../../shared/audit/result/compare.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'

const PATHS = ['/mug', '/bowl', '/plate']
const markupOf = (path: string) =>
  `<script type="application/ld+json">${JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: path.slice(1),
    offers: {
      '@type': 'Offer',
      price: '9.00',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    },
  })}</script>`

let state: 'whole' | 'without markup' | 'gone' = 'whole'
const shop = new Hono()
shop.get('/', (c) =>
  c.html(`<h1>Pots</h1>${PATHS.map((path) => `<a href="${path}">${path}</a>`).join(' ')}`),
)
// Nothing but the markup shows that a page is a product's.
for (const path of PATHS) {
  shop.get(path, (c) =>
    state === 'gone'
      ? c.notFound()
      : c.html(`<head>${state === 'whole' ? markupOf(path) : ''}</head><p>Fired twice.</p>`),
  )
}
const fetcher = await fetcherTo(shop, { clock: () => 0 })

const audit = (known: readonly string[] = []) =>
  auditHere({ domain: 'pots.example', checks: ['schema', 'entity'], known }, { fetcher })

test('markup that is taken away is a gap of the pages that had it, and a fall', async () => {
  state = 'whole'
  const before = await audit()
  const known = before.product_pages.map(({ url }) => url)
  expect(known.length).toBeGreaterThan(1)
  expect((await audit(known)).gaps).toEqual(before.gaps)

  state = 'without markup'
  const after = await audit(known)
  expect(after.product_pages.map(({ found_by }) => found_by)).toContain('earlier_audit')
  const compared = compareAudits(comparedOf(before), comparedOf(after))
  expect(compared.new.map(({ id }) => id)).toEqual(['product_schema_missing'])
  expect(compared.change).toBeLessThan(0)

  // Products go: pages that are gone show nothing.
  state = 'gone'
  const gone = await audit(known)
  expect(gone.gaps.map(({ id }) => id)).not.toContain('product_schema_missing')
  const unseen = compareAudits(comparedOf(before), comparedOf(gone))
  expect([unseen.new, unseen.fixed]).toEqual([[], []])
  expect(unseen.change ?? 0).toBe(0)
})
