import { AGENT_PROFILE } from '../../../testing/store.ts'

type Send = (
  method: string,
  path: string,
  body: unknown,
  host?: string,
  headers?: Record<string, string>,
) => Promise<{ status: number; headers: Headers; body: string }>

/** What an operation said: its body, or the protocol error's data. */
export interface Said {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
  said: any
  /** As it was sent. */
  text: string
}

const REST: Readonly<Record<string, (id: string) => [string, string]>> = {
  create_checkout: () => ['POST', '/checkout-sessions'],
  get_checkout: (id) => ['GET', `/checkout-sessions/${id}`],
  update_checkout: (id) => ['PUT', `/checkout-sessions/${id}`],
  complete_checkout: (id) => ['POST', `/checkout-sessions/${id}/complete`],
  cancel_checkout: (id) => ['POST', `/checkout-sessions/${id}/cancel`],
  create_cart: () => ['POST', '/carts'],
  get_cart: (id) => ['GET', `/carts/${id}`],
  update_cart: (id) => ['PUT', `/carts/${id}`],
  cancel_cart: (id) => ['POST', `/carts/${id}/cancel`],
  get_order: (id) => ['GET', `/orders/${id}`],
  search_catalog: () => ['POST', '/catalog/search'],
  get_product: () => ['POST', '/catalog/product'],
}

export const TRANSPORTS = ['rest', 'mcp'] as const
export type Transport = (typeof TRANSPORTS)[number]

/** What the body of an operation is called where it is an argument of a tool. */
const argumentOf = (name: string): string => {
  const [, subject = ''] = name.split('_')
  return subject === 'product' ? 'catalog' : subject
}

/**
 * An agent of official UCP, over REST or MCP. Each call has a key of its own unless told otherwise.
 */
export function ucpAgent(
  send: Send,
  transport: Transport,
  host = 'ucp.example',
  profile = AGENT_PROFILE,
) {
  const newKey = (): string => crypto.randomUUID()

  const overRest = async (name: string, id: string, body: unknown, key: string): Promise<Said> => {
    const [method, path] = REST[name]?.(id) ?? ['GET', '/']
    const sent = method === 'GET' || body === undefined ? undefined : body
    const answer = await send(method, `/ucp/v1${path}`, sent, host, {
      'idempotency-key': key,
      'ucp-agent': `profile="${profile}"`,
    })
    return { ...answer, said: JSON.parse(answer.body), text: answer.body }
  }

  const overMcp = async (name: string, id: string, body: unknown, key: string): Promise<Said> => {
    const given = {
      meta: { 'ucp-agent': { profile }, 'idempotency-key': key },
      ...(id && { id }),
      ...(body !== undefined && { [argumentOf(name)]: body }),
    }
    const answer = await send(
      'POST',
      '/ucp/mcp',
      { jsonrpc: '2.0', id: newKey(), method: 'tools/call', params: { name, arguments: given } },
      host,
      // As shipping clients do.
      { accept: 'application/json', 'content-type': 'application/json' },
    )
    const { result, error } = JSON.parse(answer.body)
    const said = result?.structuredContent ?? { ...error?.data, rpc: error?.code }
    return { ...answer, said, text: JSON.stringify(said) }
  }

  const call = transport === 'rest' ? overRest : overMcp
  const complete = (id: string, body: object, key = newKey()) =>
    call('complete_checkout', id, body, key)
  return {
    newKey,
    create: (body: object, key = newKey()) => call('create_checkout', '', body, key),
    get: (id: string) => call('get_checkout', id, undefined, newKey()),
    update: (id: string, body: object, key = newKey()) => call('update_checkout', id, body, key),
    complete,
    pay: (id: string, token = 'tok_visa', key = newKey()) => complete(id, payBy(token), key),
    cancel: (id: string, key = newKey()) => call('cancel_checkout', id, undefined, key),
    createCart: (body: object, key = newKey()) => call('create_cart', '', body, key),
    getCart: (id: string) => call('get_cart', id, undefined, newKey()),
    updateCart: (id: string, body: object, key = newKey()) => call('update_cart', id, body, key),
    cancelCart: (id: string, key = newKey()) => call('cancel_cart', id, undefined, key),
    search: (body: object) => call('search_catalog', '', body, newKey()),
    product: (body: object) => call('get_product', '', body, newKey()),
    getOrder: (id: string) => call('get_order', id, undefined, newKey()),
    /** A checkout that only waits for its payment. */
    open: async (line_items: object[] = [{ item: { id: 'ao-1101' }, quantity: 1 }]) =>
      (await call('create_checkout', '', { line_items, ...READY }, newKey())).said.id as string,
  }
}

/** The payment with a token of the test PSP. */
export const payBy = (token: string, change: object = {}) => ({
  payment: {
    instruments: [
      {
        id: 'pi_1',
        handler_id: 'test_tokens',
        type: 'card',
        selected: true,
        display: { brand: 'visa', last_digits: '4242' },
        credential: { type: 'token', token },
        ...change,
      },
    ],
  },
})

export const DESTINATION = {
  first_name: 'Ada',
  last_name: 'Byron',
  street_address: '1 Analytical Way',
  address_locality: 'Albany',
  address_region: 'NY',
  postal_code: '12207',
  address_country: 'US',
}

/** All that a delivery needs. */
export const READY = {
  fulfillment: {
    methods: [
      {
        type: 'shipping',
        destinations: [DESTINATION],
        groups: [{ selected_option_id: 'standard' }],
      },
    ],
  },
}

/** The same in an update, which names what the checkout has by its ids. */
export const READY_AGAIN = {
  fulfillment: {
    methods: [
      {
        id: 'shipping',
        type: 'shipping',
        line_item_ids: ['li_1'],
        destinations: [DESTINATION],
        groups: [{ id: 'parcel', selected_option_id: 'standard' }],
      },
    ],
  },
}
