import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { CommandError } from '../terminal/command-error.ts'
import { readTerminal } from '../testing/read-terminal.ts'
import { type FeedCheckFlags, feedCheckCommand } from './check.ts'

const NAMES = ['id', 'title', 'description', 'link', 'image_link', 'availability', 'price', 'brand']
const GOOD = [
  ...['T-1', 'Tent', 'Two people, three seasons.', 'https://shop.example/p/1'],
  ...['https://shop.example/1.jpg', 'in_stock', '249.00 USD', 'Fjell'],
]
const BAD = GOOD.map((value, n) =>
  n === 0 ? 'T-2' : n === 3 ? 'https://shop.example/p/2' : n === 6 ? '249' : value,
)
const table = (...rows: string[][]) => [NAMES, ...rows].map((row) => row.join('\t')).join('\n')

const FILES: Record<string, string | Uint8Array> = {
  'good.tsv': table(GOOD),
  'bad.tsv': table(GOOD, BAD),
  'bad.tsv.gz': gzipSync(table(GOOD, BAD)),
  'bad.parquet': new Uint8Array(
    parquetWriteBuffer({
      columnData: NAMES.map((name, n) => ({ name, data: [GOOD[n] ?? '', BAD[n] ?? ''] })),
    }),
  ),
  'cut.gz': gzipSync(table(GOOD)).subarray(0, -9),
}

interface ShopPage {
  status?: number
  html: string
}
const markedUp = (more: Record<string, unknown>, offer: Record<string, unknown> = {}): ShopPage => {
  const product = {
    ...{ '@context': 'https://schema.org', '@type': 'Product', name: 'Tent' },
    ...{ image: 'https://cdn.example/large/1_800x.jpg?v=2', ...more },
    offers: {
      ...{ '@type': 'Offer', price: '249.00', priceCurrency: 'USD' },
      ...{ availability: 'https://schema.org/InStock', ...offer },
    },
  }
  const json = JSON.stringify(product)
  return {
    html: `<title>Tent</title><h1>Tent</h1><script type="application/ld+json">${json}</script>`,
  }
}
const variant = (gtin13: string, price: string) => ({
  ...{ '@type': 'Product', name: `Tent ${price}`, gtin13 },
  offers: { '@type': 'Offer', price, priceCurrency: 'USD', availability: 'InStock' },
})
const PAGES: Record<string, ShopPage> = {
  '/p/same': markedUp({}),
  '/p/price': markedUp({}, { price: '199.00' }),
  '/p/currency': markedUp({}, { priceCurrency: 'CAD' }),
  '/p/availability': markedUp({}, { availability: 'https://schema.org/OutOfStock' }),
  '/p/title': { html: markedUp({ name: 'Stove' }).html.replaceAll('>Tent<', '>Stove<') },
  '/p/image': markedUp({ image: 'https://shop.example/9.jpg' }),
  '/p/gone': { status: 404, html: '' },
  '/p/shut': { status: 403, html: '' },
  '/p/failing': { status: 503, html: '' },
  '/p/bare': { html: '<title>Tent</title><h1>Tent</h1>' },
  '/p/variants': markedUp({
    '@type': 'ProductGroup',
    offers: undefined,
    hasVariant: [variant('4006381333931', '249.00'), variant('4012345678901', '299.00')],
  }),
}
let asked: string[] = []
let keys: string[] = []

const folder = await mkdtemp(join(tmpdir(), 'feed-check-'))
let server: Awaited<ReturnType<typeof onLoopback>>
beforeAll(async () => {
  await Promise.all(
    Object.entries(FILES).map(([name, text]) => writeFile(join(folder, name), text)),
  )
  server = await onLoopback((request, response) => {
    asked.push(`${request.headers.host}${request.url}`)
    keys.push(String(request.headers['x-crawl'] ?? ''))
    const page = PAGES[request.url?.replace(/\?.*$/, '') ?? '']
    if (page !== undefined) {
      response.writeHead(page.status ?? 200, { 'content-type': 'text/html' })
      response.end(page.html)
      return
    }
    const file = FILES[request.url?.slice(1) ?? '']
    response.writeHead(file === undefined ? 404 : 200)
    response.end(file)
  })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function run(source: string, flags: FeedCheckFlags = {}) {
  const { terminal, read, remarks } = readTerminal()
  const config = readConfig({
    BASE_URL: 'https://aisle.example',
    TEST_HOSTS: `shop.example=${server.origin},other.example=${server.origin}`,
  })
  const deps = { terminal, now: () => new Date('2026-12-01T00:00:00Z') }
  const code = await feedCheckCommand(source, flags, config, deps)
  return { code, said: read(), remarks: remarks() }
}
const inFolder = (name: string) => join(folder, name)

test.each([
  ['good.tsv', 0, 'ready', 'all 1 would be listed'],
  ['bad.tsv', 1, 'not ready', '1 of 2 would be left out'],
  [
    'bad.tsv.gz',
    1,
    'tab-separated values in the names of Google, gzip',
    '1 of 2 would be left out',
  ],
  ['bad.parquet', 1, 'Parquet in the names of Google', '1 of 2 would be left out'],
  ['cut.gz', 1, 'Its gzip data ends too early.', 'not ready'],
])('%s, from a file and from an address: exit code %d', async (name, code, first, second) => {
  for (const source of [inFolder(name), `https://shop.example/${name}`]) {
    const ran = await run(source, { for: 'google' })
    expect(ran.code).toBe(code)
    expect(ran.said).toContain(first)
    expect(ran.said).toContain(second)
  }
})

test('the product is named with its row, its id and its address, and the page of the rule', async () => {
  const { said } = await run(inFolder('bad.tsv'), { for: 'google' })
  expect(said).toContain('row 2 (T-2) https://shop.example/p/2: 249')
  expect(said).toContain('https://support.google.com/merchants/answer/7052112')
})

test('JSON has the same, and --products every product that is left out', async () => {
  const products = inFolder('products.jsonl')
  const { code, said, remarks } = await run(inFolder('bad.tsv'), { json: true, products })
  expect(code).toBe(1)
  const result = JSON.parse(said)
  expect(result).toMatchObject({ kind: 'tsv', names: 'google', products: 2, left_out: 2 })
  const names = result.destinations.map(({ destination }: { destination: string }) => destination)
  expect(names).toEqual(['openai', 'google', 'microsoft', 'meta', 'stripe', 'paypal'])
  expect(remarks).toEqual([`Wrote ${products}.`])
  const lines = (await readFile(products, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { row: 1, id: 'T-1' },
    { row: 2, id: 'T-2', link: 'https://shop.example/p/2', title: 'Tent' },
  ])
})

describe('where there is no feed to read, it says what to do', () => {
  test.each<[string, FeedCheckFlags, string]>([
    ['none.tsv', {}, 'does not exist. Check its name and the folder.'],
    ['', {}, 'is a folder. Name a file in it.'],
    ['good.tsv', { for: 'bing' }, '--for does not know "bing". It takes openai, google'],
    ['https://shop.example/none.tsv', {}, 'answers with status 404. Check the address'],
    ['https://', {}, 'is not a valid URL'],
    ['https://10.0.0.1/feed.tsv', {}, 'Check the address and try again.'],
  ])('%s %j', async (source, flags, message) => {
    const named = source.startsWith('https:') ? source : inFolder(source)
    const failure = await run(named, flags).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CommandError)
    expect(String((failure as CommandError).message)).toContain(message)
  })
})

describe('beside the shop', () => {
  const GTIN = [...NAMES, 'gtin']
  const feedOf = (link: string, gtin = '') =>
    [GTIN, [...GOOD.map((value, n) => (n === 3 ? link : value)), gtin]]
      .map((row) => row.join('\t'))
      .join('\n')
  const compare = async (link: string, flags: FeedCheckFlags = {}, gtin = '') => {
    await writeFile(inFolder('online.tsv'), feedOf(link, gtin))
    asked = []
    keys = []
    const ran = await run(inFolder('online.tsv'), {
      ...{ for: 'google', compare: true as const, json: true, ...flags },
    })
    const { online } = JSON.parse(ran.said)
    return { code: ran.code, online, product: online.products[0] }
  }

  test.each(['price', 'currency', 'availability', 'title', 'image'])(
    'a page with another %s differs in that alone',
    async (what) => {
      const { code, product } = await compare(`https://shop.example/p/${what}`)
      expect(product.differences.map((each: { what: string }) => each.what)).toEqual([what])
      expect(product.differences[0].where).toBe('page')
      expect(code).toBe(1)
    },
  )

  test.each([
    ['the same', 'https://shop.example/p/same', ''],
    ['the variant with its number', 'https://shop.example/p/variants?v=2', '04006381333931'],
  ])('%s does not differ', async (_name, link, gtin) => {
    const { code, product } = await compare(link, {}, gtin)
    expect(product).toMatchObject({ compared: ['page'], differences: [], unread: null })
    expect(code).toBe(0)
  })

  test('a variant is compared with its own price, and one that no page has is named', async () => {
    const dearer = await compare('https://shop.example/p/variants?v=2', {}, '4012345678901')
    expect(dearer.product.differences).toMatchObject([{ what: 'price' }])
    const none = await compare('https://shop.example/p/variants', {}, '4070071967072')
    expect(none.product.differences).toMatchObject([{ what: 'variant' }])
  })

  test('a page that is gone is a difference; what we do not get to see is none', async () => {
    const gone = await compare('https://shop.example/p/gone')
    expect(gone.product.differences).toMatchObject([{ what: 'page' }])
    for (const [path, why] of [
      ['shut', 'answered 403'],
      ['failing', 'answered 503'],
      ['bare', 'no product was found in the markup'],
    ]) {
      const { code, product } = await compare(`https://shop.example/p/${path}`)
      expect(product).toMatchObject({ compared: [], differences: [] })
      expect(product.unread).toContain(why)
      expect(code).toBe(0)
    }
  })

  test("another host than the feed's shop is not asked, unless it is named", async () => {
    await writeFile(
      inFolder('two.tsv'),
      [NAMES, GOOD, GOOD.map((value, n) => (n === 0 ? 'T-3' : value)), BAD]
        .map((row) => row.join('\t'))
        .join('\n')
        .replaceAll('shop.example/p/2', 'other.example/p/same'),
    )
    asked = []
    const ran = await run(inFolder('two.tsv'), { compare: '10', json: true })
    const { online } = JSON.parse(ran.said)
    expect(online.shop).toBe('shop.example')
    expect(online.products[2].unread).toContain('ask for it with --shop other.example')
    expect(asked.filter((each) => each.startsWith('other.example'))).toEqual([])
    const named = await run(inFolder('two.tsv'), {
      compare: '10',
      shop: 'other.example',
      json: true,
    })
    expect(JSON.parse(named.said).online.products[2].compared).toEqual(['page'])

    FILES['far.tsv'] = feedOf('https://shop.example/p/same')
    asked = []
    const far = await run('https://other.example/far.tsv', { compare: true, json: true })
    expect(JSON.parse(far.said).online).toMatchObject({ shop: null, products: [] })
    expect(asked).toEqual(['other.example/far.tsv'])
  })

  test("the owner's headers go to the shop, and the text says what differs", async () => {
    const flags = { header: ['X-Crawl: a-crawl-key-of-mine'] }
    const { online } = await compare('https://shop.example/p/price', flags)
    expect(keys).toContain('a-crawl-key-of-mine')
    expect(online.seen_with).toMatchObject({ sent: ['headers'] })
    const { said } = await run(inFolder('online.tsv'), { for: 'google', compare: true, ...flags })
    expect(said).toContain('1 compared: 0 the same, 1 different, 0 not read')
    expect(said).toContain('price: row 1 (id T-1) costs 249.00 USD in the feed and 199.00 USD')
    expect(said).not.toContain('a-crawl-key-of-mine')
  })

  test('only a sample is asked for, all over the feed and each page once', async () => {
    const rows = Array.from({ length: 1000 }, (_, n) =>
      GOOD.map((value, k) =>
        k === 0 ? `T-${n}` : k === 3 ? `https://shop.example/p/same?n=${n}` : value,
      ),
    )
    await writeFile(inFolder('many.tsv'), table(...rows))
    const first = await run(inFolder('many.tsv'), { for: 'google', compare: '4', json: true })
    const { products } = JSON.parse(first.said).online
    const places = products.map(({ row }: { row: number }) => row)
    expect(places).toHaveLength(4)
    expect(places[3]).toBeGreaterThan(600)
    const again = await run(inFolder('many.tsv'), { for: 'google', compare: '4', json: true })
    expect(again.said).toBe(first.said)
  })

  test.each<[FeedCheckFlags, string]>([
    [{ compare: '0' }, '--compare takes a number of products from 1 to 100'],
    [{ compare: 'all' }, '--compare takes a number of products from 1 to 100'],
    [{ shop: 'shop.example' }, '--shop is for --compare'],
    [{ compare: true, shop: 'https://shop.example' }, '--shop takes the domain of the shop'],
  ])('%j', async (flags, message) => {
    const failure = await run(inFolder('good.tsv'), flags).catch((error: unknown) => error)
    expect(String((failure as CommandError).message)).toContain(message)
  })
})
