import { officialAcpAgent } from '../dialects/acp/testing/agent.ts'
import { type Transport, ucpAgent } from '../dialects/ucp/testing/agent.ts'
import { ADDRESS, acpAgent, type testStore } from './store.ts'

type Send = Awaited<ReturnType<typeof testStore>>['send']

/**
 * What an answer to a completion comes to. `over`: the session was paid before, under another key.
 */
export type Reading = 'paid' | 'in progress' | 'sold out' | 'over' | 'other'

interface BuyerAnswer {
  reads: Reading
  /** The order's id, of an answer that says that it is paid. */
  order: string | null
  /** All that the agent is told, as it was sent. */
  text: string
}

/** An agent that buys one piece, whichever dialect it speaks. */
export interface Buyer {
  /** A session under this key: what was answered. */
  create: (key: string) => Promise<string>
  /** The id of a session that only waits for its payment. */
  open: (product: string) => Promise<string>
  complete: (id: string, key: string) => Promise<BuyerAnswer>
}

/** Every dialect of the store, as a buyer speaks it. */
export const BUYERS = {
  'spec UCP': specUcp,
  'spec ACP': specAcp,
  'official UCP over REST': (send: Send) => officialUcp(send, 'rest'),
  'official UCP over MCP': (send: Send) => officialUcp(send, 'mcp'),
  'official ACP': officialAcp,
} satisfies Record<string, (send: Send) => Buyer>

export type Dialect = keyof typeof BUYERS
export const DIALECTS = Object.keys(BUYERS) as Dialect[]

const answer = (text: string, reads: Reading, order: unknown = null): BuyerAnswer => ({
  reads,
  order: reads === 'paid' ? String(order) : null,
  text,
})

const CODES: Readonly<Record<string, Reading>> = {
  idempotency_in_flight: 'in progress',
  out_of_stock: 'sold out',
  completed: 'over',
}

function specUcp(send: Send): Buyer {
  const create = (product_id: string, key: string) =>
    send(
      'POST',
      '/ucp/checkout',
      { items: [{ product_id, quantity: 1 }], shipping_address: ADDRESS },
      undefined,
      { 'idempotency-key': key },
    )
  return {
    create: async (key) => (await create('ao-1101', key)).body,
    open: async (product) =>
      JSON.parse((await create(product, crypto.randomUUID())).body).checkout_id,
    complete: async (id, key) => {
      const { status, body } = await send(
        'POST',
        `/ucp/checkout/${id}/confirm`,
        {
          shipping_option_id: 'standard',
          payment_method: { type: 'card', token: 'tok_visa' },
        },
        undefined,
        { 'idempotency-key': key },
      )
      const said = JSON.parse(body)
      return status === 200
        ? answer(body, 'paid', said.order_id)
        : answer(body, CODES[said.error?.code] ?? 'other')
    },
  }
}

function specAcp(send: Send): Buyer {
  const agent = acpAgent(send)
  return {
    create: async (idempotency_key) => (await agent.create({ idempotency_key })).body,
    open: (product_id) => agent.open({ items: [{ product_id, quantity: 1 }] }),
    complete: async (id, idempotency_key) => {
      const { status, body, said } = await agent.complete(id, { idempotency_key })
      return status === 200
        ? answer(body, 'paid', said.order_id)
        : answer(body, CODES[said.code] ?? 'other')
    },
  }
}

const SHOWN: Readonly<Record<string, Reading>> = {
  completed: 'paid',
  complete_in_progress: 'in progress',
}

function officialUcp(send: Send, transport: Transport): Buyer {
  const agent = ucpAgent(send, transport)
  const items = (id: string) => [{ item: { id }, quantity: 1 }]
  return {
    create: async (key) => (await agent.create({ line_items: items('ao-1101') }, key)).text,
    open: (product) => agent.open(items(product)),
    complete: async (id, key) => readOfficial(await agent.pay(id, 'tok_visa', key)),
  }
}

function officialAcp(send: Send): Buyer {
  const agent = officialAcpAgent(send)
  const under = (key: string) => ({ 'idempotency-key': key })
  return {
    create: async (key) => (await agent.create({}, under(key))).body,
    open: (id) => agent.ready({ line_items: [{ id }] }),
    complete: async (id, key) => {
      const { body, said } = await agent.complete(id, {}, under(key))
      return readOfficial({ text: body, said })
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
function readOfficial({ text, said }: { text: string; said: any }): BuyerAnswer {
  const { status, order, code, messages = [] } = said
  const shown = SHOWN[status] ?? CODES[code]
  if (shown) return answer(text, shown, order?.id)
  const isSoldOut = messages.some((message: { code: string }) => message.code === 'out_of_stock')
  return answer(text, isSoldOut ? 'sold out' : 'other')
}
