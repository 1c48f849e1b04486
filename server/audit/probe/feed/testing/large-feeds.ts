import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

// Feeds of any number of products, for benchmarks:
// node server/audit/probe/feed/testing/large-feeds.ts <folder> <rows> [form …]

/** Every hundredth product has an availability that no vendor knows. */
const productOf = (n: number) => ({
  id: `T-${n}`,
  title: `Tent ${n} for two people`,
  description: `${n} ${'Two people, three seasons, pitched in a minute and dry in a storm. '.repeat(6)}`,
  link: `https://shop.example/p/${n}`,
  image_link: `https://shop.example/media/${n}.jpg`,
  availability: n % 100 === 0 ? 'sold out' : 'in_stock',
  price: `${100 + (n % 50)}.00 EUR`,
  brand: 'Fjell',
  mpn: `FJ-${n}`,
  condition: 'new',
  google_product_category: '499713',
  product_type: 'Outdoor > Tents',
})

const openaiLine = (n: number): string => {
  const { id, link, image_link, ...rest } = productOf(n)
  const named = { item_id: id, url: link, image_url: image_link, seller_name: 'Fjell', ...rest }
  return `${JSON.stringify(named)}\n`
}

const elementsOf = (n: number): string =>
  Object.entries(productOf(n))
    .map(([name, value]) => `<g:${name}>${value.replace('>', '&gt;')}</g:${name}>`)
    .join('\n')

const tableWith = (delimiter: string, cell: (value: string) => string): FeedForm => ({
  head: `${Object.keys(productOf(1)).join(delimiter)}\n`,
  row: (n) => `${Object.values(productOf(n)).map(cell).join(delimiter)}\n`,
  tail: '',
})

/** A form of feed, made row by row. */
export interface FeedForm {
  head: string
  row: (n: number) => string
  tail: string
}

const GOOGLE = 'xmlns:g="http://base.google.com/ns/1.0"'

export const FEED_FORMS: Record<'rss' | 'atom' | 'csv' | 'tsv' | 'jsonl', FeedForm> = {
  rss: {
    head: `<?xml version="1.0"?><rss version="2.0" ${GOOGLE}><channel>\n`,
    row: (n) => `<item>${elementsOf(n)}</item>\n`,
    tail: '</channel></rss>\n',
  },
  atom: {
    head: `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" ${GOOGLE}>\n`,
    row: (n) => `<entry>${elementsOf(n)}</entry>\n`,
    tail: '</feed>\n',
  },
  csv: tableWith(',', (value) => `"${value}"`),
  tsv: tableWith('\t', (value) => value),
  jsonl: { head: '', row: openaiLine, tail: '' },
}

/** The text of a feed, some hundred rows at a time. */
function* textOf({ head, row, tail }: FeedForm, rows: number): Generator<string> {
  yield head
  for (let n = 1; n <= rows; n += 100) {
    const some = Math.min(100, rows - n + 1)
    yield Array.from({ length: some }, (_, k) => row(n + k)).join('')
  }
  yield tail
}

/** Writes a feed of so many products below a folder, and gives its path; `.gz` compresses it. */
export async function writeFeed(folder: string, form: string, rows: number): Promise<string> {
  const path = join(folder, `${rows}.${form}`)
  const made = Object.entries(FEED_FORMS).find(([name]) => name === form.replace(/\.gz$/, ''))?.[1]
  if (made === undefined) throw new Error(`There is no form ${form}.`)
  const text = Readable.from(textOf(made, rows))
  const file = createWriteStream(path)
  await (form.endsWith('.gz')
    ? pipeline(text, createGzip({ level: 1 }), file)
    : pipeline(text, file))
  return path
}

if (import.meta.main) {
  const [folder = '.', rows = '1000', ...forms] = process.argv.slice(2)
  for (const form of forms.length > 0 ? forms : Object.keys(FEED_FORMS)) {
    process.stdout.write(`${await writeFeed(folder, form, Number(rows))}\n`)
  }
}
