import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, describe, expect, test } from 'vitest'
import { checkFeed } from '../../../audit/check-feed.ts'
import { createJudges } from '../../../audit/judging/judges.ts'
import { createFetcher } from '../../../audit/probe/fetch/fetch.ts'
import { parseTestHosts } from '../../../audit/probe/fetch/test-hosts.ts'
import { testApp } from '../../../testing/app.ts'
import { onLoopback } from '../../../testing/on-loopback.ts'
import { program } from '../../../testing/program.ts'
import { BROWSER, HOSTILE, unescaped } from '../testing/tools.ts'

const HEAD = 'id,title,description,link,image_link,availability,price,brand,mpn\n'
const line = (n: number, price = '249.00 EUR') =>
  `T-${n},Tent ${n},Two people.,https://shop.example/p/${n},https://shop.example/${n}.jpg,in_stock,${price},Fjell,FJ-${n}\n`
const FEED = HEAD + line(1) + line(2, '')

const server = await onLoopback((request, response) => {
  if (request.url === '/feed.csv') response.end(FEED)
  else response.writeHead(404).end()
})
const judges = createJudges({ file: await program('judging-worker') })
const fetcher = createFetcher({
  userAgent: 'test',
  testHosts: parseTestHosts(`shop.example=${server.origin}`, 'test'),
})
const { app } = await testApp({
  checkFeed: async (source, destinations) => {
    const { request } = fetcher.open()
    return checkFeed(source, destinations, {
      ...{ request, judges, signal: new AbortController().signal },
    })
  },
})
afterAll(async () => {
  await judges.close()
  await fetcher.close()
  await server.close()
})

async function send(fields: [string, string | Blob, string?][], headers = {}) {
  const body = new FormData()
  for (const [name, value, file] of fields) {
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, value, file)
  }
  const answer = await app.request('/tools/feed', {
    ...{ method: 'POST', body, headers: { ...BROWSER, ...headers } },
  })
  const raw = await answer.text()
  return { status: answer.status, raw, html: unescaped(raw) }
}
const upload = (content: string | Uint8Array<ArrayBuffer>, name = 'feed.csv', ...to: string[]) =>
  send([
    ...to.map((each): [string, string] => ['for', each]),
    ['url', ''],
    ['feed', new Blob([content]), name],
  ])

test('a file is checked for the chosen destinations, product by product and by cause', async () => {
  const { status, html } = await upload(FEED, 'feed.csv', 'google')
  expect(status).toBe(200)
  expect(html).toContain('1 of 2 products would be left out')
  expect(html).toContain('price is missing')
  expect(html).toContain('<a href="https://shop.example/p/2"')
  expect(html).toContain('Google: price is missing')
  expect(html).not.toContain('https://shop.example/p/1')
  expect(html).not.toContain('Microsoft: ')
  const all = await upload(FEED)
  expect(all.html).toContain('Microsoft: ')
})

test.each<[string, string | Uint8Array<ArrayBuffer>]>([
  ['gzip', new Uint8Array(gzipSync(FEED))],
  ['JSON Lines', `${JSON.stringify({ item_id: '1', title: 'T', url: 'https://a.example/' })}\n`],
  [
    'Parquet',
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'id', data: ['1', '2'] },
          { name: 'title', data: ['T', 'U'] },
        ],
      }),
    ),
  ],
])('%s is read as well', async (_name, content) => {
  expect((await upload(content)).html).toMatch(/of \d products? would be left out/)
})

test('an address is fetched, and what is wrong with it is said next to it', async () => {
  const found = await send([
    ['for', 'google'],
    ['url', 'shop.example/feed.csv'],
  ])
  expect(found.html).toContain('1 of 2 products would be left out')
  for (const [url, why] of [
    ['https://shop.example/other', /It answers with status 404/],
    ['https://10.0.0.1/feed.csv', /Check the address and try again/],
    ['', /Choose a file, or type the address/],
  ] as const) {
    const refused = await send([['url', url]])
    expect(refused.status).toBe(422)
    expect(refused.html).toMatch(why)
  }
})

describe('what a stranger sends', () => {
  test('no value of a feed is markup', async () => {
    const rows = HOSTILE.map((text) => `"${text.replaceAll('"', '""')}"`).map(
      (cell) => `${cell},${cell},,${cell},,${cell}\n`,
    )
    const { raw, html } = await upload(HEAD + rows.join(''), `${HOSTILE[0]}.csv`)
    expect(html).toContain('<script>alert(1)')
    expect(raw).not.toMatch(/<script>alert|<img src=x/)
    expect(raw).not.toMatch(/href="(?!https?:|\/|#)/)
  })

  test('what is no feed says so', async () => {
    const { status, html } = await upload('<!DOCTYPE html><html>', 'page.html')
    expect(status).toBe(200)
    expect(html).toContain('It is a web page')
  })

  test('a file over the limit is refused, with its length declared or not', async () => {
    const headers = { 'Content-Length': String(70 * 1024 * 1024) }
    expect((await send([['feed', new Blob([FEED]), 'a.csv']], headers)).status).toBe(413)
    const large = new Blob(Array.from({ length: 65 }, () => new Uint8Array(1024 * 1024)))
    const { status, html } = await send([['feed', large, 'a.csv']])
    expect([status, html]).toEqual([413, expect.stringContaining('The file is over 64 MiB')])
  })

  test('a form that breaks off, or is none, is refused', async () => {
    const post = (type: string, body: string) =>
      app.request('/tools/feed', {
        ...{ method: 'POST', body, headers: { ...BROWSER, 'Content-Type': type } },
      })
    const cut = '--x\r\nContent-Disposition: form-data; name="feed"; filename="a"\r\n\r\nid,title\n'
    expect((await post('multipart/form-data; boundary=x', cut)).status).toBe(400)
    expect((await post('multipart/form-data', cut)).status).toBe(415)
    expect((await post('text/csv', FEED)).status).toBe(415)
  })

  test('a feed from another site is not read', async () => {
    const { status } = await send([['feed', new Blob([FEED]), 'a.csv']], {
      'Sec-Fetch-Site': 'cross-site',
    })
    expect(status).toBe(403)
  })
})
