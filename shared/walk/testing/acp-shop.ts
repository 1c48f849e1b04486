import { officialAcp } from '../dialects/acp.ts'
import { jsonAnswer } from '../dialects/testing/answers.ts'
import { unlistedGood } from '../goods.ts'
import { INTENTS, type IntentId } from '../intents.ts'
import type { BuyerOperation, DialectCall } from '../operation.ts'
import type { Performed, Storefront } from '../purchase/deps.ts'
import { makePurchase } from '../purchase/make-purchase.ts'
import type { Purchase } from '../transcript.ts'
import { exchangeOf } from './transcripts.ts'

/** What was asked for: `POST /checkout_sessions`. */
export interface AcpCall {
  request: string
  body: AcpBody
}

interface AcpBody {
  line_items?: { id: string; quantity?: number }[]
  fulfillment_details?: object
  selected_fulfillment_options?: { option_id: string; item_ids: string[] }[]
  [member: string]: unknown
}

interface AcpSession {
  id: string
  status: string
  line_items: { id: string; item: { id: string }; quantity: number }[]
  messages: object[]
  [member: string]: unknown
}

/** In what a shop differs from the plainest one. */
export interface AcpShopOptions {
  /** Changes each session that is shown. */
  show?: (session: AcpSession, call: AcpCall) => object
  /** Status and code of a call that the shop refuses; null for those that it does not. */
  refuse?: (call: AcpCall) => readonly [status: number, code: string] | null
  /** Replaced lines get new ids. */
  hasNewLineIds?: boolean
  /** How long an opening takes, in milliseconds. */
  openingMs?: number
  /** The buyer found no list, and was told what to buy. */
  isUnlisted?: boolean
}

const PRICE = 1800
const SHIPPING = 500

const total = (type: string, amount: number) => ({ type, display_text: type, amount })

const good = (product_id: string) => ({
  product_id,
  variant_id: null,
  name: product_id,
  price: { amount: PRICE, currency: 'USD' },
  availability: 'in_stock',
  options: 0,
})

/** A shop with official ACP that is no more than a list of sessions, and a buyer in it. */
export function acpShop(options: AcpShopOptions = {}) {
  const { show, refuse, hasNewLineIds = false, openingMs, isUnlisted = false } = options
  const dialect = officialAcp({ base: 'https://shop.example/acp', version: '2026-04-17' })
  const storefront: Storefront = {
    dialect,
    goods: isUnlisted ? [unlistedGood('mug')] : [good('mug'), good('pot')],
    currency: 'USD',
    home: {
      name: 'Ada King',
      street: '1 Pier Rd',
      city: 'Oakland',
      state: 'CA',
      zip: '94607',
      country: 'US',
    },
    learnt: { refusal: null },
  }
  const calls: AcpCall[] = []
  const sessions = new Map<string, Kept>()
  let made = 0

  /** Ids of one thing add up. */
  const linesOf = (items: AcpBody['line_items'] = []): AcpSession['line_items'] =>
    [...Map.groupBy(items, ({ id }) => id)].map(([id, same]) => {
      made += 1
      const quantity = same.reduce((sum, each) => sum + (each.quantity ?? 1), 0)
      return {
        id: hasNewLineIds ? `li_${made}` : `li_${id}`,
        item: { id },
        quantity,
        unit_amount: PRICE,
        totals: [total('total', PRICE * quantity)],
      }
    })

  function answer(call: AcpCall): [status: number, body: unknown] {
    const refused = refuse?.(call) ?? null
    if (refused !== null) {
      const [status, code] = refused
      return [status, refusal(code)]
    }
    const [, id = '', operation] = /^\w+ \/checkout_sessions(?:\/(\w+))?(?:\/(\w+))?$/.exec(
      call.request,
    ) ?? ['', '', '']
    const { line_items, selected_fulfillment_options: [selected] = [] } = call.body
    const isRight = line_items?.every((each) => typeof each.id === 'string') ?? id !== ''
    if (id !== '' && !sessions.has(id)) return [404, refusal('not_found')]
    if (!isRight) return [400, refusal('invalid')]
    const kept = sessions.get(id) ?? { id: `cs_${sessions.size + 1}`, lines: [], isChosen: false }
    sessions.set(kept.id, kept)
    if (line_items) kept.lines = linesOf(line_items)
    const isKnown = (item: string) =>
      kept.lines.some((line) => line.id === item || line.item.id === item)
    const messages: object[] = []
    if (selected?.item_ids.every(isKnown)) kept.isChosen = true
    else if (selected) messages.push(error('invalid', 'This item is not in the order.'))
    if (!kept.isChosen) messages.push(error('missing', 'Choose how it is shipped.'))
    if (operation === 'cancel') kept.isCanceled = true
    const shown = sessionOf(kept, messages)
    return [id === '' ? 201 : 200, show?.(shown, call) ?? shown]
  }

  const perform = async (operation: BuyerOperation): Promise<Performed> => {
    const call = callOf(dialect.call(operation))
    calls.push(call)
    const [status, body] = answer(call)
    const exchanges =
      openingMs === undefined || operation.op !== 'open'
        ? []
        : [{ ...exchangeOf('POST', '/checkout_sessions', call.body, status, body), ms: openingMs }]
    return { exchanges, reply: dialect.read(operation, jsonAnswer(body, status)) }
  }

  /** Looks, without paying. */
  const buy = async (id: IntentId): Promise<Purchase> => {
    const intent = INTENTS.find((each) => each.id === id)
    if (intent === undefined) throw new Error(id)
    return makePurchase(intent, storefront, {
      perform,
      visit: null,
      newKey: () => `key_${calls.length}`,
      now: () => new Date('2026-06-01T12:00:00Z'),
      pause: async () => undefined,
      tokens: null,
      isOver: () => false,
    })
  }
  return { buy, calls, answer }
}

const refusal = (code: string) => ({ type: 'invalid_request', code, message: `No: ${code}.` })

interface Kept {
  id: string
  lines: AcpSession['line_items']
  isChosen: boolean
  isCanceled?: boolean
}

export const error = (code: string, content: string, more: object = {}) => ({
  type: 'error',
  code,
  content_type: 'plain',
  content,
  ...more,
})

function sessionOf(
  { id, lines, isChosen, isCanceled = false }: Kept,
  messages: object[],
): AcpSession {
  const goods = lines.reduce((sum, { quantity }) => sum + PRICE * quantity, 0)
  const shipping = isChosen ? SHIPPING : 0
  return {
    id,
    status: isCanceled ? 'canceled' : isChosen ? 'ready_for_payment' : 'incomplete',
    currency: 'usd',
    line_items: lines,
    totals: [
      total('subtotal', goods),
      ...(isChosen ? [total('fulfillment', shipping)] : []),
      total('total', goods + shipping),
    ],
    fulfillment_options: [
      { type: 'shipping', id: 'std', title: 'Standard', totals: [total('total', SHIPPING)] },
    ],
    messages,
    links: [],
    capabilities: { payment: { handlers: [{ id: 'card' }] } },
  }
}

function callOf(call: DialectCall | null): AcpCall {
  if (call?.over !== 'http') throw new Error('It is not sent over HTTP.')
  const path = new URL(call.url).pathname.replace('/acp', '')
  return { request: `${call.method} ${path}`, body: bodyOf(call.json) }
}

/** What the dialect sends is of this shape, or of no shape at all. */
const bodyOf = (json: unknown): AcpBody => (json ?? {}) as AcpBody

/** The steps of a purchase, with what was not met. */
export const courseOf = ({ outcome, steps }: Purchase): string =>
  `${outcome} [${steps.map(({ step, failed }) => (failed ? `${step}!${failed.expectation}` : step)).join(' ')}]`
