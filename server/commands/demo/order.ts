import { field } from '../../../shared/web/json/json.ts'
import { printable } from '../../../shared/web/text/printable.ts'
import type { FetchSession } from '../../audit/probe/fetch/session.ts'
import { CommandError } from '../terminal/command-error.ts'

const BUYER = {
  name: 'Ada Byron',
  street: '1 Analytical Way',
  city: 'Albany',
  state: 'NY',
  zip: '12207',
  country: 'US',
}

/** Buys one thing over ACP as an assistant would, with the test PSP's card. */
export async function placeOrder(
  session: FetchSession,
  domain: string,
  surface: string,
): Promise<void> {
  const send = async (path: string, json: Record<string, unknown>) => {
    const url = `https://${domain}/acp/checkout/${path}`
    const answer = await session.request({ method: 'POST', url, json, maxBytes: 65_536 })
    if (answer.kind === 'answer' && answer.status === 200) return JSON.parse(answer.body) as unknown
    const why = answer.kind === 'answer' ? `${answer.status} ${answer.body}` : answer.kind
    throw new CommandError(printable`The demo order failed at ${url}: ${why.slice(0, 300)}`)
  }
  const idempotency_key = crypto.randomUUID()
  const opened = await send('create', {
    items: [{ product_id: 'ao-1101', quantity: 1 }],
    shipping_address: BUYER,
    ai_surface: surface,
    idempotency_key,
  })
  await send(`${String(field(opened, 'checkout_id'))}/complete`, {
    shipping_option_id: 'standard',
    payment_method: { type: 'card', token: 'tok_visa' },
    idempotency_key: `${idempotency_key}-pay`,
  })
}
