import { describe, expect, test } from 'vitest'
import { runRules } from '../../../shared/audit.ts'
import { CHECKS } from '../../../shared/checks/index.ts'
import type { PageSeen } from '../../../shared/evidence.ts'
import { readPage } from '../../../shared/page.ts'
import { inspectAny } from '../../../shared/ucp-profile.ts'
import { validateDocument } from '../../probe/validate-manifest.ts'
import { testApp } from '../../testing.ts'

const asked: string[] = []
const ID = 'prop_8aF3kQ2mZx71LrT0vWnY'
const TAG = `<script async src="https://aisle.example/attribution.js?id=${ID}"></script>`
let storePage = ''

const { app } = await testApp({
  readPage: async (url) => {
    asked.push(url)
    return seen(storePage, url)
  },
  validateManifest: async (url) => {
    asked.push(url)
    return validateDocument({ version: '1.0', domain: '<img src=x onerror=alert(1)>' })
  },
})

const seen = (html: string, url: string): PageSeen => ({
  fetched: {
    kind: 'answer',
    method: 'GET',
    url,
    final_url: url,
    redirects: [],
    status: 200,
    headers: {},
    body: html,
    truncated: false,
    ms: 1,
  },
  page: readPage(html, url),
})

const BROWSER = { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' }
const post = (path: string, fields: Record<string, string>, headers = {}) =>
  app.request(path, {
    method: 'POST',
    headers: { ...BROWSER, ...headers },
    body: new URLSearchParams(fields),
  })
const read = async (answer: Response | Promise<Response>) => unescaped(await (await answer).text())
const unescaped = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const codeOf = (html: string, label: string): string =>
  html.split(`<span>${label}</span>`)[1]?.split('<code>')[1]?.split('</code>')[0] ?? ''

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; alert(1); '",
  '</script><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '\u0000\u202E\uFFFF',
  '__proto__',
  'x'.repeat(20_000),
]

describe('manifest', () => {
  const FIELDS = {
    format: '1.0',
    domain: 'shop.example',
    catalog_endpoint: 'https://shop.example/ucp/products',
    checkout_endpoint: 'https://shop.example/ucp/checkout',
  }
  const file = async (fields: Record<string, string>) =>
    codeOf(await read(post('/tools/manifest', fields)), '/.well-known/ucp')

  test.each([
    ['the least', FIELDS],
    [
      'everything',
      {
        ...FIELDS,
        shipping_endpoint: 'https://shop.example/ucp/shipping',
        orders_endpoint: 'https://shop.example/ucp/orders',
        supports_search: 'yes',
        supports_filters: 'category, max_price',
        supported_payment_methods: 'card\npaypal',
      },
    ],
    ['an official profile', { ...FIELDS, format: 'ucp' }],
  ])('of %s is valid', async (_, fields) => {
    const document = JSON.parse(await file(fields))
    expect(inspectAny(document, { domain: 'shop.example' })).toMatchObject({
      errors: [],
      shoppable: true,
    })
    expect(document).not.toHaveProperty('generated_at')
  })

  test('says everything that was filled in', async () => {
    const fields = { supports_search: 'yes', supports_filters: 'category, max_price' }
    const { capabilities } = JSON.parse(
      await file({ ...FIELDS, ...fields, supported_payment_methods: 'card,,upi' }),
    )
    expect(capabilities.product_catalog).toMatchObject({
      supports_search: true,
      supports_filters: ['category', 'max_price'],
    })
    expect(capabilities.checkout.supported_payment_methods).toEqual(['card', 'upi'])
  })

  test('is downloaded under the name of its address', async () => {
    const answer = await post('/tools/manifest', { ...FIELDS, action: 'download' })
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="ucp"')
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(await answer.text()).toBe(await file(FIELDS))
  })

  test('a field that is wrong says what is expected', async () => {
    const answer = await post('/tools/manifest', {
      ...FIELDS,
      domain: 'https://shop.example',
      catalog_endpoint: 'http://shop.example/p',
      checkout_endpoint: '',
    })
    expect(answer.status).toBe(422)
    const html = await read(answer)
    expect(html).toContain('Send the domain without a scheme')
    expect(html).toContain('Must be an https URL')
    expect(html).toContain('id="checkout_endpoint-error">Fill this in.')
    expect(html).toContain('3 fields need a correction')
    expect(html).toContain('value="http://shop.example/p"')
  })

  test('a domain in the address fills in what a store usually has', async () => {
    const page = (domain: string) =>
      app.request(`/tools/manifest?domain=${encodeURIComponent(domain)}`, { headers: BROWSER })
    expect(await read(page('shop.example'))).toContain('"endpoint": "https://shop.example/ucp/')
    for (const domain of HOSTILE) {
      const answer = await page(domain)
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toMatch(/alert\(1\)|shop\.example\/ucp\/products"/)
    }
  })
})

describe('schema', () => {
  const LEAST = {
    domain: 'shop.example',
    shop_name: 'Borealis',
    name: 'Fell Boot',
    url: 'https://shop.example/p/fell-boot',
    images: 'https://shop.example/media/fell-boot.jpg',
    price: '189.00',
    currency: 'usd',
    availability: 'in_stock',
  }
  const ALL = {
    ...LEAST,
    logo: 'https://shop.example/media/logo.png',
    profiles: 'https://social.example/borealis\nhttps://video.example/@borealis',
    description: 'A light boot of waxed leather </script> for "wet" hills.',
    brand: 'Borealis',
    sku: '1001',
    gtin: '4006381333931',
    shipping_price: '6.00',
    shipping_country: 'us',
    return_days: '30',
    return_country: 'US',
    return_free: 'yes',
  }

  /** The gaps that the audit's own rules find on the pages that carry the markup. */
  async function gapsOf(fields: Record<string, string>) {
    const html = await read(post('/tools/schema', fields))
    const product = codeOf(html, 'Into the head of the product page')
    const home = codeOf(html, 'Into the head of the home page')
    expect(product).toContain('application/ld+json')
    const evidence = {
      productPages: [{ ...seen(product, fields.url!), found_by: 'catalog' as const }],
      homePage: seen(home, 'https://shop.example/'),
      site: {
        domain: 'shop.example',
        label: 'shop',
        https: seen('', 'https://shop.example/').fetched,
        http: seen('', 'https://shop.example/').fetched,
      },
    }
    const outcomes = runRules([...CHECKS.schema, ...CHECKS.entity], evidence)
    return outcomes.flatMap(({ rule, verdict }) => (verdict.kind === 'gap' ? [rule.gap] : []))
  }

  test('markup of all facts has no gap', async () => {
    expect(await gapsOf(ALL)).toEqual([])
    expect(await read(post('/tools/schema', ALL))).toContain('An audit finds nothing to say')
  })

  test('markup of the least facts has the gaps that the page names', async () => {
    expect(await gapsOf(LEAST)).toEqual([
      'product_schema_brand_missing',
      'product_schema_description_missing',
      'product_schema_return_policy_missing',
      'product_schema_shipping_missing',
      'organization_logo_invalid',
    ])
    const html = await read(post('/tools/schema', LEAST))
    expect(html.match(/<li>[^<]*(?:not said|no logo|no brand|no description)[^<]*/g)).toHaveLength(
      5,
    )
  })

  test.each(['out_of_stock', 'preorder', 'backorder'])('%s is no gap either', async (word) => {
    expect(await gapsOf({ ...ALL, availability: word, return_days: '0' })).toEqual([])
  })

  test.each([
    ['price', '$189', 'plain decimal'],
    ['price', '0', 'above 0'],
    ['currency', 'US$', 'ISO 4217'],
    ['gtin', '4006381333932', 'ends in 2 where the check digit is 1'],
    ['url', 'shop.example/p', 'absolute address'],
    ['images', 'https://a.example/1.jpg /2.jpg', 'absolute address'],
    ['images', '', 'Fill this in'],
    ['availability', 'soon', 'expected one of'],
    ['shipping_country', '', 'Fill this in'],
    ['shipping_country', 'EU', 'ISO 3166-1'],
    ['return_days', 'thirty', 'whole number'],
    ['domain', 'https://shop.example', 'without a scheme'],
  ])('%s %j is refused', async (name, value, message) => {
    const answer = await post('/tools/schema', { ...ALL, [name]: value })
    expect(answer.status).toBe(422)
    const error = (await read(answer)).split(`id="${name}-error">`)[1]
    expect(error?.split('</p>')[0]).toContain(message)
  })

  test.each(HOSTILE)('%j cannot leave its script element', async (text) => {
    const html = await (await post('/tools/schema', { ...ALL, name: text || 'x' })).text()
    expect(html).not.toMatch(/<script>alert|<img src=x/)
    const markup = unescaped(codeOf(html, 'Into the head of the product page'))
    if (markup === '') return
    expect(markup.match(/<\/script/g)).toHaveLength(1)
    const page = readPage(markup, 'https://shop.example/p/fell-boot')
    expect(page.json_ld_problems).toEqual([])
    expect(page.nodes[0]?.types).toContain('Product')
  })
})

describe('validate', () => {
  test.each([
    ['{"version":"1.0",}', 422, 'This is no JSON: '],
    ['[]', 200, '1 error'],
    ['{"version":"1.0"}', 200, 'capabilities'],
    ['"<script>alert(1)</script>"', 200, 'no manifest that we know'],
    [`${'['.repeat(50_000)}`, 422, 'This is no JSON: '],
  ])('pasted %.20s: %d', async (manifest, status, text) => {
    const answer = await post('/tools/validate', { manifest })
    expect(answer.status).toBe(status)
    const html = await answer.text()
    expect(unescaped(html)).toContain(text)
    expect(html).not.toContain('<script>alert')
  })

  test('by its address, what came back is text', async () => {
    const html = await (
      await post('/tools/validate', { url: 'https://shop.example/.well-known/ucp' })
    ).text()
    expect(asked.at(-1)).toBe('https://shop.example/.well-known/ucp')
    expect(html).not.toContain('<img src=x')
    expect(html).toContain('not checked')
  })

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'https://u:p@shop.example/', ''])(
    '%j is not fetched',
    async (url) => {
      const before = asked.length
      expect((await post('/tools/validate', { url })).status).toBe(422)
      expect((await post('/tools/snippet', { url })).status).toBe(422)
      expect(asked.length).toBe(before)
    },
  )
})

describe('snippet', () => {
  const page = (query: string) => app.request(`/tools/snippet?${query}`, { headers: BROWSER })

  test('a property id gives its tag, for each platform', async () => {
    const html = await read(page(`id=${ID}`))
    expect(codeOf(html, 'The tag')).toBe(TAG)
    for (const place of ['layout/theme.liquid', 'aisle.php', 'Custom HTML', 'The pinned tag']) {
      expect(codeOf(html, place.replace('aisle', 'wp-content/mu-plugins/aisle'))).toContain(ID)
    }
  })

  test.each(HOSTILE)('%j is no property id', async (text) => {
    const answer = await page(`id=${encodeURIComponent(text)}&domain=%3Cb%3E`)
    const html = await answer.text()
    expect(html).toContain('This is no property id')
    expect(html).not.toMatch(/<script>alert|<img src=x|attribution\.js/)
  })

  test.each([
    [`<head>${TAG}</head>`, 'The snippet is live on https://shop.example/'],
    ['<head></head>', 'Visits from AI surfaces are not told apart'],
    [`<head></head><body>${TAG}`, 'stands in the body'],
    [`<head>${TAG.replace(ID, 'prop_other')}</head>`, "The snippet there is another property's"],
  ])('a page with %j', async (html, text) => {
    storePage = html
    expect(await read(post('/tools/snippet', { id: ID, url: 'shop.example' }))).toContain(text)
    expect(asked.at(-1)).toBe('https://shop.example/')
  })
})

describe('what costs a request', () => {
  test('is not done for a form of another site', async () => {
    const before = asked.length
    const answer = await post(
      '/tools/validate',
      { url: 'https://shop.example/' },
      { 'Sec-Fetch-Site': 'cross-site' },
    )
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('This form was sent from another site')
    expect(asked.length).toBe(before)
  })

  test('is done twenty times in ten minutes, for each address', async () => {
    const { app: fresh } = await testApp({})
    const ask = () =>
      fresh.request('/tools/snippet', {
        method: 'POST',
        headers: BROWSER,
        body: new URLSearchParams({ url: 'https://shop.example/' }),
      })
    for (let count = 0; count < 20; count++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.text()).toContain('Try again in')
  })

  test.each([
    ['application/json', '{}', 415],
    ['multipart/form-data; boundary=x', '--x--', 415],
    ['application/x-www-form-urlencoded', `manifest=${'x'.repeat(300_000)}`, 413],
  ])('a body of %s: refused as a page', async (type, body, status) => {
    const answer = await app.request('/tools/validate', {
      method: 'POST',
      headers: { ...BROWSER, 'Content-Type': type },
      body,
    })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  })
})
