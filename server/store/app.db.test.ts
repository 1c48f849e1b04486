import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { CatalogPage, formatMoney, toMajor } from '../../shared/commerce/product.ts'
import { inspectManifest } from '../../shared/manifest/inspect.ts'
import { AcpDiscovery } from '../../shared/protocols/acp/discovery.ts'
import { UcpError } from '../../shared/protocols/spec/ucp.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { createStore } from './app.ts'
import { ARTICLES, offersOf } from './shop/assortment.ts'
import { jsonLdText } from './shop/pages/frame.ts'
import { testDeps, testStore } from './testing/store.ts'

const { ask, send } = await testStore()

const jsonLd = (html: string): Record<string, unknown>[] =>
  [...html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(([, text]) =>
    JSON.parse(text ?? ''),
  )

/** The text of every element by its path, as a strict parser reads it. */
function readXml(text: string): { path: string; text: string }[] {
  const read: { path: string; text: string }[] = []
  const path: string[] = []
  const parser = new SaxesParser()
  let last = ''
  parser.on('opentag', ({ name }) => {
    path.push(name)
    last = ''
  })
  parser.on('text', (chunk) => {
    last += chunk
  })
  parser.on('closetag', () => {
    read.push({ path: path.join('/'), text: last })
    path.pop()
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
  return read
}

test('the manifest is valid, stable and cacheable', async () => {
  const { status, headers, body } = await ask('/.well-known/ucp')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  const manifest = JSON.parse(body)
  expect(inspectManifest(manifest, 'shop.example').errors).toEqual([])
  expect(manifest).not.toHaveProperty('generated_at')
  expect(manifest.capabilities.checkout.endpoint).toBe('https://shop.example/ucp/checkout')
  expect(Object.keys(manifest.capabilities)).toEqual([
    'product_catalog',
    'checkout',
    'shipping',
    'orders',
  ])
})

test('following next reaches 120 products, each once', async () => {
  const ids: string[] = []
  let path: string | null = '/ucp/products'
  while (path !== null) {
    const { body } = await ask(path)
    const { products, pagination } = CatalogPage.parse(JSON.parse(body))
    ids.push(...products.map(({ id }) => id))
    expect(pagination).toMatchObject({ per_page: 100, total: 120 })
    const next: string | null = pagination?.next ?? null
    expect(next ?? 'https://shop.example').toMatch(/^https:\/\/shop\.example/)
    path = next?.slice('https://shop.example'.length) ?? null
  }
  expect(new Set(ids).size).toBe(120)
  expect(ids).toHaveLength(120)
})

test('every product page states what the catalog says', async () => {
  for (const article of ARTICLES) {
    const { status, body } = await ask(`/products/${article.id}`)
    expect(status).toBe(200)
    const [product, breadcrumbs] = jsonLd(body)
    expect(breadcrumbs).toMatchObject({ '@type': 'BreadcrumbList' })
    expect(product).toMatchObject({
      name: article.name,
      description: article.description,
      brand: { '@type': 'Brand', name: article.brand },
      image: [`https://shop.example/images/${article.id}.svg`],
    })
    const sold = [product?.hasVariant ?? product].flat()
    expect(sold).toMatchObject(
      offersOf(article).map(({ sku, gtin, price }) => ({
        '@type': 'Product',
        sku,
        gtin13: gtin,
        offers: {
          '@type': 'Offer',
          price: toMajor(price),
          priceCurrency: price.currency,
          availability: expect.stringMatching(/^https:\/\/schema\.org\/\w+$/),
          hasMerchantReturnPolicy: { merchantReturnDays: 30 },
          shippingDetails: { shippingDestination: { addressCountry: 'US' } },
        },
      })),
    )
    expect((await ask(`/images/${article.id}.svg`)).status).toBe(200)
  }
})

test('the home page names the shop, its feed, its snippet and all products', async () => {
  const { headers, body } = await ask('/')
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toContain(
    "script-src 'self' https://aisle.example",
  )
  expect(body).toMatch(/<title>[^<]* \| Aisle Outfitters<\/title>/)
  expect(body).toContain('<meta property="og:site_name" content="Aisle Outfitters">')
  expect(body).toMatch(
    /<link rel="alternate" type="application\/rss\+xml" [^>]*href="\/feeds\/google\.xml">/,
  )
  const [head = ''] = body.split('</head>')
  expect(
    head.match(/<script async src="https:\/\/aisle\.example\/attribution\.js\?id=[^"]+">/g),
  ).toHaveLength(1)
  expect(jsonLd(body)).toMatchObject([
    { '@type': 'WebSite', name: 'Aisle Outfitters', url: 'https://shop.example/' },
    {
      '@type': 'OnlineStore',
      name: 'Aisle Outfitters',
      url: 'https://shop.example/',
      logo: 'https://shop.example/images/logo.svg',
      sameAs: [expect.stringMatching(/^https:/), expect.stringMatching(/^https:/)],
      contactPoint: { email: 'service@shop.example' },
      hasMerchantReturnPolicy: { merchantReturnDays: 30 },
    },
  ])
  for (const { id } of ARTICLES) expect(body).toContain(`href="/products/${id}"`)
})

test('the feed lists everything that can be bought, once, at the price of the page', async () => {
  const { headers, body } = await ask('/feeds/google.xml')
  expect(headers.get('content-type')).toBe('application/xml; charset=utf-8')
  const elements = readXml(body)
  const all = (name: string) =>
    elements.flatMap(({ path, text }) => (path === `rss/channel/item/${name}` ? [text] : []))
  const offers = ARTICLES.flatMap(offersOf)
  expect(new Set(all('g:id')).size).toBe(offers.length)
  expect(all('g:price')).toEqual(offers.map(({ price }) => formatMoney(price)))
  expect(all('g:gtin')).toEqual(offers.map(({ gtin }) => gtin))
  for (const name of ['title', 'description', 'link', 'g:image_link', 'g:availability']) {
    expect(all(name).filter((text) => text !== '')).toHaveLength(offers.length)
  }
  expect(all('title')).toContain('Polaris 0 Sleeping Bag, Long')
  expect(new Set(all('g:availability_date'))).toEqual(new Set(['2026-07-01']))
})

test('robots.txt allows everyone and leads to a sitemap of all pages', async () => {
  const { body } = await ask('/robots.txt')
  expect(body).toBe('User-agent: *\nAllow: /\n\nSitemap: https://shop.example/sitemap.xml\n')
  const locations = readXml((await ask('/sitemap.xml')).body).filter(({ path }) =>
    path.endsWith('/loc'),
  )
  expect(locations).toHaveLength(121)
  expect(locations.at(-1)?.text).toMatch(/^https:\/\/shop\.example\/products\//)
})

test('the ACP discovery document is valid', async () => {
  const { headers, body } = await ask('/.well-known/acp.json')
  expect(headers.get('content-type')).toBe('application/json')
  expect(AcpDiscovery.parse(JSON.parse(body)).api_base_url).toBe('https://shop.example/acp')
})

test('each host has its own origin, and any host is served', async () => {
  for (const host of ['another.example', 'www.shop.example', 'localhost:8788']) {
    const { body } = await ask('/.well-known/ucp', host)
    expect(JSON.parse(body).domain).toBe(host)
    expect((await ask('/products/ao-1001', host)).body).toContain(
      `"${host === 'localhost:8788' ? 'http' : 'https'}://${host}/products/ao-1001"`,
    )
  }
})

test.each([
  ['/nope', 'text/html; charset=utf-8'],
  ['/products/ao-9', 'text/html; charset=utf-8'],
  ['/images/ao-9.svg', 'text/html; charset=utf-8'],
  ['/ucp/nope', 'application/json'],
  ['/acp/nope', 'application/json'],
  ['/.well-known/nope', 'application/json'],
])('%s is 404 as %s', async (path, type) => {
  const { status, headers, body } = await ask(path)
  expect(status).toBe(404)
  expect(headers.get('content-type')).toBe(type)
  if (path.startsWith('/acp')) expect(JSON.parse(body)).toMatchObject({ code: 'not_found' })
  else if (type.endsWith('json')) UcpError.parse(JSON.parse(body))
})

test.each(['/ucp/checkout', '/acp/checkout/create'])('%s refuses 65 KiB', async (path) => {
  const { status, headers, body } = await send('POST', path, 'x'.repeat(65 * 1024))
  expect(status).toBe(413)
  expect(headers.get('content-type')).toBe('application/json')
  expect(body).toContain('"too_large"')
})

test('what a request says is never markup', async () => {
  const attack = '"><script>alert(1)</script>'
  for (const path of [
    `/${encodeURIComponent(attack)}`,
    `/products/${encodeURIComponent(attack)}`,
  ]) {
    expect((await ask(path)).body).not.toContain('<script>alert')
  }
  const store = await testStore({ snippetUrl: `https://cdn.example/attribution.js?id=${attack}` })
  expect((await store.ask('/')).body).not.toContain('<script>alert')
})

test('no text of a product can end the script that holds it', () => {
  const text = jsonLdText({ name: 'A tent</script><script>alert(1)</script>' })
  expect(text).not.toContain('<')
  expect(JSON.parse(text).name).toContain('</script>')
})

test('a store without https hangs up on whoever comes by TLS', async () => {
  const store = createStore({ ...(await testDeps()), faults: ['https-missing'] })
  const server = await onLoopback(store)
  const get = (scheme: string) =>
    fetch(`${server.origin}/`, { headers: { 'x-forwarded-proto': scheme } })
  expect((await get('http')).status).toBe(200)
  await expect(get('https')).rejects.toThrow()
  expect((await get('http')).status).toBe(200)
  await server.close()
})

test('a fault that does not exist is refused by its name', async () => {
  const { deps } = await testDeps()
  expect(() => createStore({ deps, faults: ['no-such-fault'] })).toThrow(
    'Unknown fault "no-such-fault"',
  )
})
