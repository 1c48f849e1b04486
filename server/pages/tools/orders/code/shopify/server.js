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
  const visit_id = visitIdOf({ aisle_visit: value })
  if (visit_id) {
    aisle.report({
      event: 'ai_checkout_completed',
      source: 'web',
      session_id: String(order.id),
      timestamp: order.processed_at,
      properties: {
        visit_id,
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
