import { expect, test } from 'vitest'
import { readLocations } from './locations.ts'

const address = (n: number) => `https://shop.example/${n}`
const urls = (count: number) =>
  Array.from({ length: count }, (_, n) => `<url><loc> ${address(n)} </loc></url>`).join('')
const addresses = (count: number) => Array.from({ length: count }, (_, n) => address(n))

test.each<[string, string, number, boolean]>([
  ['a sitemap', `<?xml version="1.0"?><urlset>${urls(3)}</urlset>`, 3, false],
  ['an index', `<sitemapindex>${urls(2).replaceAll('url>', 'sitemap>')}</sitemapindex>`, 2, true],
  [
    'a prefix',
    `<s:urlset xmlns:s="x">${urls(2).replaceAll('loc>', 's:loc>').replaceAll('url>', 's:url>')}</s:urlset>`,
    2,
    false,
  ],
  ['a sitemap with a bare ampersand', `<urlset>${urls(1)}<a>&</a>${urls(0)}</urlset>`, 1, false],
  ['a sitemap that is cut', `<urlset>${urls(2)}<url><loc>https://sh`, 2, false],
  ['addresses line by line', addresses(3).join('\r\n'), 3, false],
  ['a page', `<!doctype html><html>${urls(3)}</html>`, 0, false],
  ['a feed', `<rss>${urls(3)}</rss>`, 0, false],
  ['nothing', '', 0, false],
])('%s', (_, xml, count, isIndex) => {
  const read = readLocations(xml)
  expect(read.locations.map(({ url }) => url)).toEqual(addresses(count))
  expect(read.isIndex).toBe(isIndex)
})

test.each([
  ['a bare ampersand', 'https://shop.example/p?a=1&b=2'],
  ['one at the end', 'https://shop.example/p?a=1&'],
  ['an escaped one', 'https://shop.example/p?a=1&amp;b=&#38;'],
  ['CDATA', '<![CDATA[https://shop.example/p?a=1&b=2]]>'],
  ['CDATA that is escaped', '<![CDATA[ https://shop.example/p?a=1&amp;b=2 ]]>'],
])('an address with %s, and the one after it', (_, written) => {
  const { locations } = readLocations(`<urlset><url><loc>${written}</loc></url>${urls(1)}</urlset>`)
  const plain = written.replace(/^<!\[CDATA\[ ?| ?\]\]>$/g, '').replace(/&(amp|#38);/g, '&')
  expect(locations.map(({ url }) => url)).toEqual([plain, address(0)])
})

test('of more than are kept, every part of the list is there', () => {
  const { locations } = readLocations(`<urlset>${urls(9_000)}</urlset>`)
  expect(locations.length).toBeLessThanOrEqual(2_000)
  expect(locations.length).toBeGreaterThan(1_000)
  expect(locations[0]?.url).toBe(address(0))
  expect(Number(locations.at(-1)?.url.split('/').at(-1))).toBeGreaterThan(8_900)
})

test('pictures are no pages, and other languages are kept apart', () => {
  const { locations, alternates } = readLocations(`<urlset xmlns:image="i" xmlns:xhtml="x">
    <url><loc>https://shop.example/a</loc>
      <image:image><image:loc>https://cdn.example/a.jpg</image:loc></image:image>
      <xhtml:link rel="alternate" hreflang="de" href="https://shop.example/de/a"/></url>
    <url><loc>https://shop.example/b</loc></url></urlset>`)
  expect(locations).toEqual([
    { url: 'https://shop.example/a', image: true },
    { url: 'https://shop.example/b', image: false },
  ])
  expect(alternates).toEqual(['https://shop.example/de/a'])
})

test('what is no XML ends the reading after some faults, each of which costs an Error', () => {
  const good = `<urlset>${urls(1)}`
  const bare = (count: number) => ']]>'.repeat(count)
  expect(readLocations(`${good}${bare(40)}${urls(1)}`).locations).toHaveLength(2)
  expect(readLocations(`${good}${bare(110)}${urls(1)}`).locations).toHaveLength(1)
  expect(readLocations(']]>'.repeat(700_000)).locations).toEqual([])
})
