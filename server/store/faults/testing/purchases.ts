import {
  createBody,
  officialAcpAgent,
  paymentData,
  WHOLE_ADDRESS,
} from '../../dialects/acp/testing/agent.ts'
import { FULFILLMENT } from '../../dialects/ucp/capability-names.ts'
import { capabilitiesOf } from '../../dialects/ucp/profile.ts'
import {
  payBy,
  READY,
  type Said,
  type Transport,
  ucpAgent,
} from '../../dialects/ucp/testing/agent.ts'
import { platformsWith } from '../../testing/platforms.ts'
import { ADDRESS, type testStore } from '../../testing/store.ts'
import { without } from '../overrides.ts'

type Send = Awaited<ReturnType<typeof testStore>>['send']

/** A platform that leaves delivery to the store's own page. */
const PLAIN_PROFILE = 'https://plain.example/ucp.json'
const WHOLE = platformsWith()
const PLAIN = platformsWith('2026-08-25', without(capabilitiesOf('2026-08-25'), FULFILLMENT))

/** The platforms that buy here. */
export const PLATFORMS: typeof WHOLE = {
  find: (url) => (url === PLAIN_PROFILE ? PLAIN : WHOLE).find(url),
}

/** What is not JSON becomes a text in JSON, so that an agent can go on. */
const patient =
  (send: Send): Send =>
  async (...call) => {
    const answer = await send(...call)
    const isJson = answer.body.startsWith('{')
    return { ...answer, body: isJson ? answer.body : JSON.stringify(answer.body) }
  }

/** Only whether the key counted: all else is said by the first call. */
const again = (first: Said, second: Said): Said => ({
  ...second,
  text: String(first.said.id === second.said.id),
  headers: new Headers(),
})

/** One purchase over official UCP: what each call is answered. */
export async function purchaseUcp(send: Send, host: string, transport: Transport) {
  const sendTo = patient(send)
  const agent = ucpAgent(sendTo, transport, host)
  const line_items = [{ item: { id: 'ao-1101' }, quantity: 2 }]
  const body = { line_items, ...READY }
  const key = agent.newKey()
  const create = await agent.create(body, key)
  const id = String(create.said.id)
  return {
    search: await agent.search({ query: 'merino' }),
    listed: await agent.product({ id: 'ao-1001' }),
    abroad: await agent.search({ query: 'tent', context: { currency: 'EUR' } }),
    cart: await agent.createCart({ line_items }),
    variant: await agent.createCart({
      line_items: [{ item: { id: 'ao-1001-s-pine' }, quantity: 1 }],
    }),
    create,
    again: again(create, await agent.create(body, key)),
    get: await agent.get(id),
    update: await agent.update(id, body),
    escalated: await ucpAgent(sendTo, transport, host, PLAIN_PROFILE).create({ line_items }),
    complete: await agent.complete(id, payBy('tok_visa')),
    completed: await agent.get(id),
  } satisfies Record<string, Said>
}

/** One call of official ACP over either transport. */
export function acpCaller(sendTo: Send, host: string, transport: Transport) {
  const send = patient(sendTo)
  const agent = officialAcpAgent((method, path, body, _, headers) =>
    send(method, path, body, host, headers),
  )
  const overRest = async (name: string, id: string, payload: object | undefined, key: string) => {
    const path = name === 'create' ? '' : `/${id}${name === 'complete' ? '/complete' : ''}`
    const [method, headers] = name === 'get' ? ['GET', {}] : ['POST', { 'idempotency-key': key }]
    const answer = await agent.call(String(method), path, payload, Object(headers))
    return { ...answer, text: answer.body }
  }
  const overMcp = async (name: string, id: string, payload: object | undefined, key: string) => {
    const given = {
      meta: { api_version: '2026-04-17', idempotency_key: key },
      ...(id && { id }),
      ...(payload && { payload }),
    }
    const params = { name: `${name}_checkout_session`, arguments: given }
    const answer = await send(
      'POST',
      '/acp/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      host,
      { authorization: 'Bearer agent', 'content-type': 'application/json' },
    )
    const { result } = JSON.parse(answer.body)
    return { ...answer, said: result?.structuredContent ?? {}, text: answer.body }
  }
  const call = transport === 'rest' ? overRest : overMcp
  return (name: string, id = '', payload?: object, key: string = crypto.randomUUID()) =>
    call(name, id, payload, key)
}

const ACP_LINES = { line_items: [{ id: 'ao-1101', quantity: 2 }] }
export const ACP_OPENING = createBody({
  ...ACP_LINES,
  fulfillment_details: { address: WHOLE_ADDRESS },
})
export const ACP_CHOICE = {
  selected_fulfillment_options: [
    { type: 'shipping', option_id: 'standard', item_ids: ['li_ao-1101'] },
  ],
}

/** One purchase over official ACP: what each call is answered. */
export async function purchaseAcp(send: Send, host: string, transport: Transport) {
  const call = acpCaller(send, host, transport)
  const key = crypto.randomUUID()
  const create = await call('create', '', ACP_OPENING, key)
  const id = String(create.said.id)
  const bodies = { ...ACP_OPENING, capabilities: {} }
  const other = String((await call('create', '', bodies)).said.id)
  await call('update', other, ACP_CHOICE)
  return {
    create,
    again: again(create, await call('create', '', ACP_OPENING, key)),
    abroad: await call('create', '', { ...ACP_OPENING, currency: 'eur' }),
    variant: await call('create', '', createBody({ line_items: [{ id: 'ao-1001-s-pine' }] })),
    get: await call('get', id),
    update: await call('update', id, ACP_CHOICE),
    // The bank wants an authentication, which this agent cannot do.
    escalated: await call('complete', other, { payment_data: paymentData('tok_3ds') }),
    complete: await call('complete', id, { payment_data: paymentData() }),
    completed: await call('get', id),
  } satisfies Record<string, Said>
}

const SPEC_ITEMS = [{ product_id: 'ao-1101', quantity: 2 }]
const CARD = { type: 'card', token: 'tok_visa' }

/** Only whether both name the same under this key. */
const same = (key: string, one: Said, other: Said): Said => ({
  status: 200,
  text: String(one.said[key] === other.said[key]),
  headers: new Headers(),
  said: {},
})

/** One purchase over the specification's ACP, and one over its UCP: what each call is answered. */
export async function purchaseSpec(send: Send, host: string) {
  const to = patient(send)
  const ask = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await to(method, path, body, host, headers)
    return { ...answer, text: answer.body, said: JSON.parse(answer.body) }
  }
  const create = (change: object = {}) =>
    ask('POST', '/acp/checkout/create', {
      items: SPEC_ITEMS,
      shipping_address: ADDRESS,
      idempotency_key: crypto.randomUUID(),
      ...change,
    })
  const idempotency_key = crypto.randomUUID()
  const opened = await create({ idempotency_key })
  const at = `/acp/checkout/${opened.said.checkout_id}`
  const pay = {
    payment_method: CARD,
    idempotency_key: crypto.randomUUID(),
    shipping_option_id: 'standard',
  }
  const canceled = `/acp/checkout/${(await create()).said.checkout_id}`
  await ask('POST', `${canceled}/cancel`)
  const cart = await ask('POST', '/ucp/checkout', { items: SPEC_ITEMS, shipping_address: ADDRESS })
  const confirm = () =>
    ask('POST', `/ucp/checkout/${cart.said.checkout_id}/confirm`, {
      shipping_option_id: 'standard',
      payment_method: CARD,
    })
  const steps = {
    create: opened,
    again: same('checkout_id', opened, await create({ idempotency_key })),
    variant: await create({
      items: [{ product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }],
    }),
    sold_out: await create({ items: [{ product_id: 'ao-1120', quantity: 1 }] }),
    unknown: await create({ items: [{ product_id: 'ao-9', quantity: 1 }] }),
    nowhere: await create({ shipping_address: { ...ADDRESS, country: 'ZZ' } }),
    abroad: await create({ shipping_address: { ...ADDRESS, country: 'DE' } }),
    revived: await ask('PATCH', `${canceled}/update`, { shipping_option_id: 'standard' }),
    update: await ask('PATCH', `${at}/update`, { shipping_option_id: 'standard' }),
    declined: await ask('POST', `${at}/complete`, {
      ...pay,
      idempotency_key: crypto.randomUUID(),
      payment_method: { ...CARD, token: 'tok_declined' },
    }),
    complete: await ask('POST', `${at}/complete`, pay),
  }
  const { order_id } = steps.complete.said
  return {
    ...steps,
    twice: same('order_id', steps.complete, await ask('POST', `${at}/complete`, pay)),
    order: await ask('GET', `/acp/orders/${order_id}`),
    confirmed_twice: same('order_id', await confirm(), await confirm()),
  } satisfies Record<string, Said>
}
