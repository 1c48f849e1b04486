import { visitIdOf } from 'aisle-node'
import { after } from 'next/server'
import { aisle } from '../../../aisle.js'
import { placeOrder } from '../../../shop.js' // your own code

export async function POST(request) {
  const order = await placeOrder(await request.json())
  const visit_id = visitIdOf(request)
  if (visit_id) {
    // After the buyer has the answer. A serverless function is kept alive until it is done.
    after(() =>
      aisle().report({
        event: 'ai_checkout_completed',
        source: 'web',
        session_id: String(order.id),
        // In the smallest unit: 4999 is 49.99.
        properties: { visit_id, value: order.total, currency: order.currency },
      }),
    )
  }
  return Response.json({ id: order.id })
}
