import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { proxy } from 'hono/proxy'
import { localShopDomain, localShopPort } from '../../../../shared/web/address/local-shop.ts'
import type { TestHost } from './test-hosts.ts'

/** Shops on this machine that audits may read. */
export interface LocalShops {
  /**
   * The domain under which the shop at `http://localhost:<port>` is audited from now on. Throws
   * LocalShopAway where nothing answers there.
   */
  open(port: number): Promise<string>
  close(): Promise<void>
}

/** Nothing listens where a shop was said to be. */
export class LocalShopAway extends Error {
  constructor(port: number) {
    super(`Nothing answers at http://localhost:${port}. Start the shop, or check the port.`)
  }
}

/**
 * A shop is audited as if it were public: by https, under a name. So a proxy stands between, in
 * whose answers the shop's own addresses have that name. Nothing but ports that were opened is
 * reached through it. `testHosts` gets a row for each: the list that a fetcher reads.
 */
export function createLocalShops(testHosts: TestHost[]): LocalShops {
  const ports = new Set<number>()
  let server: Promise<ServerType> | null = null
  const app = new Hono().all('*', async (c) => {
    const port = localShopPort(c.req.header('host') ?? '')
    return port !== null && ports.has(port) ? pass(c, port) : c.text('no such shop', 421)
  })
  const listen = async (): Promise<ServerType> => {
    const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    await once(started, 'listening')
    return started
  }
  return {
    async open(port) {
      const domain = localShopDomain(port)
      await fetch(originOf(port), { method: 'HEAD', redirect: 'manual' }).catch(() => {
        throw new LocalShopAway(port)
      })
      server ??= listen()
      const { port: through } = (await server).address() as AddressInfo
      if (!ports.has(port)) {
        ports.add(port)
        testHosts.push({ pattern: domain, origin: `http://127.0.0.1:${through}` })
      }
      return domain
    },
    async close() {
      const started = await server
      if (started === null) return
      const closed = once(started, 'close')
      started.close()
      if ('closeAllConnections' in started) started.closeAllConnections()
      await closed
    },
  }
}

const originOf = (port: number): string => `http://localhost:${port}`

/** Binary content has no addresses of the shop in it that anyone follows. */
const HAS_ADDRESSES = /^(?:text\/|application\/(?!octet-stream|zip|pdf|vnd\.apache\.parquet))/

/** Hands a request on to a shop as its own, and its answer back as the named one's. */
async function pass(c: Context, port: number): Promise<Response> {
  const { outward, inward } = renaming(port)
  const url = new URL(c.req.url)
  const headers = new Headers([...c.req.raw.headers].map(([name, value]) => [name, inward(value)]))
  // Bytes that are not compressed can be renamed.
  headers.set('accept-encoding', 'identity')
  for (const name of ['host', 'content-length']) headers.delete(name)
  const body = await c.req.raw.text()
  const answer = await proxy(originOf(port) + url.pathname + url.search, {
    method: c.req.method,
    headers,
    ...(body !== '' && { body: inward(body) }),
    // A redirect is an answer like any other.
    customFetch: (request) => fetch(request, { redirect: 'manual' }),
  })
  const named = new Headers([...answer.headers].map(([name, value]) => [name, outward(value)]))
  if (!HAS_ADDRESSES.test(named.get('content-type') ?? 'text/html')) {
    return new Response(answer.body, { status: answer.status, headers: named })
  }
  named.delete('content-length')
  // As single bytes: in any encoding of pages, an address is ASCII.
  const bytes = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  const isEmpty = bytes === '' || [101, 204, 205, 304].includes(answer.status)
  const content = isEmpty ? null : Buffer.from(outward(bytes), 'latin1')
  return new Response(content, { status: answer.status, headers: named })
}

/**
 * Rewrites what a shop calls itself, `http://localhost:3000`, to its name, and back. Also as JSON
 * and in queries: `http:\/\/localhost:3000`, `http%3A%2F%2Flocalhost%3A3000`, and one in the other:
 * `http%3A%5C%2F%5C%2Flocalhost%3A3000`.
 */
function renaming(port: number) {
  const domain = localShopDomain(port)
  const slash = String.raw`(?:\\|%5C)*(?:/|%2F|u002F)`
  const scheme = `(?:http(:|%3A)(${slash}${slash}))`
  const host = String.raw`(?:localhost|127\.0\.0\.1|\[::1\])`
  // Without its port, a name is an address of the shop only after a scheme.
  const own =
    port === 80
      ? `${scheme}${host}(?::80)?(?!:|%3A|[\\w.-])`
      : `(?:(?<![\\w.-])|(?<=%[0-9A-F]{2}))${scheme}?${host}(?::|%3A)${port}(?!\\d)`
  const outwards = new RegExp(own, 'gi')
  const inwards = new RegExp(`https?://${domain}|${domain}`, 'gi')
  return {
    outward: (text: string): string =>
      text.replace(outwards, (_, colon?: string, slashes?: string) =>
        colon === undefined ? domain : `https${colon}${slashes}${domain}`,
      ),
    inward: (text: string): string =>
      text.replace(inwards, (found) =>
        found.includes('://') ? originOf(port) : `localhost:${port}`,
      ),
  }
}
