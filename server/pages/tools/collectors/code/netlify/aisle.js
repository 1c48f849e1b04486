/*! Reports AI agents that ask for your store. AISLE_KEY is an environment variable. */
import { collectAtEdge, isOfAgent } from '../../../../../../aisle-node/edge.ts'

export default async function report(request, context) {
  if (!isOfAgent(request)) return
  const at = Date.now()
  const response = await context.next()
  collectAtEdge(
    { url: 'https://aisle.example', domain: 'shop.example', key: Netlify.env.get('AISLE_KEY') },
    {
      request,
      at,
      status: response.status,
      address: context.ip,
      id: context.requestId,
      lingerMs: 0,
      waitUntil: (sending) => context.waitUntil(sending),
    },
  )
  return response
}

export const config = { path: '/*', onError: 'bypass' }
