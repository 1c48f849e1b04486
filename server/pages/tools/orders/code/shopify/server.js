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

async function answer(request, response) {
  if (request.method !== 'POST' || request.url !== '/webhooks/shopify') {
    return response.writeHead(404).end()
  }
  const body = await buffer(request)
  if (!isFromShopify(body, request.headers['x-shopify-hmac-sha256'])) {
    return response.writeHead(401).end()
  }
  response.writeHead(200).end()
  if (request.headers['x-shopify-topic'] !== 'orders/paid') return

  const order = JSON.parse(body.toString())
  const { value } = (order.note_attributes ?? []).find(({ name }) => name === 'aisle_visit') ?? {}
  // Without the visit, as after "Buy it now", the order itself may say where it began.
  const known = visitIdOf({ aisle_visit: value })
  const ai_surface = known ? undefined : assistantOf(order)
  if (known || ai_surface) {
    aisle.report({
      event: 'ai_checkout_completed',
      source: 'web',
      session_id: String(order.id),
      timestamp: order.processed_at,
      ...(ai_surface && { ai_surface }),
      properties: {
        visit_id: known ?? `shopify-${order.id}`,
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
