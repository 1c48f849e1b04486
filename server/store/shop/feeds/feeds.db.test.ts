import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { CatalogPage } from '../../../../shared/commerce/product.ts'
import { parquetInMemory } from '../../../audit/probe/feed/parquet-file.ts'
import { readFeed } from '../../../audit/probe/feed/reader.ts'
import { createUploadReader, readParquetUpload } from '../../../audit/probe/feed/upload.ts'
import { stock } from '../../db/tables.ts'
import { NOON, testStore, visitTo } from '../../testing/store.ts'
import { ARTICLES, offersOf } from '../assortment.ts'
import { feedReply } from './feeds.ts'
import { FEED_FILES, FEED_FORMATS, type FeedFormat } from './formats.ts'

const OFFERS = ARTICLES.flatMap(offersOf)
const APPAREL = ARTICLES.filter(({ category }) => /Clothing|Footwear/.test(category))

const textOf = (format: FeedFormat) => feedReply(visitTo(), format).body
const linesOf = (format: FeedFormat) =>
  textOf(format)
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
const tableOf = (format: FeedFormat): Record<string, string>[] =>
  parse(textOf(format), { columns: true, delimiter: '\t' })

const Url = z.url().startsWith('https://shop.example/')
const Policies = z.url().startsWith('https://shop.example/policies#')
const Price = z.string().regex(/^[1-9]\d*\.\d\d USD$/)
const OptionMap = z.strictObject({ size: z.string(), color: z.string().optional() })

/** OpenAI, product feed by file upload. */
const OpenaiRow = z
  .strictObject({
    item_id: z.string().min(1),
    title: z.string().min(1).max(150),
    description: z.string().min(1).max(5000),
    url: Url,
    image_url: Url,
    brand: z.string().min(1),
    seller_name: z.literal('Aisle Outfitters'),
    availability: z.enum(['in_stock', 'out_of_stock', 'pre_order', 'backorder']),
    price: Price,
    is_eligible_search: z.literal(true),
    is_eligible_checkout: z.literal(true),
    seller_privacy_policy: Policies,
    seller_tos: Policies,
    seller_url: Url,
    group_id: z.string().optional(),
    listing_has_variations: z.literal(true).optional(),
    variant_dict: OptionMap.optional(),
    size: z.string().optional(),
    color: z.string().optional(),
    gender: z.literal('unisex').optional(),
    age_group: z.literal('adult').optional(),
    gtin: z.string().regex(/^952\d{10}$/),
    mpn: z.string().min(1),
    condition: z.literal('new'),
    product_category: z.string().regex(/^[^>]+ > [^>]+$/),
    shipping_price: z.enum(['0.00 USD', '6.00 USD']),
    accepts_returns: z.literal(true),
    return_deadline_in_days: z.int().positive(),
    return_policy: Policies,
    target_countries: z.tuple([z.literal('US')]),
    store_country: z.literal('US'),
  })
  .refine(
    ({ group_id, listing_has_variations, variant_dict }) =>
      new Set([group_id, listing_has_variations, variant_dict].map((value) => value === undefined))
        .size === 1,
    'all three of a variant, or none',
  )

const Media = z.strictObject({ type: z.literal('image'), url: Url, alt_text: z.string().min(1) })
const Description = z.strictObject({ plain: z.string().min(1) })

/** ACP 2026-04-17, product feeds. */
const AcpProduct = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: Description,
  url: Url,
  media: z.array(Media).min(1),
  variants: z
    .array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        description: Description,
        url: Url,
        barcodes: z.array(
          z.strictObject({ type: z.literal('GTIN'), value: z.string().regex(/^952\d{10}$/) }),
        ),
        price: z.strictObject({ amount: z.int().positive(), currency: z.literal('USD') }),
        availability: z.strictObject({
          available: z.boolean(),
          status: z.enum(['in_stock', 'backorder', 'preorder', 'out_of_stock']),
        }),
        categories: z.array(z.strictObject({ value: z.string(), taxonomy: z.literal('merchant') })),
        condition: z.tuple([z.literal('new')]),
        variant_options: z
          .array(z.strictObject({ name: z.enum(['Size', 'Color']), value: z.string() }))
          .min(1)
          .optional(),
        media: z.array(Media).min(1),
        seller: z.strictObject({
          name: z.literal('Aisle Outfitters'),
          links: z.array(
            z.strictObject({
              type: z.enum([
                'shipping_policy',
                'refund_policy',
                'privacy_policy',
                'terms_of_service',
              ]),
              url: Policies,
              title: z.string(),
            }),
          ),
        }),
      }),
    )
    .min(1),
})

const acpVariants = () => linesOf('acp-products').flatMap((line) => AcpProduct.parse(line).variants)

test.each([
  ['google-xml', 'google', 'rss'],
  ['google-tsv', 'google', 'tsv'],
  ['openai-tsv', 'openai', 'tsv'],
  ['openai-jsonl', 'openai', 'jsonl'],
] as const)('no rule of its vendor finds a fault in %s', (format, vendor, kind) => {
  const { tally, problem, cut, ...read } = readFeed(textOf(format))
  expect({ problem, cut }).toEqual({ problem: null, cut: null })
  expect(read).toMatchObject({ vendor, kind })
  expect(tally).toMatchObject({
    ...{ rows: OFFERS.length, with_id: OFFERS.length, with_gtin: OFFERS.length },
    ...{ incomplete: 0, faults: [] },
  })
})

/** The id, price and state of stock of all rows, in one form. */
const ROWS: Partial<Record<FeedFormat, () => { id?: unknown; price?: unknown }[]>> = {
  'google-xml': () =>
    [...textOf('google-xml').matchAll(/<g:id>(.*?)<.*?<g:price>(.*?)</gs)].map(([, id, price]) => ({
      id,
      price,
    })),
  'google-tsv': () => tableOf('google-tsv').map(({ id, price }) => ({ id, price })),
  'openai-tsv': () => tableOf('openai-tsv').map(({ item_id: id, price }) => ({ id, price })),
  'openai-jsonl': () =>
    linesOf('openai-jsonl').map((line) => {
      const { item_id: id, price } = OpenaiRow.parse(line)
      return { id, price }
    }),
  'acp-products': () =>
    acpVariants().map(({ id, price }) => ({ id, price: `${price.amount / 100}.00 USD` })),
}

test('every feed lists what the catalog sells, by the id that a checkout takes and at its price', async () => {
  const { ask } = await testStore()
  const sold: { id: string; price: string }[] = []
  for (const page of [1, 2]) {
    const { products } = CatalogPage.parse(
      JSON.parse((await ask(`/ucp/products?page=${page}`)).body),
    )
    for (const { variants, ...product } of products) {
      for (const { id, price } of variants ?? [product]) {
        sold.push({ id, price: `${price.amount / 100}.00 ${price.currency}` })
      }
    }
  }
  expect(sold).toHaveLength(OFFERS.length)
  for (const rows of Object.values(ROWS)) expect(rows()).toEqual(sold)
})

test("OpenAI's rows hold what their table demands, and both files say the same", () => {
  const rows = linesOf('openai-jsonl').map((line) => OpenaiRow.parse(line))
  const ids = new Set(rows.map(({ item_id }) => item_id))
  const groups = Map.groupBy(rows, ({ group_id }) => group_id)
  expect(groups.size).toBe(ARTICLES.filter(({ variants }) => variants.length > 0).length + 1)
  for (const [group, members] of groups) {
    if (group === undefined) continue
    const maps = members.map(({ variant_dict = {} }) => variant_dict)
    expect(ids).not.toContain(group)
    expect(new Set(maps.map((map) => Object.keys(map).join())).size).toBe(1)
    expect(new Set(maps.map((map) => JSON.stringify(map))).size).toBe(members.length)
  }
  expect(new Set(rows.map(({ availability }) => availability))).toEqual(
    new Set(['in_stock', 'out_of_stock', 'pre_order', 'backorder']),
  )
  const cells = rows.map((row) =>
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
  expect(
    tableOf('openai-tsv').map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, it]) => it)),
    ),
  ).toEqual(cells.map((row) => Object.fromEntries(row)))
})

test("Google's rows are eligible for its checkout, and say what it wants of clothing", () => {
  const rows = tableOf('google-tsv')
  const eligible = 'native_commerce(checkout_eligibility)'
  expect(new Set(rows.map((row) => row[eligible]))).toEqual(new Set(['true']))
  expect(
    textOf('google-xml').match(
      /<g:native_commerce><g:checkout_eligibility>true<\/g:checkout_eligibility><\/g:native_commerce>/g,
    ),
  ).toHaveLength(OFFERS.length)
  const dressed = rows.filter(({ google_product_category: it }) => it !== '')
  expect(dressed).toHaveLength(APPAREL.flatMap(offersOf).length)
  for (const { gender, age_group, color, size, item_group_id } of dressed) {
    expect({ gender, age_group }).toEqual({ gender: 'unisex', age_group: 'adult' })
    for (const value of [color, size, item_group_id]) expect(value).not.toBe('')
  }
})

test('what has sold out is stated in every feed, and may be listed all the same', async () => {
  const { ask, deps } = await testStore()
  const id = 'ao-1001-s-pine'
  await deps.db.update(stock).set({ quantity: 0 }).where(eq(stock.offer_id, id))
  const get = async (format: FeedFormat) => (await ask(FEED_FILES[format].path)).body
  for (const format of ['google-tsv', 'openai-tsv', 'openai-jsonl'] as const) {
    const line = (await get(format)).split('\n').find((each) => each.includes(id))
    expect(line).toContain('out_of_stock')
  }
  const [item] = (await get('google-xml')).split('<item>').slice(1)
  expect(item).toContain('<g:availability>out_of_stock<')
  const [product = ''] = (await get('acp-products')).split('\n')
  const [variant, next] = AcpProduct.parse(JSON.parse(product)).variants
  expect(variant).toMatchObject({ id, availability: { available: false, status: 'out_of_stock' } })
  expect(next).toMatchObject({ availability: { available: true, status: 'in_stock' } })
})

test('ACP knows the feed by the host of the store', () => {
  expect(JSON.parse(textOf('acp-metadata'))).toEqual({
    id: 'feed_shop.example',
    target_country: 'US',
    updated_at: NOON.toISOString(),
  })
})

test('each feed has an address, another where it is compressed, and both may be cached', async () => {
  const { store } = await testStore()
  // The second host changes answers of other paths: they pass through its faults as text.
  for (const host of ['shop.example', 'feed-unreadable.example']) {
    for (const format of FEED_FORMATS) {
      const { path, type } = FEED_FILES[format]
      const [plain, packed] = await Promise.all(
        [path, `${path}.gz`].map((each) => store.request(`http://${host}${each}`)),
      )
      expect(plain!.headers.get('content-type')).toBe(type)
      expect(packed!.headers.get('content-type')).toBe('application/gzip')
      expect(packed!.headers.get('content-encoding')).toBeNull()
      for (const { status, headers } of [plain!, packed!]) {
        expect({ status, cache: headers.get('cache-control') }).toEqual({
          status: 200,
          cache: 'public, max-age=300',
        })
      }
      const unpacked = gunzipSync(new Uint8Array(await packed!.arrayBuffer())).toString()
      if (host === 'shop.example') expect(unpacked).toBe(await plain!.text())
      expect(unpacked.length).toBeGreaterThan(format === 'acp-metadata' ? 50 : 50_000)
    }
  }
  expect((await store.request('http://shop.example/feeds/none.tsv.gz')).status).toBe(404)
})

test("OpenAI's feed is there as Parquet too, and the store's feeds would be listed by OpenAI", async () => {
  const { store } = await testStore()
  const answer = await store.request('http://shop.example/feeds/openai.parquet')
  expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet')
  const file = parquetInMemory(new Uint8Array(await answer.arrayBuffer()))
  const options = { destinations: ['openai'], mostIds: 10_000 } as const
  const parquet = await readParquetUpload(file, options)
  const lines = createUploadReader(options)
  await lines.write(Buffer.from(textOf('openai-jsonl')))
  for (const { problem, check } of [parquet, await lines.end()]) {
    expect(problem).toBeNull()
    expect(check).toMatchObject({ rows: OFFERS.length, left_out: 0 })
    expect(check.destinations[0]?.causes).toEqual([])
  }
})

test('the feeds that pages declare are there, in the format that they name', async () => {
  const { ask } = await testStore()
  const { body } = await ask('/')
  const links = [...body.matchAll(/<link rel="alternate" type="([^"]+)" [^>]*href="([^"]+)">/g)]
  expect(links.map(([, , href]) => href)).toEqual(
    FEED_FORMATS.filter((format) => format !== 'acp-metadata').map(
      (format) => FEED_FILES[format].path,
    ),
  )
  for (const [, type = '', href = ''] of links.slice(1)) {
    expect((await ask(href)).headers.get('content-type')?.split(';')[0]).toBe(type)
  }
})
