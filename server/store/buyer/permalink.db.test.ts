import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../../shared/testing/any-text.ts'
import { sessions } from '../db/tables.ts'
import { ARTICLES, offersOf, pagePath } from '../shop/assortment.ts'
import { testStore } from '../testing/store.ts'
import { safePath } from './permalink.ts'
import { readItems } from './permalink-items.ts'

const { ask, deps, bank } = await testStore({ official: true }, {})
const follow = (path: string, host?: string) => ask(`/permalink${path}`, host)
const encoded = (id: string) => `~${Buffer.from(id).toString('base64url')}`
/** The session that a link opened. */
const opened = async (path: string) => {
  const { status, headers } = await follow(path)
  const location = headers.get('location') ?? ''
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/checkout\/checkout_/)])
  const id = location.replace('/checkout/', '')
  return (await deps.db.select().from(sessions).where(eq(sessions.id, id)))[0]!
}

test('a link opens a checkout of its items, tells nobody of the link, and orders nothing', async () => {
  const session = await opened('/ao-1101:2,ao-1102:1')
  expect(session).toMatchObject({ protocol: 'ucp_official', host: 'shop.example', address: {} })
  expect(session.items.map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
    ['ao-1101', 2],
    ['ao-1102', 1],
  ])
  const { headers } = await follow('/ao-1101:1')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect((await ask(headers.get('location')!)).status).toBe(200)
  expect(bank.calls).toEqual([])
})

test('an id in base64url is the same id', async () => {
  expect((await opened(`/${encoded('ao-1101')}:3`)).items[0]).toMatchObject({
    product_id: 'ao-1101',
    quantity: 3,
  })
})

test('what the query says of the buyer is filled in; what is wrong or said twice is not', async () => {
  const query =
    'buyer/first_name=Ada&/buyer/last_name=Byron&context/postal_code=94105&context/address_country=US' +
    '&attribution/utm_source=chatgpt&status=completed&line_items/0/quantity=9'
  const session = await opened(`/ao-1101:1?${query}`)
  expect(session.address).toEqual({ name: 'Ada Byron', zip: '94105', country: 'US' })
  expect(session.attribution).toEqual({ ai_surface: 'chatgpt' })
  expect(session.items[0]?.quantity).toBe(1)
  expect(
    (await opened('/ao-1101:1?context/postal_code=x&context/address_country=US')).address,
  ).toEqual({
    country: 'US',
  })
  expect(
    (await opened('/ao-1101:1?context/address_country=US&/context/address_country=CA')).address,
  ).toEqual({})
  const card = await opened('/ao-1101:1?buyer/first_name=4242424242424242')
  expect(card.address).toEqual({})
})

test.each(['DE', 'DEU', 'deu', 'Germany', ' Germany '])(
  'the country may be written as %j, as over UCP',
  async (country) => {
    const query = `context/address_country=${encodeURIComponent(country)}&context/postal_code=50667`
    const session = await opened(`/ao-1101:1?${query}`)
    expect(session).toMatchObject({ address: { country: 'DE', zip: '50667' }, tax: 0 })
  },
)

describe('a link that cannot be opened leads to a page that says so', () => {
  test.each([
    ['/nothing:1', 'unknown'],
    ['/ao-1101:100', 'too_many_items'],
    ['/ao-1101:0', 'unreadable'],
    ['/ao-1101:01', 'unreadable'],
    ['/ao-1101', 'unreadable'],
    ['/ao-1101:1,', 'unreadable'],
    ['/ao%2D1101%3A:1', 'unreadable'],
    ['/~YR:1', 'unreadable'],
    ['/~gA:1', 'unreadable'],
    ['/~AA:1', 'unreadable'],
    [`/${'ao-1101:1,'.repeat(101)}ao-1101:1`, 'too_many_items'],
  ])('%s', async (path, why) => {
    const { status, headers } = await follow(path)
    expect([status, headers.get('location')]).toEqual([303, `/permalink?sorry=${why}`])
    const page = await ask(headers.get('location')!)
    expect(page.status).toBe(404)
    expect(page.body).toContain('This link could not be opened')
  })

  test('or to where the buyer can choose', async () => {
    const article = ARTICLES.find(({ variants }) => variants.length > 0)!
    const { headers } = await follow(
      `/${article.id}:2?/context/address_country=DE&buyer/first_name=Ada&attribution/utm_source=chatgpt`,
    )
    const place = headers.get('location')!
    expect(place).toMatch(new RegExp(`^${pagePath(article)}\\?quantity=2&context`))
    expect(place).not.toContain('Ada')
    const { body } = await ask(place)
    expect(body).toContain('Please choose which one you want.')
    const [link] = orderLinks(body)
    expect(await opened(link!.replace('/permalink', ''))).toMatchObject({
      items: [{ product_id: article.id, variant_id: article.variants[0]!.id, quantity: 2 }],
      address: { country: 'DE' },
      attribution: { ai_surface: 'chatgpt' },
    })
    const variant = article.variants.at(-1)!
    expect((await opened(`/${variant.id}:1`)).items[0]).toMatchObject({
      product_id: article.id,
      variant_id: variant.id,
    })
  })

  test('or to where it says', async () => {
    const { headers } = await follow('/nothing:1?continue_to=/products/ao-1101%3Fa%3Db')
    expect(headers.get('location')).toBe('/products/ao-1101?a=b')
    expect((await follow('?continue_to=/policies')).headers.get('location')).toBe('/policies')
    expect((await follow('')).headers.get('location')).toBe('/')
    expect((await follow('?sorry=__proto__')).headers.get('location')).toBe('/')
  })
})

/** The links of a page that open checkouts. */
const orderLinks = (body: string): string[] =>
  [...body.matchAll(/<a href="(\/permalink\/[^"]*)" rel="nofollow"/g)].map(([, path = '']) =>
    path.replaceAll('&amp;', '&'),
  )

test('each product page leads to a checkout of all that can be ordered', async () => {
  for (const article of ARTICLES) {
    const { body } = await ask(pagePath(article))
    const ids = offersOf(article)
      .filter(({ availability }) => availability !== 'out_of_stock')
      .map(({ id }) => id)
    const items = orderLinks(body).map((path) => readItems(path.replace('/permalink/', '')))
    expect(items).toEqual(ids.map((id) => [{ id, quantity: 1 }]))
    expect(body).not.toContain('Please choose')
    expect(body).not.toContain('<p></p>')
  }
})

test.each(['0', '1.5', 'x', '"><b>'])(
  'a quantity of %j on a product page is 1',
  async (quantity) => {
    const { body } = await ask(`/products/ao-1101?quantity=${encodeURIComponent(quantity)}`)
    expect(orderLinks(body)).toEqual(['/permalink/ao-1101:1'])
  },
)

test('robots.txt keeps crawlers from opening checkouts', async () => {
  expect((await ask('/robots.txt')).body).toContain('\nAllow: /\nDisallow: /permalink/\n')
})

test.each([
  ['/a/../b?c=d', '/b?c=d'],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['https://evil.example', null],
  ['/a//evil.example', '/a//evil.example'],
  ['/./\u002f/evil.example', null],
  ['/x\r\nset-cookie: a=b', null],
  ['/x y', null],
  ['javascript:alert(1)', null],
  [undefined, null],
])('continue_to=%j leads to %j', (text, path) => {
  expect(safePath(text, 'https://shop.example')).toBe(path)
})

test('a shop that does not speak official UCP has no permalinks', async () => {
  const { ask } = await testStore()
  expect((await ask('/permalink/ao-1101:1')).status).toBe(404)
  expect((await ask('/products/ao-1101')).body).not.toContain('/permalink')
})

test('checkouts of one network are counted', async () => {
  const { ask } = await testStore({ official: true }, { quota: { requests: 1, seconds: 60 } })
  expect((await ask('/permalink/ao-1101:1')).headers.get('location')).toMatch(/^\/checkout\//)
  const { headers } = await ask('/permalink/ao-1101:1')
  expect(headers.get('location')).toBe('/permalink?sorry=too_often')
})

test('whatever stands in a link, it is answered and never throws', async () => {
  fc.assert(fc.property(anyText(), (text) => void readItems(text)))
  await fc.assert(
    fc.asyncProperty(anyText(), anyText(), async (items, query) => {
      const path = `/${encodeURIComponent(items.toWellFormed())}:1?a=${encodeURIComponent(query.toWellFormed())}`
      expect((await follow(path)).status).toBeLessThan(500)
    }),
    { numRuns: 30 },
  )
})
