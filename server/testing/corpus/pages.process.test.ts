import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Interpreter, runCorpus } from './pages.ts'
import { priceOfText } from './prediction.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  await mkdir(join(folder, 'pages'))
})
afterEach(() => rm(folder, { recursive: true }))

const NO_PYTHON: Interpreter = { python: '/no/such/python', required: false }

const product = (values: object, offer: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', ...values, offers: { '@type': 'Offer', ...offer } })}</script>`

const write = (name: string, content: string | Buffer) =>
  writeFile(join(folder, 'pages', name), content)

async function run(
  pages: { html: string; truth: Record<string, unknown> }[],
  interpreter = NO_PYTHON,
) {
  const truth: Record<string, unknown> = {}
  for (const [index, page] of pages.entries()) {
    truth[index] = { url: `https://shop.example/p/${index}-B778`, ...page.truth }
    await write(`${index}.html.gz`, gzipSync(page.html))
  }
  await write('truth.json', JSON.stringify(truth))
  const lines: string[] = []
  return { result: await runCorpus(folder, (line) => lines.push(line), interpreter), lines }
}

test('counts what is right, wrong and missed, by the rule of the benchmark', async () => {
  const { result, lines } = await run([
    { html: product({}, { price: '19.50' }), truth: { price: ['19.5'] } },
    { html: product({}, { price: '2499' }), truth: { price: ['24.99'] } },
    { html: product({}, { price: '24,99 €' }), truth: { price: ['24.99', '20'] } },
    { html: '<h1>no markup</h1>', truth: { price: ['1'] } },
    // A value where the truth has none is wrong, and no value there is neither.
    { html: product({}, { price: '5' }), truth: {} },
    { html: '<h1>no markup</h1>', truth: {} },
  ])
  const { price, sku } = result.fields
  expect(price).toMatchObject({ right: 2, wrong: 2, missed: 2, none_in_truth: 2 })
  expect([price.precision.value, price.recall.value, price.f1.value]).toEqual([0.5, 0.5, 0.5])
  expect(price.f1.low).toBeLessThan(0.5)
  expect(price.f1.high).toBeGreaterThan(0.5)
  expect(price.f1.deviation).toBeGreaterThan(0)
  // Nothing predicted, nothing missed.
  expect(sku).toMatchObject({ right: 0, wrong: 0, missed: 0, none_in_truth: 6 })
  expect(sku.f1).toMatchObject({ value: 1, low: 1, high: 1, deviation: 0 })
  expect(lines[1]).toContain('extruct: not found')
  expect(lines[3]).toMatch(/^price +Aisle +0\.500 \[0\.\d\d, 0\.\d\d\] .* 2 +2 +2 +2$/)
  expect(result.extruct).toBeNull()
})

test('what has no stock stated is in stock for InStock and OutOfStock, and nothing else', async () => {
  const { result } = await run([
    { html: product({}, {}), truth: { availability: ['InStock'], InStock: ['InStock'] } },
    {
      html: product({}, { availability: 'SoldOut' }),
      truth: { availability: ['OutOfStock'], OutOfStock: ['OutOfStock'] },
    },
  ])
  expect(result.fields.availability).toMatchObject({ right: 1, wrong: 0, missed: 1 })
  expect(result.fields.InStock).toMatchObject({ right: 1, wrong: 0, missed: 0 })
  expect(result.fields.OutOfStock).toMatchObject({ right: 1, wrong: 0, missed: 0 })
})

test('the figures are the same in every run', async () => {
  const pages = ['1', '2', '3'].map((price) => ({
    html: product({}, { price }),
    truth: { price: ['1', '2'] },
  }))
  expect((await run(pages)).result.fields).toEqual((await run(pages)).result.fields)
})

test.each([
  ['currency', product({}, { priceCurrency: 'EUR' }), { currency: ['€'] }],
  ['currency', product({}, { priceCurrency: 'RON' }), { currency: ['Lei'] }],
  ['currency', product({}, { priceCurrency: 'NZD' }), { currency: ['nzd'] }],
  ['brand', product({ brand: 'KÄRCHER' }, {}), { brand: ['Kärcher'] }],
  ['brand', product({ brand: '$metabrand' }, {}), {}],
  ['brand', product({ brand: '{{ brand }}' }, {}), {}],
  ['brand', product({ brand: 'undefined' }, {}), {}],
  ['gtin', product({ gtin13: '4 006381 333931' }, {}), { gtin: ['04006381333931'] }],
  ['gtin', product({}, { gtin: '4006381333931' }), { gtin: ['4006381333931'] }],
  ['gtin', product({ gtin: '0000' }, {}), {}],
  ['sku', product({ productID: 'VE900' }, {}), { sku: ['VE900'] }],
  ['sku', product({ sku: '9', productID: 'B778' }, {}), { sku: ['B778'] }],
  ['sku', product({}, { sku: '9' }), { sku: ['9'] }],
] as const)('%s: %s is right', async (field, html, truth) => {
  const { result } = await run([{ html, truth }])
  const found = Object.keys(truth).length
  expect(result.fields[field]).toMatchObject({ right: found, wrong: 0, missed: 0 })
})

test('a sku is compared as it is', async () => {
  const { result } = await run([
    { html: product({ sku: 've-900' }, {}), truth: { sku: ['VE-900'] } },
  ])
  expect(result.fields.sku).toMatchObject({ right: 0, wrong: 1, missed: 1 })
})

test('several products of one name have no number in common', async () => {
  const html = ['4006381333931', '4006381333948']
    .map((gtin, at) => product({ name: 'Boot', sku: `${at}`, gtin }, {}))
    .join('')
  const { result } = await run([{ html, truth: { sku: ['boot-1'] } }])
  expect(result.fields.sku).toMatchObject({ right: 0, wrong: 0, missed: 1 })
  expect(result.fields.gtin).toMatchObject({ wrong: 0, none_in_truth: 1 })
})

test.each([
  ['19.50', '19.50'],
  ['1.299', '1.299'],
  ['26,00 €', '26.00'],
  ['EUR 26,00', '26.00'],
  ['1.299,95', '1299.95'],
  ['$1,299.00', '1299.00'],
  ['1 299,00 kr', '1299.00'],
  ['12 Kč', '12'],
  ['1,299', null],
  ['12,5', null],
  ['19.99 - 29.99', null],
  ['from 19.99', null],
  ['', null],
  [`${'1'.repeat(100_000)},`, null],
])('the price %j is %j', (text, price) => {
  expect(priceOfText(text)).toBe(price)
})

// --- extruct ----------------------------------------------------------------------------------

/** A program in place of Python: says a version when it is asked, and reads every page alike. */
async function interpreterOf(data: unknown): Promise<Interpreter> {
  const python = join(folder, 'python')
  const answers = `
    if (!process.argv[3].includes('sys.stdin')) { console.log('9.8.7') } else {
      process.stdin.setEncoding('utf8').on('data', (text) => {
        for (const line of text.trim().split('\\n'))
          console.log(JSON.stringify({ id: JSON.parse(line).id, data: ${JSON.stringify(data)} }))
      })
    }`
  await writeFile(python, `#!${process.execPath}\n${answers}`, { mode: 0o755 })
  return { python, required: true }
}

test('extruct stands beside it: microdata, then JSON-LD, then Open Graph', async () => {
  const { result, lines } = await run(
    [{ html: '', truth: { price: ['12.5'], sku: ['a'], brand: ['Acme'], currency: ['EUR'] } }],
    await interpreterOf({
      microdata: [{ '@type': 'Product', offers: [{ price: '12.50', availability: 'x/SoldOut' }] }],
      'json-ld': [
        { '@type': 'WebPage' },
        { '@type': ['Product'], sku: 'a', brand: { name: 'Acme' }, offers: { price: 99 } },
      ],
      opengraph: [{ 'og:sku': 'b', 'product:price:currency': 'EUR', 'product:price:amount': '1' }],
    }),
  )
  expect(result.extruct?.version).toBe('9.8.7')
  for (const field of ['price', 'sku', 'brand', 'currency'] as const) {
    expect(result.extruct?.fields[field]).toMatchObject({ right: 1, wrong: 0, missed: 0 })
  }
  expect(result.extruct?.fields.OutOfStock).toMatchObject({ right: 0, wrong: 1 })
  expect(result.fields.price).toMatchObject({ right: 0, missed: 1 })
  expect(lines.slice(3, 5).map((line) => line.split(/ +/).slice(0, 3))).toEqual([
    ['price', 'Aisle', '0.000'],
    ['price', 'extruct', '1.000'],
  ])
})

test('a page that extruct cannot read predicts nothing', async () => {
  const { result } = await run([{ html: '', truth: { price: ['1'] } }], await interpreterOf(null))
  expect(result.extruct?.fields.price).toMatchObject({ right: 0, wrong: 0, missed: 1 })
})

// --- What is not a corpus -----------------------------------------------------------------------

const TRUTH = JSON.stringify({ a: { url: 'https://shop.example/' } })

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['no pages', () => rm(join(folder, 'pages'), { recursive: true }), /is not a corpus/],
  ['no truth', async () => {}, /truth\.json cannot be read/],
  ['truth that is not JSON', () => write('truth.json', '{'), /not a JSON object/],
  ['truth that is a list', () => write('truth.json', '[]'), /not a JSON object/],
  ['truth without a url', () => write('truth.json', '{"a":{"price":[]}}'), /"a" has no "url"/],
  ['a missing page', () => write('truth.json', TRUTH), /entry "a", but pages\/a\.html\.gz/],
  [
    'a broken gzip',
    async () => {
      await write('truth.json', TRUTH)
      await write('a.html.gz', gzipSync('<h1>a</h1>').subarray(0, 20))
    },
    /pages\/a\.html\.gz is not valid gzip/,
  ],
  [
    'a page without truth',
    async () => {
      await write('truth.json', TRUTH)
      await write('a.html.gz', gzipSync(''))
      await write('b.html.gz', gzipSync(''))
    },
    /pages\/b\.html\.gz has no entry/,
  ],
])('%s is an error that says what to do', async (_, make, message) => {
  await make()
  const running = runCorpus(folder, () => {}, NO_PYTHON)
  await expect(running).rejects.toMatchObject({
    name: 'CorpusError',
    message: expect.stringMatching(message),
  })
})

test('an interpreter without extruct that was named is an error', async () => {
  const running = run([{ html: '', truth: {} }], { ...NO_PYTHON, required: true })
  await expect(running).rejects.toThrow(/\/no\/such\/python cannot import extruct/)
})
