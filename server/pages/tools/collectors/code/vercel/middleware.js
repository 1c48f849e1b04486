/*! Reports AI agents that ask for your store. AISLE_KEY is an environment variable. */
import { collectAtEdge, isOfAgent } from '../../../../../../aisle-node/edge.ts'

/** Marks the request by which this file learns the status. */
const OWN = 'aisle-own'

export default function middleware(request, context) {
  const isRead = request.method === 'GET' && !request.headers.has(OWN)
  if (isRead && isOfAgent(request)) context.waitUntil(report(request))
}

export const config = { matcher: '/((?!_next/|_vercel/).*)' }

// Middleware does not see the answer: after it, the page is asked for once more.
async function report(request) {
  const { url, headers } = request
  const at = Date.now()
  const own = { 'user-agent': headers.get('user-agent'), [OWN]: '1' }
  const answer = await fetch(url, { headers: own, redirect: 'manual' }).catch(() => null)
  if (answer === null) return
  await answer.body?.cancel()
  let sent
  collectAtEdge(
    { url: 'https://aisle.example', domain: 'shop.example', key: process.env.AISLE_KEY },
    {
      request,
      at,
      status: answer.status,
      address: headers.get('x-real-ip'),
      id: headers.get('x-vercel-id'),
      waitUntil: (sending) => {
        sent = sending
      },
    },
  )
  await sent
}
