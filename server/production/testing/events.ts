import { DOMAIN } from './world.ts'

/** Reports one order; the same `session` is the same order. */
export async function reportOrder(origin: string, key: string, session: string) {
  const answer = await fetch(`${origin}/api/report`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      event: 'ai_checkout_completed',
      domain: DOMAIN,
      session_id: session,
      source: 'acp',
      ai_surface: 'chatgpt',
      properties: { value: 24900, currency: 'USD' },
    }),
  })
  await answer.body?.cancel()
  return { status: answer.status, replayed: answer.headers.get('idempotent-replayed') === 'true' }
}
