import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../../../shared/audit/checks/index.ts'
import { runRules } from '../../../../shared/audit/rule.ts'
import { readPage } from '../../../../shared/markup/page.ts'
import { codeOf, HOSTILE, read, seen, testTools, unescaped } from '../testing/tools.ts'

const { post } = await testTools()

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

  /** The gaps that the audit's own rules find on pages with the markup. */
  async function gapsOf(fields: Record<string, string>) {
    const html = await read(post('/tools/schema', fields))
    const product = codeOf(html, 'For the head of the product page')
    const home = codeOf(html, 'For the head of the home page')
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
    expect(await read(post('/tools/schema', ALL))).toContain('An audit would find no gap')
  })

  test('markup of the least facts has the gaps that the page names', async () => {
    expect(await gapsOf(LEAST)).toEqual([
      'product_schema_identifier_missing',
      'product_schema_brand_missing',
      'product_schema_description_missing',
      'product_schema_return_policy_missing',
      'product_schema_shipping_missing',
      'organization_logo_invalid',
    ])
    const html = await read(post('/tools/schema', LEAST))
    expect(
      html.match(/<li>[^<]*(?:is missing|no logo|no brand|no description|no number)[^<]*/g),
    ).toHaveLength(6)
  })

  test.each(['out_of_stock', 'preorder', 'backorder'])('%s is no gap either', async (word) => {
    expect(await gapsOf({ ...ALL, availability: word, return_days: '0' })).toEqual([])
  })

  test.each([
    ['price', '$189', 'plain decimal'],
    ['price', '0', 'above 0'],
    ['price', '189.005', 'Amounts in USD have up to 2 decimals.'],
    ['shipping_price', '6.005', 'Amounts in USD have up to 2 decimals.'],
    ['currency', 'US$', 'ISO 4217'],
    ['gtin', '4006381333932', 'ends in 2, expected the check digit 1'],
    ['url', 'shop.example/p', 'absolute URL'],
    ['images', 'https://a.example/1.jpg /2.jpg', 'absolute URL'],
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

  test.each([
    ['JPY', '1980', 200],
    ['JPY', '1980.00', 200],
    ['JPY', '19.80', 422],
    ['KWD', '19.805', 200],
  ])('in %s, %s: %d', async (currency, price, status) => {
    const fields = { ...LEAST, currency, price }
    expect((await post('/tools/schema', fields)).status).toBe(status)
  })

  test.each(HOSTILE)('%j cannot leave its script element', async (text) => {
    const html = await (await post('/tools/schema', { ...ALL, name: text || 'x' })).text()
    expect(html).not.toMatch(/<script>alert|<img src=x/)
    const markup = unescaped(codeOf(html, 'For the head of the product page'))
    if (markup === '') return
    expect(markup.match(/<\/script/g)).toHaveLength(1)
    const page = readPage(markup, 'https://shop.example/p/fell-boot')
    expect(page.json_ld_problems).toEqual([])
    expect(page.products[0]?.type).toBe('Product')
  })
})
