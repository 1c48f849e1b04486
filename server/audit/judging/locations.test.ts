import { expect, test } from 'vitest'
import { readLocations } from './locations.ts'

const urls = (count: number) =>
  Array.from({ length: count }, (_, n) => `<url><loc> https://shop.example/${n} </loc></url>`).join(
    '',
  )
const addresses = (count: number) =>
  Array.from({ length: count }, (_, n) => `https://shop.example/${n}`)

test.each<[string, string, number, boolean]>([
  ['a sitemap', `<?xml version="1.0"?><urlset>${urls(3)}</urlset>`, 3, false],
  ['an index', `<sitemapindex>${urls(2)}</sitemapindex>`, 2, true],
  [
    'a prefix',
    `<s:urlset xmlns:s="x">${urls(2).replaceAll('loc>', 's:loc>')}</s:urlset>`,
    2,
    false,
  ],
  ['a sitemap with a bare ampersand', `<urlset>${urls(1)}<a>&</a>${urls(0)}</urlset>`, 1, false],
  ['a sitemap that is cut', `<urlset>${urls(2)}<url><loc>https://sh`, 2, false],
  ['more than is read', `<urlset>${urls(2_500)}</urlset>`, 2_000, false],
  ['a page', `<!doctype html><html>${urls(3)}</html>`, 0, false],
  ['a feed', `<rss>${urls(3)}</rss>`, 0, false],
  ['nothing', '', 0, false],
])('%s', (_, xml, count, isIndex) => {
  expect(readLocations(xml)).toEqual({ locations: addresses(count), isIndex })
})

test('what is no XML ends the reading after some faults, each of which costs an Error', () => {
  const good = `<urlset>${urls(1)}`
  const bare = (count: number) => ']]>'.repeat(count)
  expect(readLocations(`${good}${bare(40)}${urls(1)}`).locations).toHaveLength(2)
  expect(readLocations(`${good}${bare(110)}${urls(1)}`).locations).toHaveLength(1)
  expect(readLocations(']]>'.repeat(700_000)).locations).toEqual([])
})
