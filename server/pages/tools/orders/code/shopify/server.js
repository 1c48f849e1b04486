import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createAisle, inSmallestUnit, visitIdOf } from 'aisle-node'

const aisle = createAisle({
  url: process.env.AISLE_URL,
  key: process.env.AISLE_KEY,
  domain: 'shop.example',
})

/** Whether Shopify signed the body with the secret of your app. */
function isFromShopify(body, signature = '') {
  const expected = createHmac('sha256', process.env.SHOPIFY_SECRET).update(body).digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Visits by the token of the checkout that they went into, as the web pixel tells; the newest. */
const visits = new Map()

/** What the pixel sends, of anybody: it counts for an order that Shopify signs alone. */
async function noteVisit(request) {
  if (!(Number(request.headers['content-length']) <= 1000)) return
  const { visit, checkout_token } = JSON.parse((await buffer(request)).toString())
  if (!/^[\w-]{8,130}$/.test(visit) || !/^\w{8,100}$/.test(checkout_token)) return
  visits.delete(checkout_token)
  visits.set(checkout_token, visit)
  if (visits.size > 10_000) visits.delete(visits.keys().next().value)
}

/** The hosts of assistants, and what the report calls each. */
const ASSISTANTS = { 'chatgpt.com': 'chatgpt' }

/** The assistant that a host belongs to: `www.perplexity.ai` is Perplexity. */
const assistantAt = (host) =>
  ASSISTANTS[Object.keys(ASSISTANTS).find((each) => `.${host}`.endsWith(`.${each}`))]

/** The assistant that brought the buyer, as the order itself says: its referrer, or its first page. */
function assistantOf({ landing_site, referring_site }) {
  try {
    const page = new URL(landing_site || '/', 'https://shop.example')
    const from = referring_site ? new URL(referring_site).hostname : page.hostname
    // A link that was copied out of an answer to another site is that site's.
    if (!`.${from}`.endsWith('.shop.example')) return assistantAt(from)
    // Advertisements and newsletters are yours, whatever else their links say.
    const { search, searchParams } = page
    if (/[?&](\w*cli?k?id|\w*braid)=|utm_medium=[^&]*(mail|cpc|ppc|paid|social)/.test(search))
      return
    const mark = searchParams.get('utm_source') ?? searchParams.get('referrer') ?? ''
    return assistantAt(mark.toLowerCase().replace(/^https?:\/\/([^/]*).*/, '$1'))
  } catch {}
}

/** In the channel of an order: the assistants in which Shopify sells. */
const AGENTS = /chatgpt|copilot|gemini|perplexity/i

/** The assistant in which an order was bought; it never saw your pages. */
async function agentOf({ source_name, admin_graphql_api_id: id }) {
  if (source_name === 'web' || source_name === 'pos') return
  const named = AGENTS.exec(source_name ?? '')
  if (named || !process.env.SHOPIFY_ADMIN_URL) return named?.[0].toLowerCase()
  // The webhook may have the number of a channel; its name is in `Order.attribution`.
  const query = 'query ($id: ID!) { order(id: $id) { attribution { handle displayName } } }'
  const answer = await fetch(process.env.SHOPIFY_ADMIN_URL, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Shopify-Access-Token': process.env.SHOPIFY_ADMIN_TOKEN,
    },
    body: JSON.stringify({ query, variables: { id } }),
  })
  const { handle, displayName } = (await answer.json()).data?.order?.attribution ?? {}
  return AGENTS.exec(`${handle} ${displayName}`)?.[0].toLowerCase()
}

/** What was given back, of an order under its own id. */
function reportRefund({ id, order_id, created_at, transactions }) {
  const paid = transactions.filter(({ kind, status }) => kind === 'refund' && status === 'success')
  const value = paid.reduce((sum, each) => sum + inSmallestUnit(each.amount, each.currency), 0)
  if (value === 0) return
  aisle.report({
    event: 'ai_order_refunded',
    source: 'web',
    session_id: String(order_id),
    timestamp: created_at,
    properties: { refund_id: String(id), value, currency: paid[0].currency },
  })
}

async function answer(request, response) {
  if (request.method === 'POST' && request.url === '/visits') {
    await noteVisit(request).catch(() => {})
    return response.writeHead(204).end()
  }
  if (request.method !== 'POST' || request.url !== '/webhooks/shopify') {
    return response.writeHead(404).end()
  }
  const body = await buffer(request)
  if (!isFromShopify(body, request.headers['x-shopify-hmac-sha256'])) {
    return response.writeHead(401).end()
  }
  response.writeHead(200).end()
  const topic = request.headers['x-shopify-topic']
  const order = JSON.parse(body.toString())
  if (topic === 'refunds/create') reportRefund(order)
  if (topic !== 'orders/paid') return

  const { value } = (order.note_attributes ?? []).find(({ name }) => name === 'aisle_visit') ?? {}
  // Without the visit, as after "Buy it now", the order itself may say where it began.
  const known = visitIdOf({ aisle_visit: value ?? visits.get(order.checkout_token) })
  const agent = known ? undefined : await agentOf(order)
  const ai_surface = known ? undefined : (agent ?? assistantOf(order))
  if (known || ai_surface) {
    aisle.report({
      event: 'ai_checkout_completed',
      source: agent ? 'ucp' : 'web',
      session_id: String(order.id),
      timestamp: order.processed_at,
      ...(ai_surface && { ai_surface }),
      properties: {
        ...(!agent && { visit_id: known ?? `shopify-${order.id}` }),
        value: inSmallestUnit(order.total_price, order.currency),
        currency: order.currency,
      },
    })
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.headersSent || response.writeHead(500).end())
})
server.listen(process.env.PORT)

process.once('SIGTERM', async () => {
  server.close()
  await aisle.close()
})
