import { expect, test } from 'vitest'
import { readPage } from '../../../shared/markup/page.ts'
import { median } from '../../../shared/testing/median.ts'
import type { Collected } from '../collect/collected.ts'
import { auditPage } from './audit-page.ts'

const ROUNDS = 15
const URL_ = 'https://shop.example/products/mug'
/** A typical product page: a megabyte, most of it elements, some of it scripts. */
function megabytePage(): string {
  const product = (n: number) =>
    JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: `Mug ${n}`,
      url: `/products/${n}`,
      image: `https://shop.example/${n}.jpg`,
      offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'EUR' },
    })
  const blocks = Array.from(
    { length: 50 },
    (_, n) => `<script type="application/ld+json">${product(n)}</script>`,
  )
  const state = `<script>window.__STATE__=${JSON.stringify('x'.repeat(300_000))}</script>`
  const card = (n: number) =>
    `<li class="card card--wide" data-id="${n}"><a href="/products/${n}" title="Mug &amp; saucer ${n}"><img src="/${n}.jpg" alt="Mug ${n}" width="300" height="300" loading="lazy"><h3>Mug ${n}</h3><p>Fired twice, glazed by hand.</p></a></li>\n`
  let body = ''
  for (let n = 0; body.length < 690_000; n++) body += card(n)
  return `<!doctype html><html lang="en"><head><title>Mug</title>${blocks.join('')}${state}</head><body><ul>${body}</ul></body></html>`
}

test('the audit of a page of 1 MB costs little more than reading it twice', () => {
  const html = megabytePage()
  const collected: Collected = {
    url: URL_,
    content_type: 'text/html',
    status: 200,
    html,
    controls: readPage(html, URL_).controls,
    served: {
      kind: 'answer',
      status: 200,
      final_url: URL_,
      headers: {},
      body: html,
      truncated: false,
      ms: 0,
    },
  }
  const times: { audit: number; read: number }[] = []
  /** Milliseconds of this thread's work, as other programs may share the machine. */
  const timed = (work: () => unknown) => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  for (let round = 0; round < ROUNDS; round++) {
    const audit = timed(() => auditPage(collected, () => new Date()))
    const read = timed(() => [readPage(html, URL_), readPage(html, URL_)])
    times.push({ audit, read })
  }
  const ratio = median(times.map(({ audit, read }) => audit / read))
  const [first] = times
  process.stdout.write(
    `page audit of ${(html.length / 1e6).toFixed(2)} MB: ${median(times.map(({ audit }) => audit)).toFixed(0)} ms, ` +
      `${first?.audit.toFixed(0)} ms the first time (150 at most), ${ratio.toFixed(2)} of reading it twice\n`,
  )
  expect(ratio).toBeLessThan(1.5)
})
