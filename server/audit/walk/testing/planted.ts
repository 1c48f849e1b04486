import { field, isRecord } from '../../../../shared/web/json/json.ts'

/** What a buyer does, in any dialect. */
export type Verb =
  | 'profile'
  | 'discovery'
  | 'search'
  | 'look-up'
  | 'product'
  | 'open'
  | 'read'
  | 'change'
  | 'complete'
  | 'cancel'
  | 'order'
  | 'cart_open'
  | 'cart_read'
  | 'cart_change'
  | 'cart_cancel'
  | 'tools'
  | 'page'
  | 'permalink'

/** A JSON object of an answer. */
export type Body = Record<string, unknown>

/**
 * Changes what a store answers to a verb; null: it answers 500. Over MCP, `{ error }` is that of
 * JSON-RPC.
 */
export type Plant = (body: Body, verb: Verb) => Body | null

const VERBS: readonly (readonly [RegExp, Verb])[] = [
  [/^GET \/\.well-known\/ucp/, 'profile'],
  [/^GET \/\.well-known\/acp\.json/, 'discovery'],
  [/^POST \S+\/catalog\/search$|^search_catalog/, 'search'],
  [/^POST \S+\/catalog\/lookup$|^lookup_catalog/, 'look-up'],
  [/^POST \S+\/catalog\/product$|^get_product/, 'product'],
  [/^POST \S+\/carts$|^create_cart$/, 'cart_open'],
  [/^GET \S+\/carts\/[^/]+$|^get_cart$/, 'cart_read'],
  [/^PUT \S+\/carts\/[^/]+$|^update_cart$/, 'cart_change'],
  [/^POST \S+\/carts\/[^/]+\/cancel$|^cancel_cart$/, 'cart_cancel'],
  [/^tools\/list$/, 'tools'],
  [/^GET \/checkout\/[^/]+$/, 'page'],
  [/^GET \/permalink\//, 'permalink'],
  [/^POST \S+\/complete$|^complete_/, 'complete'],
  [/^POST \S+\/cancel$|^cancel_/, 'cancel'],
  [/^POST \S+\/checkout[-_]sessions$|^create_checkout/, 'open'],
  [/^(?:PUT|POST) \S+\/checkout[-_]sessions\/[^/]+$|^update_checkout/, 'change'],
  [/^GET \S+\/checkout[-_]sessions\/[^/]+$|^get_checkout/, 'read'],
  [/^GET \S+\/orders\/[^/]+$|^get_order$/, 'order'],
]

const verbOf = (said: string): Verb | undefined =>
  VERBS.find(([pattern]) => pattern.test(said))?.[1]

/**
 * Stands between a buyer and a store over UCP and ACP, and changes what the store answers. What is
 * no JSON is `{ text }` to a plant.
 */
export async function plantIn(
  request: Request,
  send: (request: Request) => Promise<Response>,
  plant: Plant,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  const asked = request.method === 'POST' ? await request.clone().text() : ''
  const rpc: unknown = asked.includes('"jsonrpc"') ? JSON.parse(asked) : null
  const method = field(rpc, 'method')
  const tool = method === 'tools/call' ? field(field(rpc, 'params'), 'name') : method
  const verb = verbOf(typeof tool === 'string' ? tool : `${request.method} ${pathname}`)
  const response = await send(request)
  if (verb === undefined || response.status >= 300) return response
  const text = await response.text()
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const { status } = response
  const isPage = verb === 'page' || verb === 'permalink'
  const answer: unknown = isPage ? { text } : JSON.parse(text)
  const result = field(answer, 'result')
  const payload =
    rpc === null ? answer : verb === 'tools' ? result : field(result, 'structuredContent')
  if (!isRecord(payload)) return new Response(text, { status, headers })
  const changed = plant(payload, verb)
  if (changed === null) return Response.json({ code: 'internal_error' }, { status: 500 })
  if (isPage) return new Response(String(changed.text), { status, headers })
  const said = {
    structuredContent: changed,
    content: [{ type: 'text', text: JSON.stringify(changed) }],
  }
  const whole =
    rpc === null
      ? changed
      : isRecord(changed.error)
        ? { jsonrpc: '2.0', id: field(rpc, 'id'), ...changed }
        : { ...(isRecord(answer) && answer), result: verb === 'tools' ? changed : said }
  return new Response(JSON.stringify(whole), { status, headers })
}

const listOf = (body: Body, key: string): Body[] => {
  const list = body[key]
  return Array.isArray(list) ? list.filter(isRecord) : []
}

/** Changes the objects of a list, where there is one. */
export const each = (body: Body, key: string, change: (inner: Body, at: number) => Body): Body =>
  Array.isArray(body[key]) ? { ...body, [key]: listOf(body, key).map(change) } : body

export const without = (body: Body, ...keys: string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)))

/** Adds to the totals of these types, where the first of them is. */
export const raised =
  (by: number, ...types: string[]) =>
  (body: Body): Body =>
    listOf(body, 'totals').some(({ type }) => type === types[0])
      ? each(body, 'totals', (entry) =>
          types.includes(String(entry.type))
            ? { ...entry, amount: Number(entry.amount) + by }
            : entry,
        )
      : body

/** Adds an amount of its own to the totals, and to their sum. */
export const charged =
  (type: string, amount: number) =>
  (body: Body): Body => {
    const totals = listOf(raised(amount, 'total')(body), 'totals')
    return { ...body, totals: [...totals, { type, display_text: 'Handling', amount }] }
  }

export const lines =
  (change: (line: Body, at: number) => Body) =>
  (body: Body): Body =>
    each(body, 'line_items', change)

/** The item of a line. */
export const items = (change: (item: Body) => Body) =>
  lines((line) => ({ ...line, ...(isRecord(line.item) && { item: change(line.item) }) }))

/** Changes the variants of an answer of the catalog. */
export const variants =
  (change: (variant: Body) => Body) =>
  (body: Body): Body => {
    const changed = each(body, 'products', (product) => each(product, 'variants', change))
    return isRecord(changed.product)
      ? { ...changed, product: each(changed.product, 'variants', change) }
      : changed
  }

/** Changes the shipping options and the choice among them, in either protocol. */
export function shipping(
  options: (option: Body) => Body[],
  chosen: (id: unknown) => unknown = (id) => id,
): (body: Body) => Body {
  const optionsIn = (holder: Body, key: string): Body =>
    Array.isArray(holder[key]) ? { ...holder, [key]: listOf(holder, key).flatMap(options) } : holder
  return (body) => {
    const acp = each(
      optionsIn(body, 'fulfillment_options'),
      'selected_fulfillment_options',
      (one) => ({
        ...one,
        option_id: chosen(one.option_id),
      }),
    )
    if (!isRecord(acp.fulfillment)) return acp
    const fulfillment = each(acp.fulfillment, 'methods', (method) =>
      each(method, 'groups', (group) => {
        const changed = optionsIn(group, 'options')
        return typeof changed.selected_option_id === 'string'
          ? { ...changed, selected_option_id: chosen(changed.selected_option_id) }
          : changed
      }),
    )
    return { ...acp, fulfillment }
  }
}

const READY = ['ready_for_complete', 'ready_for_payment']

export const isReady = ({ status }: Body): boolean => READY.includes(String(status))

/** Changes the answers to these verbs alone. */
export const to =
  (verbs: readonly Verb[], change: (body: Body) => Body | null): Plant =>
  (body, verb) =>
    verbs.includes(verb) ? change(body) : body
