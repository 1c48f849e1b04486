import { describe, expect, test } from 'vitest'
import { inspectAny } from '../../../../shared/manifest/ucp/profile.ts'
import { BROWSER, codeOf, HOSTILE, read, testTools } from '../testing/tools.ts'

const { app, post } = await testTools()

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
      domain: 'ftp://shop.example',
      catalog_endpoint: 'http://shop.example/p',
      checkout_endpoint: '',
    })
    expect(answer.status).toBe(422)
    const html = await read(answer)
    expect(html).toContain('Send the domain without a scheme')
    expect(html).toContain('Must be an https URL')
    expect(html).toContain('id="checkout_endpoint-error">Fill this in.')
    expect(html).toContain('3 fields need correction')
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
