import { constants, setPriority } from 'node:os'
import { onLoopback } from '../../testing/on-loopback.ts'
import { HOSTILE_INPUTS, type HostileInput } from './hostile-inputs.ts'

// `node hostile-store.ts` prints its port. The n-th input is served as `h<n>.example`, and a large
// but honest shop as `honest<n>.example`; an audit reads each document where a shop has it.

// A store's own work is done on its own machine: here it gives way to the service.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const OFFER = '{"@type":"Offer","price":"5.00","priceCurrency":"EUR"}'
const card = (n: number) =>
  `<li class="card" data-id="${n}"><a href="/about/${n}" title="Mug &amp; saucer"><img src="/${n}.jpg" alt="Mug" width="300" height="300"><h3>Mug ${n}</h3><p>Fired twice, glazed by hand.</p></a></li>\n`
const HEAD =
  '<!doctype html><html lang="en"><head><title>Shop</title><link rel="alternate" type="application/rss+xml" href="/products-feed.xml">'
const PLAIN = `${HEAD}</head><body></body></html>`
const HONEST = `${HEAD}<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Mug","description":"For tea.","offers":${OFFER}}</script></head><body><ul>${Array.from({ length: 4_600 }, (_, n) => card(n)).join('')}</ul></body></html>`

const manifestOf = (host: string) =>
  JSON.stringify({
    version: '1.0',
    domain: host,
    capabilities: { product_catalog: { endpoint: `https://${host}/ucp/products` } },
  })
const catalogOf = (host: string) =>
  JSON.stringify({
    products: Array.from({ length: 5 }, (_, n) => ({
      id: `p${n}`,
      name: `Mug ${n}`,
      url: `https://${host}/products/${n}`,
      price: { amount: 500, currency: 'EUR' },
    })),
  })

function documentOf(host: string, path: string): { type: string; text: string } {
  const input: HostileInput = HOSTILE_INPUTS[Number(/^h(\d+)\./.exec(host)?.[1] ?? -1)] ?? {
    name: '',
  }
  const json = 'application/json'
  if (path === '/robots.txt') return { type: 'text/plain', text: input.robots?.() ?? '' }
  if (path === '/.well-known/ucp') {
    return { type: json, text: input.manifest?.() ?? manifestOf(host) }
  }
  if (path.startsWith('/ucp/products')) {
    return { type: json, text: input.catalog?.() ?? catalogOf(host) }
  }
  if (path === '/products-feed.xml') return { type: 'text/xml', text: input.feed?.() ?? '' }
  const page = input.page?.() ?? (host.startsWith('honest') ? HONEST : PLAIN)
  return { type: 'text/html', text: page }
}

const documents = new Map<string, { type: string; bytes: Buffer }>()
const { port } = await onLoopback((request, response) => {
  const host = (request.headers.host ?? '').split(':')[0] ?? ''
  const { pathname } = new URL(request.url ?? '/', 'http://x')
  const isPage = !/^\/(robots|\.well-known|ucp|products-feed)/.test(pathname)
  const key = `${host} ${isPage ? '' : pathname}`
  let found = documents.get(key)
  if (found === undefined) {
    const { type, text } = documentOf(host, pathname)
    found = { type, bytes: Buffer.from(text) }
    if (documents.size > 200) documents.clear()
    documents.set(key, found)
  }
  if (request.method !== 'GET' || pathname.startsWith('/acp') || found.bytes.length === 0) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'content-type': found.type }).end(found.bytes)
})
process.stdout.write(`${port}\n`)
