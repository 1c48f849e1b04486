import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../testing/free-port.ts'
import { createFetcher } from './fetch.ts'
import { createLocalShops, LocalShopAway } from './local-shops.ts'
import { BODY_CAPS } from './request.ts'
import type { TestHost } from './test-hosts.ts'

/** A shop that calls itself what it was asked for, as shops in development do. */
let shop: Server
let port: number
const testHosts: TestHost[] = []
const shops = createLocalShops(testHosts)
const fetcher = createFetcher({ userAgent: 'Aisle (test)', testHosts })

beforeAll(async () => {
  shop = createServer(async (request, response) => {
    const own = `http://${request.headers.host}`
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.url === '/moved') response.writeHead(302, { location: `${own}/` }).end()
    else if (request.url === '/picture') {
      response.writeHead(200, { 'content-type': 'image/png' }).end(`${own}/`)
    } else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ own, body, said: SAID.replaceAll('PORT', `${port}`) }))
    }
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  port = (shop.address() as AddressInfo).port
})

afterAll(async () => {
  await fetcher.close()
  await shops.close()
  shop.close()
})

/** What names the shop, and what only looks like it. */
const SAID = [
  String.raw`http:\/\/localhost:PORT\/a`,
  'http%3A%2F%2Flocalhost%3APORT%2Fa',
  '%22http%3A%5C%2F%5C%2Flocalhost%3APORT%5C%2Fa',
  String.raw`http:\u002F\u002Flocalhost:PORT\u002Fa`,
  '//127.0.0.1:PORT/a',
  'localhost:PORT1',
  'mylocalhost:PORT',
  'http://localhost:1/',
].join(' ')

const ask = async (path: string, json?: unknown) => {
  const session = fetcher.open()
  const url = `https://localhost-${port}.test${path}`
  const asked = { url, maxBytes: BODY_CAPS.page, ...(json !== undefined && { json }) }
  const method = json === undefined ? 'GET' : 'POST'
  const answer = await session.request({ ...asked, method }).finally(session.close)
  if (!('body' in answer)) throw new Error(JSON.stringify(answer))
  return answer
}

test('a shop on this machine is read by its name, and asked by its address', async () => {
  const domain = await shops.open(port)
  expect(domain).toBe(`localhost-${port}.test`)
  const answer = await ask('/cart', { return_to: `https://${domain}/cart` })
  expect(JSON.parse(answer.body)).toEqual({
    own: `https://${domain}`,
    body: `{"return_to":"https://${domain}/cart"}`,
    said: [
      String.raw`https:\/\/${domain}\/a`,
      `https%3A%2F%2F${domain}%2Fa`,
      `%22https%3A%5C%2F%5C%2F${domain}%5C%2Fa`,
      String.raw`https:\u002F\u002F${domain}\u002Fa`,
      `//${domain}/a`,
      `localhost:${port}1`,
      `mylocalhost:${port}`,
      'http://localhost:1/',
    ].join(' '),
  })
})

test('a redirect leads on below its name, and a picture is left as it is', async () => {
  const domain = await shops.open(port)
  expect(JSON.parse((await ask('/moved')).body).own).toBe(`https://${domain}`)
  expect((await ask('/picture')).body).toBe(`http://localhost:${port}/`)
})

test('a port that was not opened is not reached under any name', async () => {
  const other = await freePort()
  await expect(shops.open(other)).rejects.toThrow(LocalShopAway)
  await shops.open(port)
  const through = testHosts[0]?.origin ?? ''
  const headers = { host: `localhost-${other}.test` }
  const status = await new Promise((resolve) =>
    get(`${through}/`, { headers }, ({ statusCode }) => resolve(statusCode)),
  )
  expect(status).toBe(421)
})
