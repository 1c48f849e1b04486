import { expect, test } from 'vitest'
import type { Exchange } from '../../transcript.ts'
import { withExcerpt } from './page-text.ts'

const exchange = (body: string): Exchange => ({
  request: { method: 'GET', url: 'https://shop.example/c', headers: {}, body: null, bytes: 0 },
  answer: { status: 200, headers: {}, body, bytes: body.length, cut: false },
  failure: null,
  ms: 1,
  at: '2026-11-23T10:00:00Z',
})

test('a transcript has the title of a page and what stands around the goods', () => {
  const far = '<p>Menu</p>'.repeat(5000)
  const page = `<title>Shop &amp; Co</title><style>p{}</style>${far}<td>Men&#39;s</td><td>Hat</td>${far}`
  const kept = withExcerpt(exchange(page), ["Men's Hat", 'v1'])
  expect(kept.answer).toMatchObject({ status: 200, bytes: page.length, cut: true })
  expect(kept.answer?.body).toMatch(/^Shop & Co\n….*Menu Men's Hat Menu/)
  expect(kept.answer?.body.length).toBeLessThan(700)
  expect(withExcerpt(exchange('<p>Nothing in it'), ['Hat']).answer?.body).toBe('Nothing in it')
})
