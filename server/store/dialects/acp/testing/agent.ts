import type { testStore } from '../../../testing/store.ts'
import { TEST_ACP } from '../settings.ts'

/** The settings of a store that can have its buyers authenticated. */
export const ACP_SETTINGS = { keys: null, signingKeys: [], ...TEST_ACP }

export const WHOLE_ADDRESS = {
  name: 'Ada King',
  line_one: '1 Pier Rd',
  city: 'Oakland',
  state: 'CA',
  country: 'US',
  postal_code: '94607',
}

/** What a create takes, as an agent that can authenticate sends it. */
export const createBody = (change: object = {}) => ({
  line_items: [{ id: 'ao-1101' }],
  currency: 'usd',
  capabilities: { interventions: { supported: ['3ds'] } },
  ...change,
})

export const paymentData = (token = 'tok_visa') => ({
  handler_id: 'card',
  instrument: { type: 'card', credential: { type: 'spt', token } },
})

const STANDARD = [{ type: 'shipping', option_id: 'standard', item_ids: ['ao-1101'] }]

type Send = Awaited<ReturnType<typeof testStore>>['send']

/** An agent that buys over official ACP, each time under a key of its own unless told otherwise. */
export function officialAcpAgent(send: Send, { token = 'agent', version = '2026-04-17' } = {}) {
  const newKey = (): string => crypto.randomUUID()
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ) => {
    const all = {
      authorization: `Bearer ${token}`,
      'api-version': version,
      ...(method === 'POST' && { 'idempotency-key': newKey() }),
      ...headers,
    }
    const known = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    const answer = await send(
      method,
      path.startsWith('/acp/') ? path : `/acp/checkout_sessions${path}`,
      body,
      undefined,
      Object.fromEntries(known),
    )
    return { ...answer, said: JSON.parse(answer.body) }
  }
  const create = (change: object = {}, headers = {}) =>
    call('POST', '', createBody(change), headers)
  const read = (id: string) => call('GET', `/${id}`)
  const update = (id: string, body: object, headers = {}) => call('POST', `/${id}`, body, headers)
  const complete = (id: string, change: object = {}, headers = {}) =>
    call('POST', `/${id}/complete`, { payment_data: paymentData(), ...change }, headers)
  const pay = (id: string, instrumentToken: string, headers = {}) =>
    complete(id, { payment_data: paymentData(instrumentToken) }, headers)
  const cancel = (id: string, body?: object, headers = {}) =>
    call('POST', `/${id}/cancel`, body, headers)
  /** The id of a session that can be paid. */
  const ready = async (change: object = {}): Promise<string> => {
    const { said } = await create({ fulfillment_details: { address: WHOLE_ADDRESS }, ...change })
    const item_ids = said.line_items.map((line: { id: string }) => line.id)
    await update(said.id, {
      selected_fulfillment_options: [{ ...STANDARD[0], item_ids }],
    })
    return said.id
  }
  return { newKey, call, create, read, update, complete, pay, cancel, ready }
}
