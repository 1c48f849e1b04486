import { beforeAll, describe, expect, test } from 'vitest'
import { WALK_DIALECTS, type WalkDialectName } from '../../../shared/walk/dialect.ts'
import type { ExpectationId } from '../../../shared/walk/expectations.ts'
import type { IntentId } from '../../../shared/walk/intents.ts'
import type { Purchase, Transcript } from '../../../shared/walk/transcript.ts'
import { createStore } from '../../store/app.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import {
  type Body,
  charged,
  each,
  isReady,
  items,
  lines,
  type Plant,
  plantIn,
  raised,
  shipping,
  to,
  type Verb,
  variants,
  without,
} from './testing/planted.ts'
import { TRUSTING, walkedDeps } from './testing/walked-store.ts'
import { createWalker } from './testing/walker.ts'

// What a proxy in front of the faultless store makes wrong, or only different.

const SOLD: readonly WalkDialectName[] = ['ucp_rest', 'ucp_mcp', 'acp']
const SHOWN: readonly Verb[] = ['open', 'read', 'change', 'complete']
const ORDERS = ['order'] as const
const MORE = 700

interface Planted {
  plant: () => Plant
  /** What is not met; null: one store alone cannot show it. */
  shows: ExpectationId | null
  intents?: readonly IntentId[]
  /** Over these dialects alone: ACP has no order to read. */
  over?: readonly WalkDialectName[]
}

const of = (
  shows: Planted['shows'],
  verbs: readonly Verb[],
  change: (body: Body) => Body | null,
  more: Omit<Planted, 'shows' | 'plant'> = {},
): Planted => ({ shows, plant: () => to(verbs, change), ...more })

const whenReady =
  (change: (body: Body) => Body) =>
  (body: Body): Body =>
    isReady(body) ? change(body) : body
const twice = (line: Body): Body => ({ ...line, quantity: 2 * Number(line.quantity) })
const dearer = (item: Body): Body => ({
  ...item,
  ...('price' in item && { price: Number(item.price) + MORE }),
  ...('unit_amount' in item && { unit_amount: Number(item.unit_amount) + MORE }),
})
const another = (body: Body): Body => ({ ...body, id: `${String(body.id)}0` })
const inCad = (body: Body): Body => ({
  ...body,
  currency: body.currency === 'usd' ? 'cad' : 'CAD',
})
/** Reads are of the first answer, for good. */
const cached = (): Plant => {
  const first = new Map<unknown, Body>()
  return (body, verb) => {
    if (!first.has(body.id)) first.set(body.id, body)
    return verb === 'read' ? (first.get(body.id) ?? body) : body
  }
}
const echoed = { payment: { instruments: [{ credential: { type: 'token', token: 'tok_visa' } }] } }
const dearerVariant = (variant: Body): Body => {
  const { amount, currency } = Object(variant.price)
  return { ...variant, price: { amount: amount + MORE, currency } }
}
const soldOut = (variant: Body): Body => ({
  ...variant,
  availability: { available: false, status: 'out_of_stock' },
})
const UCP: readonly WalkDialectName[] = ['ucp_rest', 'ucp_mcp']
const CARTS: readonly IntentId[] = ['cart_to_checkout', 'cart_given_up']
const CART_SHOWN: readonly Verb[] = ['cart_open', 'cart_read', 'cart_change']
const IN_CARTS = { intents: ['cart_to_checkout'] } satisfies Partial<Planted>
const EMPTY: Body = { text: '<!doctype html><title>Shop</title><h1>Your basket is empty.</h1>' }
const surviving = (): Planted => ({
  shows: 'cart_works',
  intents: ['cart_given_up'],
  // Not over ACP: there a cancelled cart answers 404, without a cart that could be changed.
  over: UCP,
  plant: () => {
    let last: Body | null = null
    return to(CART_SHOWN, (it) => {
      if ('line_items' in it) last = it
      return 'line_items' in it ? it : last
    })
  },
})
const misshapen = (tool: Body): Body => ({
  ...tool,
  inputSchema: {
    type: 'object',
    required: ['items'],
    properties: {
      items: {
        type: 'array',
        items: { type: 'object', properties: { sku: { type: 'string' }, qty: { type: 'number' } } },
      },
    },
  },
})
const TWO: readonly IntentId[] = ['two_and_one']
const noHandlers = (body: Body): Body => ({
  ...without(body, 'continue_url'),
  ...('ucp' in body && { ucp: { ...Object(body.ucp), payment_handlers: {} } }),
  ...('capabilities' in body && { capabilities: {} }),
})

const FAULTS: Readonly<Record<string, Planted>> = {
  'a checkout without an id': of('session_is_whole', ['open'], (it) => without(it, 'id')),
  'a status that no protocol has': of('session_is_whole', SHOWN, (it) => ({
    ...it,
    status: 'new',
  })),
  'no totals': of('session_is_whole', SHOWN, (it) => without(it, 'totals')),
  'no lines': of('session_is_whole', SHOWN, (it) => without(it, 'line_items')),
  'a currency that does not exist': of('currency_is_written_right', SHOWN, (it) => ({
    ...it,
    currency: 'US$',
  })),
  'another currency than the catalog': of('currency_as_listed', SHOWN, inCad),
  'a dearer thing than in the catalog': of('price_as_listed', SHOWN, (it) =>
    items(dearer)(lines(dearer)(it)),
  ),
  'a total that does not add up': of('totals_add_up', SHOWN, raised(MORE, 'total')),
  'a total that no longer adds up': of('totals_add_up', ['change'], raised(MORE, 'total')),
  'twice as many of it': of('goods_as_asked', SHOWN, lines(twice)),
  'a line that is lost': of(
    'goods_as_asked',
    SHOWN,
    (it) => ({ ...it, line_items: Object(it).line_items.slice(0, 1) }),
    { intents: TWO },
  ),
  'a thing that was not asked for': of('goods_as_asked', SHOWN, (it) => ({
    ...it,
    line_items: [
      ...Object(it).line_items,
      { ...Object(it).line_items[0], id: 'li_gift', item: { id: 'gift', title: 'Gift', price: 0 } },
    ],
  })),
  'another thing in its place': of(
    'goods_as_asked',
    SHOWN,
    items((it) => ({ ...it, id: 'other' })),
  ),
  'the title of another product': of(
    'goods_as_asked',
    SHOWN,
    items((it) => ({ ...it, ...('title' in it ? { title: OTHER } : { name: OTHER }) })),
  ),
  'a checkout that has ended already': of('lives_long_enough', SHOWN, (it) => ({
    ...it,
    expires_at: '2020-01-01T00:00:00Z',
  })),
  'no way to ship': of(
    'shipping_is_offered',
    SHOWN,
    shipping(() => []),
  ),
  'another shipping than was chosen': of(
    'shipping_can_be_chosen',
    SHOWN,
    shipping(
      (it) => [it],
      () => 'express',
    ),
  ),
  'shipping that costs what no total has': of(
    'shipping_can_be_chosen',
    SHOWN,
    shipping((it) => [raised(MORE, 'total', 'subtotal')(it)]),
  ),
  'a checkout that is never ready': of(
    'becomes_ready',
    SHOWN,
    whenReady((it) => ({ ...it, status: 'incomplete' })),
  ),
  'a checkout that has expired when it should be ready': of(
    'becomes_ready',
    SHOWN,
    whenReady((it) => ({ ...it, status: 'canceled' })),
  ),
  'a buyer who is led nowhere': of(
    'leads_the_buyer_on',
    SHOWN,
    whenReady((it) => ({ ...without(it, 'continue_url'), status: 'requires_escalation' })),
  ),
  'nothing to pay with': of('ways_to_pay', ['profile', ...SHOWN], noHandlers),
  'an opening that fails': of('session_opens', ['open'], () => null),
  'changes that fail': of('changes_count', ['change'], () => null),
  'reads that fail': of('is_read_as_answered', ['read'], () => null),
  'reads from a cache': { shows: 'is_read_as_answered', plant: cached },
  'another total when it is read': of('is_read_as_answered', ['read'], charged('fee', MORE)),
  'another quantity when it is read': of('is_read_as_answered', ['read'], lines(twice)),
  'another price when it is read': of('is_read_as_answered', ['read'], (it) =>
    items(dearer)(lines(dearer)(it)),
  ),
  'another currency when it is read': of('is_read_as_answered', ['read'], inCad),
  'another checkout when it is read': of('is_read_as_answered', ['read'], another),
  'another id after each change': of('is_read_as_answered', ['change'], another),
  'ids of lines that do not last': {
    shows: 'is_read_as_answered',
    plant: () => {
      let count = 0
      return to(['read'], (it) => {
        count += 1
        return lines((line) => ({ ...line, id: `${String(line.id)}_${count}` }))(it)
      })
    },
  },
  'a status that goes back when it is read': of(
    'is_read_as_answered',
    ['read'],
    whenReady((it) => ({ ...it, status: 'incomplete' })),
  ),
  'a dearer look-up': of('catalog_agrees', ['look-up'], variants(dearerVariant), { over: UCP }),
  'a dearer product': of('catalog_agrees', ['product'], variants(dearerVariant), { over: UCP }),
  'a look-up that calls it sold out': of('catalog_agrees', ['look-up'], variants(soldOut), {
    over: UCP,
  }),
  'a product that is called sold out': of('catalog_agrees', ['product'], variants(soldOut), {
    over: UCP,
  }),
  'a look-up that forgets': of('catalog_agrees', ['look-up'], (it) => ({ ...it, products: [] }), {
    over: UCP,
  }),
  'another currency in acp.json': of(
    'currency_is_declared',
    ['discovery'],
    (it) => ({
      ...it,
      capabilities: { ...Object(it.capabilities), supported_currencies: ['eur', 'gbp'] },
    }),
    { over: ['acp'] },
  ),
  'a cart without totals': of(
    'session_is_whole',
    CART_SHOWN,
    (it) => without(it, 'totals'),
    IN_CARTS,
  ),
  'a cart that cannot be opened': of('cart_works', ['cart_open'], () => null, IN_CARTS),
  'a cart with twice as many': of('goods_as_asked', CART_SHOWN, lines(twice), IN_CARTS),
  'a cart at other prices': of(
    'price_as_listed',
    CART_SHOWN,
    (it) => items(dearer)(lines(dearer)(it)),
    IN_CARTS,
  ),
  'a cart that does not add up': of('totals_add_up', CART_SHOWN, raised(MORE, 'total'), IN_CARTS),
  'a cart that takes no change': of(
    'goods_as_asked',
    ['cart_change'],
    lines((line) => ({ ...line, quantity: 1 })),
    IN_CARTS,
  ),
  'a cart that is read otherwise': of('is_read_as_answered', ['cart_read'], lines(twice), IN_CARTS),
  'a cart that cannot be read': of('is_read_as_answered', ['cart_read'], () => null, IN_CARTS),
  'another cart when it is read': of('is_read_as_answered', ['cart_read'], another, IN_CARTS),
  'a cart that cannot be cancelled': of('cart_works', ['cart_cancel'], () => null, {
    intents: ['cart_given_up'],
  }),
  'a cart that is cancelled and still there': { ...IN_CARTS, ...surviving() },
  'a link that leads nowhere': of('link_leads_on', ['page'], () => null),
  'a link to an empty basket': of('link_leads_on', ['page'], () => EMPTY),
  'a link to another store': of('link_leads_on', SHOWN, (it) => ({
    ...it,
    ...('continue_url' in it && { continue_url: 'https://elsewhere.example/checkout/1' }),
  })),
  'a permalink that leads nowhere': of('link_leads_on', ['page'], () => null, {
    over: UCP,
    intents: ['permalink'],
  }),
  'a permalink to an empty basket': of('link_leads_on', ['page'], () => EMPTY, {
    over: UCP,
    intents: ['permalink'],
  }),
  'tools that show another form': of(
    'tools_fit',
    ['tools'],
    (it) => each(it, 'tools', (tool) => (tool.name === 'create_checkout' ? misshapen(tool) : tool)),
    { over: ['ucp_mcp'] },
  ),
  'tools that demand what UCP does not have': of(
    'tools_fit',
    ['tools'],
    (it) =>
      each(it, 'tools', (tool) => ({
        ...tool,
        inputSchema: { ...Object(tool.inputSchema), required: ['meta', 'api_token'] },
      })),
    { over: ['ucp_mcp'] },
  ),
  'tools that take another form than they show': of(
    'session_opens',
    ['open'],
    () => ({ error: { code: -32602, message: 'Invalid params: items is required' } }),
    { over: ['ucp_mcp'] },
  ),
  'a payment that always fails': of('takes_payment', ['complete'], () => null),
  'a payment without an order': of('takes_payment', ['complete', 'read'], (it) =>
    without(it, 'order'),
  ),
  'a payment that changes nothing': of('takes_payment', ['complete'], (it) => ({
    ...without(it, 'order'),
    status: 'ucp' in it ? 'ready_for_complete' : 'ready_for_payment',
  })),
  'a fee at the end': of('charged_as_agreed', ['complete'], charged('fee', MORE)),
  'more tax at the end': of('charged_as_agreed', ['complete'], raised(MORE, 'tax', 'total')),
  'dearer shipping at the end': of(
    'charged_as_agreed',
    ['complete'],
    raised(MORE, 'fulfillment', 'total'),
  ),
  'a fee in the place of tax at the end': of('charged_as_agreed', ['complete'], (it) =>
    charged('fee', MORE)(raised(-MORE, 'tax', 'total')(it)),
  ),
  'another currency at the end': of('charged_as_agreed', ['complete'], inCad),
  'another quantity at the end': of('charged_as_agreed', ['complete'], lines(twice)),
  'a dearer line at the end': of('charged_as_agreed', ['complete'], (it) =>
    items(dearer)(lines(dearer)(it)),
  ),
  'another shipping at the end': of(
    'charged_as_agreed',
    ['complete'],
    shipping(
      (it) => [it],
      () => 'express',
    ),
  ),
  'a token that is repeated': of('credential_is_kept', ['complete'], (it) => ({
    ...it,
    ...echoed,
  })),
  'another total after the end': of('is_read_as_answered', ['read'], (it) =>
    it.status === 'completed' ? charged('fee', MORE)(it) : it,
  ),
  'a payment that is forgotten': of('is_read_as_answered', ['read'], (it) =>
    it.status === 'completed'
      ? { ...it, status: 'ucp' in it ? 'ready_for_complete' : 'ready_for_payment' }
      : it,
  ),
  'a cancel that fails': of('can_be_cancelled', ['cancel'], () => null, {
    intents: ['cancel_midway'],
  }),
  'a cancel that does nothing': of(
    'can_be_cancelled',
    ['cancel', 'read'],
    (it) =>
      it.status === 'canceled'
        ? { ...it, status: 'ucp' in it ? 'ready_for_complete' : 'ready_for_payment' }
        : it,
    { intents: ['cancel_midway'] },
  ),
  'a cancel that is only said': of(
    'can_be_cancelled',
    ['read'],
    (it) =>
      it.status === 'canceled'
        ? { ...it, status: 'ucp' in it ? 'ready_for_complete' : 'ready_for_payment' }
        : it,
    { intents: ['cancel_midway'] },
  ),
  'an order that cannot be read': of('order_can_be_read', ORDERS, () => null, { over: UCP }),
  'another order': of('order_can_be_read', ORDERS, another, { over: UCP }),
  'an order of another checkout': of(
    'charged_as_agreed',
    ORDERS,
    (it) => ({ ...it, checkout_id: 'chk_other' }),
    { over: UCP },
  ),
  'an order with another total': of('charged_as_agreed', ORDERS, charged('fee', MORE), {
    over: UCP,
  }),
  'an order with another thing': of(
    'charged_as_agreed',
    ORDERS,
    items((it) => ({ ...it, id: 'other' })),
    { over: UCP },
  ),
  'an order with dearer lines': of('charged_as_agreed', ORDERS, items(dearer), { over: UCP }),
  // What one store says alike from the first answer to the last.
  'tax that is too high from the beginning': of(
    null,
    [...SHOWN, 'order'],
    raised(MORE, 'tax', 'total'),
  ),
  'a fee that is named from the beginning': of(null, [...SHOWN, 'order'], charged('fee', MORE)),
  'shipping that is too dear from the beginning': of(null, [...SHOWN, 'order'], (it) =>
    shipping((one) => [raised(MORE, 'total', 'subtotal')(one)])(
      raised(MORE, 'fulfillment', 'total')(it),
    ),
  ),
}
const OTHER = 'Arete 2 Tent'

/** What differs, and is not wrong. */
const INNOCENT: Readonly<Record<string, Plant>> = {
  'members that no schema has': to([...SHOWN, 'order'], (it) => ({ ...it, vendor: { a: [1] } })),
  'lines sorted otherwise when read': to(['read', 'complete', 'order'], (it) => ({
    ...it,
    line_items: [...Object(it).line_items].reverse(),
  })),
  'a message': to(SHOWN, (it) => ({ ...it, messages: [...messagesOf(it), INFO] })),
  'a message when read alone': to(['read'], (it) => ({ ...it, messages: [INFO] })),
  'a longer life at each answer': (() => {
    let hours = 8
    return to(SHOWN, (it) => {
      hours += 1
      return { ...it, expires_at: new Date(Date.now() + hours * 3_600_000).toISOString() }
    })
  })(),
  'no end': to(SHOWN, (it) => without(it, 'expires_at')),
  'options called otherwise when read': to(
    ['read'],
    shipping((one) => [{ ...one, title: `${String(one.title)}!` }]),
  ),
  'a further way to ship': to(
    SHOWN,
    shipping((one) => [
      one,
      { ...one, id: `${String(one.id)}_2`, title: `${String(one.title)} 2` },
    ]),
  ),
  'longer titles': to(
    SHOWN,
    items((it) => ({ ...it, ...('title' in it && { title: `${String(it.title)} (new)` }) })),
  ),
  'titles in another language': to(
    [...SHOWN, 'order'],
    items((it) => ({ ...it, ...('title' in it ? { title: 'テント' } : { name: 'テント' }) })),
  ),
  'titles in capitals when read': to(
    ['read'],
    items((it) => ({ ...it, ...('title' in it && { title: String(it.title).toUpperCase() }) })),
  ),
  'no amounts when read': to(['read'], (it) => ({ ...it, totals: [] })),
  'a fee, from the first answer to the last': to([...SHOWN, 'order'], charged('fee', 250)),
  'a fee of nothing at the end': to(['complete', 'read'], charged('fee', 0)),
  'tax in two entries at the end': to(['complete', 'order'], (it) => ({
    ...it,
    totals: Object(it).totals.flatMap((one: Body) =>
      one.type === 'tax'
        ? [
            { ...one, amount: Number(one.amount) - 1 },
            { ...one, amount: 1 },
          ]
        : [one],
    ),
  })),
  links: to(SHOWN, (it) => ({
    ...it,
    links: [{ type: 'terms_of_use', url: 'https://shop.example/terms' }],
  })),
  'a shown card after the payment': to(['complete'], (it) => ({
    ...it,
    payment: { instruments: [{ id: 'pi_1', display: { brand: 'visa', last_digits: '4242' } }] },
  })),
  'an order that names no checkout': to(['order'], (it) => without(it, 'checkout_id')),
  'an order without lines': to(['order'], (it) => without(it, 'line_items', 'totals')),
  'a page in another form': to(['page'], ({ text }) => ({ text: `<main>${String(text)}</main>` })),
  'a page whose names are written as entities': to(['page'], ({ text }) => ({
    text: String(text).replace(/>[^<]+/g, (said) =>
      said.replace(/[aeiou]/g, (letter) => `&#${letter.charCodeAt(0)};`),
    ),
  })),
  'a page that scripts fill': to(['page'], () => ({
    text: '<!doctype html><div id="app"></div><script src="/app.js"></script>',
  })),
  'tools without a schema': to(['tools'], (it) =>
    each(it, 'tools', (tool) => ({ ...tool, inputSchema: { type: 'object' } })),
  ),
  'totals sorted otherwise': to(SHOWN, (it) => ({
    ...it,
    totals: [...Object(it).totals].reverse(),
  })),
}
const INFO = { type: 'info', code: 'note', content_type: 'plain', content: 'Thank you.' }
const messagesOf = ({ messages }: Body): unknown[] => (Array.isArray(messages) ? messages : [])

let walk: (
  name: string,
  plant: Plant,
  intents: readonly IntentId[],
  dialects?: readonly WalkDialectName[],
) => Promise<Transcript>

beforeAll(async () => {
  const store = await walkedDeps()
  const app = createStore({ deps: store.deps, ...TRUSTING, faults: [] })
  const plants = new Map<string, Plant>()
  const proxy = {
    fetch: async (request: Request, env: object) => {
      const plant = plants.get(new URL(request.url).hostname)
      const send = async (asked: Request) => app.fetch(asked, env)
      return plant === undefined ? send(request) : plantIn(request, send, plant)
    },
  }
  // No plant makes it slow: a busy machine is not the store's.
  const fetcher = await fetcherTo(proxy, { clock: () => 0 })
  const walker = createWalker({ fetcher, judges: JUDGES_HERE })
  let count = 0
  walk = (name, plant, intents, dialects = SOLD) => {
    count += 1
    const host = name.startsWith('spec')
      ? `planted-${count}.example`
      : `ucp-planted-${count}.example`
    plants.set(host, plant)
    return walker.walk(host, 'sandbox', intents, dialects)
  }
})

/** Each with what was read before it. */
const purchasesIn = ({ routes }: Transcript): Purchase[] =>
  routes.flatMap(({ browsing, purchases }) =>
    purchases.map((purchase) => ({ ...purchase, steps: [...browsing, ...purchase.steps] })),
  )

const stopsOf = (purchases: readonly Purchase[]) =>
  purchases.map(({ dialect, intent, outcome, steps }) => {
    const stop = steps.find(({ failed }) => failed !== null)
    const { expectation, party, field } = stop?.failed ?? {}
    return { dialect, intent, outcome, step: stop?.step, expectation, party, field }
  })

const isStopped = ({ outcome, step }: ReturnType<typeof stopsOf>[number]): boolean =>
  outcome !== 'passed' || step !== undefined

const found = new Map<string, ReturnType<typeof stopsOf>>()

test.each(Object.entries(FAULTS))('%s', async (name, planted) => {
  const { plant, shows, intents = ['cheapest_variant'], over = SOLD } = planted
  const stops = stopsOf(purchasesIn(await walk(name, plant(), intents, over)))
  found.set(name, stops)
  expect(stops.map(({ dialect, expectation }) => [dialect, expectation])).toEqual(
    over.flatMap((dialect) => intents.map(() => [dialect, shows ?? undefined])),
  )
  expect(stops.flatMap(({ party }) => party ?? [])).toEqual(
    shows === null ? [] : stops.map(() => 'store'),
  )
})

describe('a store that only differs passes', () => {
  test.each(Object.entries(INNOCENT))('%s', async (name, plant) => {
    const intents: IntentId[] = ['cheapest_variant', 'two_and_one', 'cancel_midway', ...CARTS]
    const walked = await walk(name, plant, intents)
    expect(stopsOf(purchasesIn(walked)).filter(isStopped)).toEqual([])
  })
})

test('the faultless store passes in all five dialects', async () => {
  const intents: IntentId[] = [
    'cheapest_variant',
    'two_and_one',
    'cancel_midway',
    'reorder',
    ...CARTS,
    'permalink',
  ]
  const purchases = [
    ...purchasesIn(await walk('official', (it) => it, intents, WALK_DIALECTS)),
    ...purchasesIn(await walk('spec', (it) => it, intents, ['spec_ucp', 'spec_acp'])),
  ]
  expect(new Set(purchases.map(({ dialect }) => dialect)).size).toBe(WALK_DIALECTS.length)
  // What a dialect has no way to do makes no step.
  const walked = purchases.filter(({ why }) => !/has no way to do this/.test(why ?? ''))
  expect(stopsOf(walked).filter(isStopped)).toEqual([])
  expect(
    walked.flatMap(({ dialect, intent }) => (CARTS.includes(intent) ? [dialect] : [])),
  ).toEqual([...UCP, 'acp'].flatMap((dialect) => [dialect, dialect]))
})

test('each fault is found as the table says', async () => {
  const rows = [...found].map(([name, stops]) => {
    const cells = SOLD.map((dialect) => {
      const stop = stops.find((each) => each.dialect === dialect)
      if (stop === undefined) return '–'
      const { expectation, step, party, field } = stop
      return expectation === undefined
        ? 'not found'
        : `${step}: ${expectation}, ${party}${field === null ? '' : `, \`${field}\``}`
    })
    return `| ${name} | ${cells.join(' | ')} |`
  })
  const table = [
    '| what is wrong | UCP over REST | UCP over MCP | ACP |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
  await expect(`${ABOUT}\n${table}\n`).toMatchFileSnapshot(
    '../../../docs/contributor/walk-behind-a-proxy.md',
  )
})

const ABOUT = `# What a walk finds behind a proxy

Written by \`server/audit/walk/planted.whole.db.test.ts\`, which fails where it is not true any more (\`npx vitest run
server/audit/walk/planted.whole.db.test.ts -u\` writes it anew).

A proxy in front of the faultless store makes its answers wrong in one way at a time. A cell says the step
at which the walk stops, what is not met, whose fault that is, and the field. A dash: the protocol has nothing
of the kind. "Not found": a store that says the same from its first answer to its last shows nothing of it;
only another source would, such as the tax of the place or the price of the parcel service.
`
