/*! Reports AI agents that ask for your store. AISLE_KEY is a secret of this Worker. */
import { collectAtEdge, isOfAgent } from '../../../../../../aisle-node/edge.ts'

export default {
  async fetch(request, env, context) {
    if (!isOfAgent(request)) return fetch(request)
    context.passThroughOnException()
    const at = Date.now()
    const response = await fetch(request)
    collectAtEdge(
      { url: 'https://aisle.example', domain: 'shop.example', key: env.AISLE_KEY },
      {
        request,
        at,
        status: response.status,
        challenged: response.headers.get('cf-mitigated') === 'challenge',
        vouched: Boolean(request.cf?.verifiedBotCategory),
        address: request.headers.get('cf-connecting-ip'),
        // The Ray ID, which Logpush sends as well: with both, a request counts once.
        id: request.headers.get('cf-ray')?.split('-')[0],
        waitUntil: (sending) => context.waitUntil(sending),
      },
    )
    return response
  },
}
