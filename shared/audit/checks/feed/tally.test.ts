import { describe, expect, test } from 'vitest'
import { judgeRow } from './tally.ts'
import { GOOGLE } from './vendors/google.ts'
import { OPENAI } from './vendors/openai.ts'
import type { VendorTable } from './vendors/table.ts'

const TENT = {
  id: 'T-1',
  title: 'Tent',
  description: 'Two people.',
  link: 'https://shop.example/p/tent',
  image_link: 'https://shop.example/tent.jpg',
  availability: 'in_stock',
  price: '249.00 EUR',
  brand: 'Fjell',
  mpn: 'FJ-1',
}
const { id, link, image_link, ...rest } = TENT
const OPEN_TENT = { item_id: id, url: link, image_url: image_link, seller_name: 'Fjell', ...rest }

type Change = Record<string, string | null>

/** The faults of a right row after a change, as `kind field`. */
function judged(table: VendorTable, row: Record<string, string>, change: Change): string[] {
  const values = Object.entries({ ...row, ...change }).filter(([, value]) => value !== null)
  const faults = judgeRow(new Map(values as [string, string][]), table)
  return faults.map(({ kind, field }) => `${kind} ${field}`)
}

const LONG = (length: number) => 'ö'.repeat(length)
const EMOJI = '\u{1F3D5}'

describe('Google', () => {
  test.each<[string, Change, string[]]>([
    ['a right row', {}, []],
    ['no title', { title: null }, ['missing title']],
    ['no price', { price: null }, ['missing price']],
    ['a price without a number', { price: 'on request' }, ['missing price']],
    ['a price without a currency', { price: '249.00' }, ['invalid price']],
    ['a price with a comma', { price: '249,00 EUR' }, ['invalid price']],
    ['a price with a sign', { price: '€249.00' }, ['invalid price']],
    ['a price with two separators', { price: '1.249,00 EUR' }, ['invalid price']],
    ['a price with a word', { price: 'from 249.00 EUR' }, ['invalid price']],
    ['yen', { price: '24900 JPY' }, []],
    ['dinars', { price: '24.250 KWD' }, []],
    ['a price of nothing', { price: '0.00 EUR' }, ['invalid price']],
    ['no price beside a plan', { price: '0 EUR', subscription_cost: 'month:24:35.00 EUR' }, []],
    ['no price beside rates', { price: '0 EUR', 'installment(months)': '24' }, []],
    ['a wrong price beside a plan', { price: '0 €', subscription_cost: 'x' }, ['invalid price']],
    ['money that is none', { price: '249.00 EUX' }, ['invalid price']],
    ['a price in lower case', { price: '249 eur' }, []],
    ['an id of 50', { id: LONG(50) }, []],
    ['an id of 51', { id: LONG(51) }, ['too_long id']],
    ['a title of 150 emoji', { title: EMOJI.repeat(150) }, []],
    ['a title of 151 emoji', { title: EMOJI.repeat(151) }, ['too_long title']],
    ['a description of 5,000', { description: LONG(5000) }, []],
    ['a description of 5,001', { description: LONG(5001) }, ['too_long description']],
    ['a relative link', { link: '/p/tent' }, ['invalid link']],
    [
      'texts made by AI',
      {
        ...{ title: null, structured_title: 'trained_algorithmic_media:"Tent"' },
        ...{ description: null, 'structured_description(content)': 'Dry in a storm.' },
      },
      [],
    ],
    [
      'a long title made by AI',
      { title: null, structured_title: `trained_algorithmic_media:"${LONG(150)}"` },
      [],
    ],
    [
      'a longer title made by AI',
      { title: null, structured_title: `trained_algorithmic_media:"${LONG(151)}"` },
      ['too_long title'],
    ],
    ['an age that is none', { age_group: 'all ages' }, ['invalid age_group']],
    ['an old word', { availability: 'out of stock' }, []],
    ['a word of its own', { availability: 'sold out' }, ['invalid availability']],
    ['a preorder without a day', { availability: 'preorder' }, ['dates availability_date']],
    ['a preorder', { availability: 'preorder', availability_date: '2027-03-01T09:00+0100' }, []],
    ['a backorder', { availability: 'backorder', availability_date: '2027-03-01' }, []],
    ['a day of another form', { availability_date: '1.3.2027' }, ['dates availability_date']],
    ['a condition', { condition: 'Refurbished' }, []],
    ['a condition of its own', { condition: 'brand new' }, ['invalid condition']],
    ['no brand, with a number', { brand: null }, []],
    ['no numbers, in an unknown category', { mpn: null }, []],
    ['clothing without numbers', { mpn: null, google_product_category: '166' }, []],
    ...['988', 'Sporting Goods > Outdoor Recreation', 'vehicles & parts'].map(
      (google_product_category): [string, Change, string[]] => [
        `numbers missing in ${google_product_category}`,
        { mpn: null, google_product_category },
        ['identifiers mpn'],
      ],
    ),
    ...[
      ...['212', '1604', '855', '784', '499713'],
      ...['Apparel & Accessories > Shoes', 'Media > Books', 'Bekleidung & Accessoires > Schuhe'],
    ].map((google_product_category): [string, Change, string[]] => [
      `no numbers in ${google_product_category}`,
      { mpn: null, google_product_category },
      [],
    ]),
    ['nothing to know it by', { brand: null, mpn: null }, ['identifiers gtin']],
    ['used goods', { brand: null, mpn: null, condition: 'used' }, []],
    ['made by hand', { brand: null, mpn: null, identifier_exists: 'no' }, []],
    [
      'none, but one',
      { gtin: '4006381333931', identifier_exists: 'false' },
      ['identifiers identifier_exists'],
    ],
    ['a brand that is none', { brand: 'N/A' }, ['invalid brand']],
    ['a wrong check digit', { gtin: '4006381333932' }, ['gtin gtin']],
    ['a sale', { sale_price: '199.00 EUR' }, []],
    ['no sale, as software writes it', { sale_price: '249.00 EUR' }, []],
    ['a dear sale', { sale_price: '299.00 EUR' }, ['sale sale_price']],
    ['a dear sale in yen', { price: '24900 JPY', sale_price: '25000 JPY' }, ['sale sale_price']],
    ['a sale of dinars', { price: '24.250 KWD', sale_price: '9.900 KWD' }, []],
    ['a sale with a fraction', { sale_price: '249.000001 EUR' }, []],
    ['a sale with a comma', { price: '9.90 EUR', sale_price: '1,249 EUR' }, ['invalid sale_price']],
    ['a sale in other money', { sale_price: '199.00 USD' }, ['sale sale_price']],
    [
      'the days of a sale',
      { sale_price_effective_date: '2027-03-01T00:00Z/2027-03-08T00:00+01:00' },
      [],
    ],
    [
      'a sale that ends first',
      { sale_price_effective_date: '2027-03-08/2027-03-01' },
      ['dates sale_price_effective_date'],
    ],
    [
      'a sale without an end',
      { sale_price_effective_date: '2027-03-08' },
      ['dates sale_price_effective_date'],
    ],
    ['shipping', { shipping: 'US:CA:Overnight:16.00 USD' }, []],
    ['shipping, short', { shipping: 'US:::16 USD,CA:::18 CAD' }, []],
    ['shipping without a price', { shipping: 'US:CA:Overnight' }, ['invalid shipping']],
    ['shipping to nowhere', { shipping: 'USA:::16.00 USD' }, ['invalid shipping']],
    ['a category by path', { google_product_category: 'Sporting Goods > Outdoor' }, []],
    [
      'a category of nothing',
      { google_product_category: '>' },
      ['invalid google_product_category'],
    ],
    ['checkout', { native_commerce: 'true' }, []],
    ['checkout, perhaps', { native_commerce: 'maybe' }, ['invalid native_commerce']],
    [
      'checkout within a group',
      { 'native_commerce(checkout_eligibility)': '1' },
      ['invalid native_commerce(checkout_eligibility)'],
    ],
    [
      'a notice of another type',
      { 'consumer_notice(consumer_notice_type)': 'warning' },
      ['invalid consumer_notice(consumer_notice_type)'],
    ],
    [
      'a notice without end',
      { 'consumer_notice(consumer_notice_message)': LONG(1001) },
      ['too_long consumer_notice(consumer_notice_message)'],
    ],
  ])('%s', (_, change, faults) => {
    expect(judged(GOOGLE, TENT, change)).toEqual(faults)
  })
})

describe('OpenAI', () => {
  const checkout = {
    is_eligible_checkout: 'true',
    is_eligible_search: 'true',
    seller_privacy_policy: 'https://shop.example/privacy',
    seller_tos: 'https://shop.example/terms',
  }
  const variant = { group_id: 'T', listing_has_variations: 'true', variant_dict: '{"size":"S"}' }

  test.each<[string, Change, string[]]>([
    ['a right row', {}, []],
    ['older names', { item_id: null, id: 'T-1', url: null, link: TENT.link }, []],
    ['no seller', { seller_name: null }, ['missing seller_name']],
    ['no brand', { brand: null }, ['missing brand']],
    ['a placeholder', { brand: 'unknown' }, ['invalid brand']],
    ['stock that is not known', { availability: 'unknown' }, []],
    ["stock in Google's word", { availability: 'preorder' }, ['invalid availability']],
    ['stock ahead', { availability: 'pre_order' }, []],
    ['a weight', { weight: '0.75', item_weight_unit: 'kg' }, []],
    ['a weight of no unit', { weight: '0.75' }, ['invalid item_weight_unit']],
    ['a weight of nothing', { weight: '0', item_weight_unit: 'kg' }, ['invalid weight']],
    ['a length of no unit', { length: '30', width: '20' }, ['invalid dimensions_unit']],
    ['a sizing system', { size_system: 'MEX' }, []],
    ['a sizing system that is none', { size_system: 'Metric' }, ['invalid size_system']],
    ['stock in words', { availability: 'available' }, ['invalid availability']],
    ['a boolean in capitals', { is_eligible_search: 'TRUE' }, ['invalid is_eligible_search']],
    ['the older boolean', { enable_search: 'yes' }, ['invalid is_eligible_search']],
    ['checkout', checkout, []],
    [
      'checkout by the older name',
      { ...checkout, is_eligible_checkout: null, enable_checkout: 'true' },
      [],
    ],
    ['checkout, search left to its default', { ...checkout, is_eligible_search: null }, []],
    [
      'checkout of what is not found',
      { ...checkout, is_eligible_search: 'false' },
      ['eligibility is_eligible_search'],
    ],
    ['checkout without terms', { ...checkout, seller_tos: null }, ['eligibility seller_tos']],
    [
      'checkout without a policy',
      { ...checkout, seller_privacy_policy: null },
      ['eligibility seller_privacy_policy'],
    ],
    ['no checkout', { is_eligible_checkout: 'false' }, []],
    ['a variant', variant, []],
    ['a product that could be one', { group_id: 'T', listing_has_variations: 'false' }, []],
    ['a variant of nothing', { ...variant, group_id: null }, ['variants group_id']],
    ['a variant of itself', { ...variant, group_id: 'T-1' }, ['variants group_id']],
    ['a variant of no kind', { ...variant, variant_dict: null }, ['variants variant_dict']],
    ['a map that is none', { ...variant, variant_dict: '["S"]' }, ['invalid variant_dict']],
    ['a map of maps', { ...variant, variant_dict: '{"size":{}}' }, ['invalid variant_dict']],
    ['stars', { star_rating: '4.7', review_count: '12' }, []],
    ['too many stars', { star_rating: '47' }, ['invalid star_rating']],
    ['a long title', { title: LONG(151) }, ['too_long title']],
    ['a dear sale', { sale_price: '299.00 EUR' }, ['sale sale_price']],
  ])('%s', (_, change, faults) => {
    expect(judged(OPENAI, OPEN_TENT, change)).toEqual(faults)
  })
})

test('each field of a table is there once, and says where it comes from', () => {
  for (const { fields } of [GOOGLE, OPENAI]) {
    const names = fields.flatMap(({ name, also = [] }) => [name, ...also])
    expect(new Set(names).size).toBe(names.length)
    expect(fields.filter(({ source }) => !source.startsWith('https://'))).toEqual([])
    expect(
      fields.filter(({ kind, one_of }) => (kind === 'one_of') !== (one_of !== undefined)),
    ).toEqual([])
  }
})
