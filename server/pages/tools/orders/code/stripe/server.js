import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createAisle, visitIdOf } from 'aisle-node'
import Stripe from 'stripe'

const stripe = new Stripe(process.env.STRIPE_SECRET_KEY)
const aisle = createAisle({
  url: process.env.AISLE_URL,
  key: process.env.AISLE_KEY,
  domain: 'shop.example',
})

/** In these, Stripe counts with other decimals than ISO 4217. */
const FACTORS = { isk: 0.01, ugx: 0.01, mga: 100 }

/** The Stripe profiles of assistants that sell for you, as your own orders show them. */
const AGENTS = { profile_1234: 'chatgpt' }

/** The assistant in which an order was bought; null where nothing tells which. */
async function agentOf({ payment_intent }) {
  const { agent_details } = await stripe.paymentIntents.retrieve(payment_intent, {
    expand: ['agent_details'],
  })
  return AGENTS[agent_details?.network_business_profile] ?? null
}

/** In the smallest unit of ISO 4217. */
const smallestUnit = (amount, currency) => Math.round(amount * (FACTORS[currency] ?? 1))

/** Sends the buyer to Stripe. The visit goes along as metadata. */
async function startCheckout(request, response) {
  const visit_id = visitIdOf(request)
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: 'price_1234', quantity: 1 }], // what is in the cart
    success_url: 'https://shop.example/thanks',
    metadata: visit_id ? { aisle_visit: visit_id } : {},
  })
  response.writeHead(303, { location: session.url }).end()
}

/** Stripe says that the order is paid. */
async function receiveWebhook(request, response) {
  let event
  try {
    const signature = request.headers['stripe-signature']
    const secret = process.env.STRIPE_WEBHOOK_SECRET
    event = stripe.webhooks.constructEvent(await buffer(request), signature, secret)
  } catch {
    return response.writeHead(400).end()
  }
  response.writeHead(200).end()

  if (event.type === 'refund.created' || event.type === 'refund.updated') {
    return reportRefund(event)
  }
  const session = event.data.object
  const isPaid =
    (event.type === 'checkout.session.completed' && session.payment_status === 'paid') ||
    event.type === 'checkout.session.async_payment_succeeded'
  const visit_id = visitIdOf(session.metadata)
  // Bought in an assistant, which never saw your pages.
  const isOfAgent = session.ui_mode === 'agentic' || session.metadata?.agentic === 'true'
  const ai_surface = isPaid && isOfAgent ? await agentOf(session) : null
  if (isPaid && (visit_id || isOfAgent)) {
    aisle.report({
      event: 'ai_checkout_completed',
      source: isOfAgent ? 'acp' : 'web',
      ...(ai_surface && { ai_surface }),
      session_id: session.id,
      timestamp: new Date(event.created * 1000).toISOString(),
      properties: {
        ...(visit_id && { visit_id }),
        // By which its refunds find it.
        order_id: session.payment_intent ?? session.id,
        value: smallestUnit(session.amount_total, session.currency),
        currency: session.currency.toUpperCase(),
      },
    })
  }
}

/** What was given back of a payment. It counts once under its own id. */
function reportRefund({ data: { object: refund } }) {
  if (refund.status !== 'succeeded') return
  aisle.report({
    event: 'ai_order_refunded',
    source: 'web',
    session_id: refund.payment_intent,
    timestamp: new Date(refund.created * 1000).toISOString(),
    properties: {
      order_id: refund.payment_intent,
      refund_id: refund.id,
      value: smallestUnit(refund.amount, refund.currency),
      currency: refund.currency.toUpperCase(),
    },
  })
}

const server = createServer((request, response) => {
  const routes = { '/checkout': startCheckout, '/webhooks/stripe': receiveWebhook }
  const route = request.method === 'POST' ? routes[request.url] : undefined
  if (!route) return response.writeHead(404).end()
  route(request, response).catch(() => response.headersSent || response.writeHead(500).end())
})
server.listen(process.env.PORT)

process.once('SIGTERM', async () => {
  server.close()
  await aisle.close()
})
