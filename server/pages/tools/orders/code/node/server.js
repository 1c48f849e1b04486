import { createServer } from 'node:http'
import { createAisle, visitIdOf } from 'aisle-node'
import { placeOrder } from './shop.js' // your own code

const aisle = createAisle({
  url: process.env.AISLE_URL,
  key: process.env.AISLE_KEY,
  domain: 'shop.example',
})

async function answer(request, response) {
  if (request.method !== 'POST' || request.url !== '/orders') {
    return response.writeHead(404).end()
  }
  const { order, form } = await placeOrder(request)

  // The buyer has the answer first. The report goes out in the background.
  response.writeHead(303, { location: `/thanks?order=${order.id}` }).end()
  const visit_id = visitIdOf(request, form)
  if (visit_id) {
    aisle.report({
      event: 'ai_checkout_completed',
      source: 'web',
      session_id: String(order.id),
      // In the smallest unit: 4999 is 49.99.
      properties: { visit_id, value: order.total, currency: order.currency },
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
