import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { JUDGES_HERE } from '../../audit/judging/testing/judges-here.ts'
import { auditServed, describeServed, summarizeServed } from './served.ts'

const PAGES = {
  sold: {
    url: 'https://shop.example/tables/oak-table-120?size=l#top',
    html: '<title>Oak table</title><h1>Oak table</h1><p>€ 240</p><button>Add to cart</button>',
  },
  written: {
    url: 'https://paper.example/p/oak-tables',
    html: `<title>Oak tables</title><h1>Oak tables</h1>${'<p>They stand.</p>'.repeat(200)}`,
  },
}

test('each page is served at its own address, and what its audit came to is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'served-'))
  await mkdir(join(folder, 'pages'))
  const truth = Object.entries(PAGES).map(([id, { url }]) => [id, { url }])
  await writeFile(join(folder, 'pages', 'truth.json'), JSON.stringify(Object.fromEntries(truth)))
  for (const [id, { html }] of Object.entries(PAGES)) {
    await writeFile(join(folder, 'pages', `${id}.html.gz`), gzipSync(html))
  }
  const told: string[] = []
  const results = await auditServed(
    folder,
    ['sitemap', 'home'],
    (page) => told.push(page.id),
    JUDGES_HERE,
  )
  await rm(folder, { recursive: true })
  expect(told).toEqual(['sold', 'written', 'sold', 'written'])
  expect(results.map(({ id, way, judged, found_by }) => [id, way, judged, found_by])).toEqual([
    ['sold', 'sitemap', true, 'sitemap'],
    ['written', 'sitemap', false, null],
    ['sold', 'home', true, 'home_page_link'],
    ['written', 'home', false, null],
  ])
  const [sold, written] = results
  expect(sold?.gaps.map(({ id }) => id)).toContain('product_schema_missing')
  expect(written?.gaps.map(({ id }) => id)).not.toContain('product_schema_missing')
  expect(written?.reason).toContain(
    'https://paper.example/p/oak-tables: nothing on it can be bought',
  )
  expect(summarizeServed(results)).toBe('2 of 4 pages were judged')
  expect(results.flatMap(describeServed).join('\n')).toContain(
    'because the price "€ 240" stands by',
  )
})
