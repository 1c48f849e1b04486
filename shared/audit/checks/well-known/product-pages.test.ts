import { expect, test } from 'vitest'
import { readPage } from '../../../markup/page.ts'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import type { ProductPageSeen } from '../../evidence.ts'
import { judgeIndexing } from './product-pages.ts'

const URL_OF_PAGE = 'https://shop.example/p/oak?size=2'

function judge(head: string, header?: string, url = URL_OF_PAGE) {
  const seen: ProductPageSeen = {
    found_by: 'sitemap',
    page: readPage(`<head>${head}</head><h1>Oak</h1>`, url),
    fetched: answerFrom(url, { headers: header === undefined ? {} : { 'x-robots-tag': header } }),
  }
  return judgeIndexing({ productPages: [seen] })
}

test.each([
  ['<meta name="robots" content="noindex">', undefined],
  ['<meta name="Robots" content="NOINDEX, nofollow">', undefined],
  ['<meta name="robots" content="index"><meta name="bingbot" content="none">', undefined],
  ['', 'noindex'],
  ['', 'nofollow, NoIndex'],
  ['', 'otherbot: nofollow, googlebot: nosnippet, noindex'],
  ['', 'max-snippet: 50, noindex'],
  ['<link rel="canonical" href="/p/oak/?size=2">', 'none'],
  ['<link rel="canonical" href="/">', undefined],
  ['<link rel="canonical" href="https://www.shop.example/de/">', undefined],
  ['<link rel="canonical" href="http://localhost:3000/p/oak">', undefined],
  ['<link rel="canonical" href="http://10.0.0.7/p/oak">', undefined],
])('%s with the header %s refuses', (head, header) => {
  expect(judge(head, header)).toMatchObject({ kind: 'gap' })
})

test.each([
  ['', undefined],
  ['<meta name="robots" content="index, follow, max-image-preview:none">', undefined],
  ['<meta name="robots" content="max-image-preview: none, nofollow">', undefined],
  ['<meta name="googlebot-news" content="noindex">', undefined],
  ['<meta name="robots" content="nosnippet, noarchive">', undefined],
  ['', 'googlebot-news: noindex, nofollow'],
  ['', 'max-image-preview: none'],
  ['<link rel="canonical" href="https://shop.other.example/p/oak">', undefined],
  ['<link rel="canonical" href="https://other.example/">', undefined],
  ['<link rel="canonical" href="/p/oak?size=2">', undefined],
  ['', 'unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT'],
])('%s with the header %s refuses nothing', (head, header) => {
  expect(judge(head, header)).toEqual({ kind: 'pass', detail: undefined })
})

test('a page that names another address as its own may stay out', () => {
  const head = '<link rel="canonical" href="/p/oak"><meta name="robots" content="noindex">'
  expect(judge(head)).toMatchObject({ kind: 'skip' })
})

test('the home page of a shop of one product may name itself', () => {
  const head = '<link rel="canonical" href="/">'
  expect(judge(head, undefined, 'https://shop.example/?ref=x')).toMatchObject({ kind: 'pass' })
})

test('the detail names what was found, and where', () => {
  expect(judge('<meta name="robots" content="noindex">', 'noindex')).toEqual({
    kind: 'gap',
    detail: `${URL_OF_PAGE}: its meta element "robots" is "noindex"; X-Robots-Tag is "noindex".`,
    pages: [URL_OF_PAGE],
  })
})
