import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCorpus } from './pages.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  await mkdir(join(folder, 'pages'))
})
afterEach(() => rm(folder, { recursive: true }))

const product = (values: object, offer: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', ...values, offers: { '@type': 'Offer', ...offer } })}</script>`

async function run(pages: { html: string; truth: Record<string, unknown> }[]) {
  const truth: Record<string, unknown> = {}
  for (const [index, page] of pages.entries()) {
    truth[index] = { url: `https://shop.example/p/${index}-B778`, ...page.truth }
    await writeFile(join(folder, 'pages', `${index}.html.gz`), gzipSync(page.html))
  }
  await writeFile(join(folder, 'pages', 'truth.json'), JSON.stringify(truth))
  const lines: string[] = []
  return { result: await runCorpus(folder, (line) => lines.push(line)), lines }
}

test('counts what is right, wrong and missed', async () => {
  const { result, lines } = await run([
    { html: product({}, { price: '19.50' }), truth: { price: ['19.5'] } },
    { html: product({}, { price: '2499' }), truth: { price: ['24.99'] } },
    { html: product({}, { price: '24,99 €' }), truth: { price: ['24.99'] } },
    { html: '<h1>no markup</h1>', truth: { price: ['1'] } },
    { html: product({}, { price: '5' }), truth: {} },
  ])
  expect(result).toMatchObject({
    pages: 5,
    threw: 0,
    fields: { price: { right: 1, wrong: 1, missed: 3, precision: 0.5, recall: 0.25 } },
  })
  expect(lines).toHaveLength(7)
  expect(lines[1]).toBe('price         precision 0.500  recall 0.250  (1 right, 1 wrong, 3 missed)')
})

test.each([
  ['currency', product({}, { priceCurrency: 'EUR' }), { currency: ['€'] }],
  ['currency', product({}, { priceCurrency: 'RON' }), { currency: ['Lei'] }],
  ['currency', product({}, { priceCurrency: 'NZD' }), { currency: ['nzd'] }],
  ['brand', product({ brand: 'KÄRCHER' }, {}), { brand: ['Kärcher'] }],
  ['gtin', product({ gtin13: '4 006381 333931' }, {}), { gtin: ['04006381333931'] }],
  ['availability', product({}, { availability: 'SoldOut' }), { OutOfStock: ['OutOfStock'] }],
  ['sku', product({ productID: 'VE900' }, {}), { sku: ['VE900'] }],
  ['sku', product({ sku: '9', productID: 'B778' }, {}), { sku: ['B778'] }],
  ['sku', product({}, { sku: '9' }), { sku: ['9'] }],
] as const)('%s: %s is right', async (field, html, truth) => {
  const { result } = await run([{ html, truth }])
  expect(result.fields[field]).toMatchObject({ right: 1, wrong: 0, missed: 0 })
})

test('several products of one name have no sku in common', async () => {
  const html = ['1', '2'].map((sku) => product({ name: 'Boot', sku }, {})).join('')
  const { result } = await run([{ html, truth: { sku: ['boot-1'] } }])
  expect(result.fields.sku).toMatchObject({ right: 0, wrong: 0, missed: 1 })
})
