import { type Context, Hono } from 'hono'
import { beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { IntentId, WalkMode } from '../../../shared/walk/intents.ts'
import { acpShop } from '../../../shared/walk/testing/acp-shop.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import { cancelLeftOpen } from './cancel-left-open.ts'
import { createWalker, memoryLedger, outcomesOf } from './testing/walker.ts'

/** Servers that do as others in the field do, and their protocols allow or once had it. */

const FEED = `id,title,description,link,image_link,price,availability
pot,Pot,A pot,https://shop.example/p/pot,https://shop.example/pot.jpg,15.00 USD,in_stock
vase,Vase,A vase,https://shop.example/p/vase,https://shop.example/vase.jpg,25.00 USD,in_stock
`
const HOME = `<!doctype html><title>Shop</title>
<link rel="alternate" type="text/csv" title="Product feed" href="https://shop.example/products.csv">`

const withFeed = (feed = FEED) =>
  new Hono()
    .get('/', (c) => c.html(HOME))
    .get('/products.csv', (c) => c.body(feed, 200, { 'content-type': 'text/csv' }))

let shop = withFeed()
let fetcher: Fetcher
beforeAll(async () => {
  fetcher = await fetcherTo({ fetch: (request: Request) => shop.fetch(request) })
})

const walk = (mode: WalkMode, ...intents: IntentId[]) =>
  createWalker({ fetcher, judges: JUDGES_HERE }).walk('shop.example', mode, intents)

// UCP

const VERSION = '2026-04-08'
const HANDLERS = { 'example.shop.pay': [{ id: 'shop_pay', version: VERSION }] }
const profile = () => ({
  ucp: {
    version: VERSION,
    services: {
      'dev.ucp.shopping': [
        {
          version: VERSION,
          transport: 'rest',
          endpoint: 'https://shop.example/ucp',
          spec: 'https://ucp.dev/2026-04-08/specification/overview',
          schema: 'https://ucp.dev/2026-04-08/services/shopping/rest.openapi.json',
        },
      ],
    },
    capabilities: Object.fromEntries(
      ['checkout', 'fulfillment'].map((name) => [
        `dev.ucp.shopping.${name}`,
        [
          {
            version: VERSION,
            spec: `https://ucp.dev/2026-04-08/specification/${name}`,
            schema: `https://ucp.dev/2026-04-08/schemas/shopping/${name}.json`,
            ...(name === 'fulfillment' && { extends: 'dev.ucp.shopping.checkout' }),
          },
        ],
      ]),
    ),
    payment_handlers: HANDLERS,
  },
})

const Sent = z.looseObject({
  line_items: z.array(z.object({ item: z.object({ id: z.string() }), quantity: z.number() })),
  fulfillment: z
    .object({
      methods: z.array(
        z.object({
          id: z.string().optional(),
          destinations: z.array(z.looseObject({ id: z.string() })),
          selected_destination_id: z.string(),
          groups: z.array(z.looseObject({ selected_option_id: z.string() })).optional(),
        }),
      ),
    })
    .optional(),
})
const Paid = z.object({
  payment: z.object({
    instruments: z.array(
      z.looseObject({ handler_id: z.string(), credential: z.looseObject({ token: z.string() }) }),
    ),
  }),
})
const PRICES: Readonly<Record<string, number>> = { pot: 1500, vase: 2500 }

/**
 * Keeps each address under the id that it came with, for good; the same id with another address is
 * an error that nobody has thought of. What its checkouts can be paid with is in its profile alone.
 */
function addressKeeper({
  wantsIds = false,
  declined = 'ready_for_complete',
  hasOneId = false,
} = {}) {
  const addresses = new Map<string, string>()
  const handlers: string[] = []
  const open = new Map<string, Record<string, unknown>>()
  const show = (id: string, sent: z.infer<typeof Sent>, status?: string) => {
    const [method] = sent.fulfillment?.methods ?? []
    const chosen = method?.groups?.[0]?.selected_option_id ?? null
    const cost = chosen === null ? 0 : 500
    const line_items = sent.line_items.map(({ item, quantity }, at) => {
      const price = PRICES[item.id] ?? 0
      const totals = [{ type: 'total', amount: price * quantity }]
      return { id: `li_${at}`, item: { id: item.id, title: item.id, price }, quantity, totals }
    })
    const subtotal = line_items.reduce((sum, { item, quantity }) => sum + item.price * quantity, 0)
    const session = {
      ucp: { version: VERSION, payment_handlers: {} },
      id,
      status: status ?? (chosen === null ? 'incomplete' : 'ready_for_complete'),
      currency: 'USD',
      line_items,
      totals: [
        { type: 'subtotal', amount: subtotal },
        ...(cost > 0 ? [{ type: 'fulfillment', amount: cost }] : []),
        { type: 'total', amount: subtotal + cost },
      ],
      links: [],
      messages: [],
      ...(method && {
        fulfillment: {
          methods: [
            {
              id: method.id ?? 'm',
              type: 'shipping',
              line_item_ids: line_items.map((line) => line.id),
              destinations: method.destinations,
              selected_destination_id: method.selected_destination_id,
              groups: [
                {
                  id: 'g',
                  line_item_ids: line_items.map((line) => line.id),
                  selected_option_id: chosen,
                  options: [
                    { id: 'std', title: 'Standard', totals: [{ type: 'total', amount: 500 }] },
                  ],
                },
              ],
            },
          ],
        },
      }),
      ...(status === 'completed' && {
        order: {
          id: hasOneId ? 'order_1' : `order_${id}`,
          permalink_url: 'https://shop.example/orders/1',
        },
      }),
    }
    open.set(id, session)
    return session
  }
  const kept = ({ fulfillment }: z.infer<typeof Sent>) =>
    (fulfillment?.methods ?? []).every(({ destinations }) =>
      destinations.every(({ id, first_name, last_name, ...place }) => {
        const known = addresses.get(id)
        addresses.set(id, known ?? JSON.stringify(place))
        return known === undefined || known === JSON.stringify(place)
      }),
    )
  const asked = new Map<string, z.infer<typeof Sent>>()
  const app = withFeed()
    .get('/.well-known/ucp', (c) => c.json(profile()))
    .post('/ucp/checkout-sessions', async (c) => {
      const sent = Sent.parse(await c.req.json())
      const id = `chk_${asked.size + 1}`
      asked.set(id, sent)
      return c.json(show(id, sent), 201)
    })
    .get('/ucp/checkout-sessions/:id', (c) => {
      const known = open.get(c.req.param('id'))
      return known === undefined ? c.notFound() : c.json(known)
    })
    .put('/ucp/checkout-sessions/:id', async (c) => {
      const sent = Sent.parse(await c.req.json())
      if (wantsIds && sent.fulfillment?.methods.some(({ id }) => id === undefined)) {
        const loc = ['body', 'fulfillment', 'methods', 0, 'id']
        return c.json({ detail: [{ type: 'missing', loc, msg: 'Field required' }] }, 422)
      }
      const groups = (sent.fulfillment?.methods ?? []).flatMap(({ groups: its = [] }) => its)
      // Its model of a request is that of an answer, in the other parts as well.
      if (groups.some((group) => wantsIds !== Object.hasOwn(group, 'line_item_ids'))) {
        return c.json({ detail: 'groups are not as the model has them' }, 422)
      }
      asked.set(c.req.param('id'), sent)
      return kept(sent)
        ? c.json(show(c.req.param('id'), sent))
        : c.text('Internal Server Error', 500)
    })
    .post('/ucp/checkout-sessions/:id/:end{complete|cancel}', async (c) => {
      const { id, end } = c.req.param()
      const sent = asked.get(id)
      if (sent === undefined) return c.notFound()
      if (end === 'complete') {
        const { instruments } = Paid.parse(await c.req.json()).payment
        handlers.push(...instruments.map(({ handler_id }) => handler_id))
        if (instruments.some(({ credential }) => credential.token === 'tok_declined')) {
          show(id, sent, declined)
          const error = { type: 'error', code: 'payment_failed', content: 'Declined.' }
          const messages = [{ ...error, severity: 'recoverable' }]
          return c.json({ ucp: { version: VERSION, status: 'error' }, messages })
        }
      }
      return c.json(show(id, sent, end === 'complete' ? 'completed' : 'canceled'))
    })
  const left = () => [...open.values()].filter(({ status }) => status === 'incomplete')
  return { app, handlers, left }
}

test('over UCP, a store that keeps addresses by id is given one id for each', async () => {
  const { app, left } = addressKeeper()
  shop = app
  const walked = await walk('look', 'cheapest_variant', 'another_country', 'po_box', 'reorder')
  expect(outcomesOf(walked)).toEqual([
    'ucp_rest cheapest_variant: passed [open quote address shipping cancel]',
    'ucp_rest another_country: passed [open address cancel]',
    'ucp_rest po_box: passed [open address cancel]',
    'ucp_rest reorder: passed [open quote address shipping open quote address shipping cancel cancel]',
  ])
  expect(left()).toEqual([])
})

test('over UCP, a store that wants an id of a delivery gets one, after it has said so once', async () => {
  const { app } = addressKeeper({ wantsIds: true })
  shop = app
  const walked = await walk('look', 'cheapest_variant', 'po_box')
  expect(outcomesOf(walked)).toEqual([
    'ucp_rest cheapest_variant: passed [open quote address shipping cancel]',
    'ucp_rest po_box: passed [open address cancel]',
  ])
  const answers = walked.routes.flatMap(({ purchases }) =>
    purchases.flatMap(({ steps }) =>
      steps.flatMap(({ exchanges }) => exchanges.map(({ answer }) => answer?.status)),
    ),
  )
  expect(answers.filter((status) => status === 422)).toHaveLength(1)
})

test('over UCP, a checkout that names no way to pay is paid by one of the profile', async () => {
  const { app, handlers } = addressKeeper()
  shop = app
  expect(outcomesOf(await walk('sandbox', 'cheapest_variant'))).toEqual([
    'ucp_rest cheapest_variant: passed [open quote address shipping pay cancel]',
  ])
  expect(handlers).toEqual(['shop_pay'])
})

test.each([
  ['ready_for_complete', 'passed [open quote address shipping pay cancel]'],
  ['complete_in_progress', 'failed [open quote address shipping pay!decline_is_said cancel]'],
])('over UCP, a checkout that is %s after a declined card', async (declined, course) => {
  shop = addressKeeper({ declined }).app
  expect(outcomesOf(await walk('sandbox', 'declined_card'))).toEqual([
    `ucp_rest declined_card: ${course}`,
  ])
})

test.each([
  [false, 'passed [open quote address shipping pay open quote address shipping pay cancel cancel]'],
  [
    true,
    'failed [open quote address shipping pay open quote address shipping pay!one_order cancel cancel]',
  ],
])('over UCP, two checkouts with one order id: %s', async (hasOneId, course) => {
  shop = addressKeeper({ hasOneId }).app
  expect(outcomesOf(await walk('sandbox', 'reorder'))).toEqual([`ucp_rest reorder: ${course}`])
})

test.each([
  ['is there all the same', true, 'It is left to end by itself'],
  ['is not there either', false, 'The cart has ended already.'],
])('a cart whose cancel answers 404, and that %s', async (_, isThere, said) => {
  const cart = { ucp: { version: VERSION }, id: 'cart_1', currency: 'USD', line_items: [] }
  const { ucp } = profile()
  const carts = { ...ucp.capabilities, 'dev.ucp.shopping.cart': [{ version: VERSION }] }
  shop = new Hono()
    .get('/.well-known/ucp', (c) => c.json({ ucp: { ...ucp, capabilities: carts } }))
    .post('/ucp/carts', (c) => c.json(cart, 201))
    .get('/ucp/carts/:id', (c) => (isThere ? c.json(cart) : c.notFound()))
    .route('/', addressKeeper().app)
  const { routes } = await walk('look', 'cart_given_up')
  expect(routes[0]?.purchases[0]?.steps.at(-1)).toMatchObject({
    title: 'Cancels the cart that is left',
    held: [],
    concluded: [{ text: expect.stringContaining(said) }],
  })
})

test('a store that takes back what was paid is said to have done so', async () => {
  const { app } = addressKeeper()
  shop = app
  const [purchase] = (await walk('sandbox', 'cheapest_variant')).routes.flatMap(
    ({ purchases }) => purchases,
  )
  expect(purchase?.orders).toEqual([
    { id: 'order_chk_1', url: 'https://shop.example/orders/1', cancelled: true },
  ])
  expect(purchase?.steps.at(-1)).toMatchObject({
    title: 'Asks the store to cancel the order order_chk_1',
    concluded: [{ text: 'The store cancelled the checkout that was paid.', field: 'status' }],
    failed: null,
  })
})

// Another's checkout

/** A domain that names the endpoints of shop.example, whose own profile has `own` as well. */
function borrower(own: object = {}) {
  const asked: string[] = []
  const acp = (base: string) => ({
    protocol: { name: 'acp', version: '2026-04-17', supported_versions: ['2026-04-17'] },
    api_base_url: base,
    transports: ['rest'],
    capabilities: { services: ['checkout'] },
  })
  const { app } = addressKeeper()
  shop = new Hono()
    .use('*', async (c, next) => {
      if (c.req.header('host') === 'shop.example') asked.push(`${c.req.method} ${c.req.path}`)
      await next()
    })
    .get('/.well-known/ucp', (c) =>
      c.json({ ...profile(), ...(c.req.header('host') === 'shop.example' && own) }),
    )
    .get('/.well-known/acp.json', (c) => c.json(acp('https://shop.example/acp')))
    .route('/', app)
  return asked
}

const borrow = () =>
  createWalker({ fetcher, judges: JUDGES_HERE }).walk('evil.example', 'look', ['cheapest_variant'])

test('of a store whose checkout a domain names as its own, only its word on that is read', async () => {
  const asked = borrower()
  const { routes, elsewhere, nothing } = await borrow()
  expect(routes).toEqual([])
  expect(asked).toEqual(['GET /.well-known/ucp', 'GET /.well-known/acp.json', 'GET /'])
  expect(elsewhere).toEqual(
    [
      ['ucp_rest', `UCP over REST, ${VERSION}`, 'https://shop.example/ucp'],
      ['acp', 'ACP, 2026-04-17', 'https://shop.example/acp'],
    ].map(([dialect, label, endpoint]) => ({
      dialect,
      label,
      endpoint,
      why: expect.stringContaining(
        'The owner of shop.example allows it with "domain": "evil.example" in its /.well-known/ucp.',
      ),
    })),
  )
  expect(nothing).toBe('None of the checkouts that evil.example names can be walked.')
})

test('a store that names the domain sells for it', async () => {
  const asked = borrower({ domain: 'evil.example' })
  expect(outcomesOf(await borrow())).toContain(
    'ucp_rest cheapest_variant: passed [open quote address shipping cancel]',
  )
  expect(asked).toContain('POST /ucp/checkout-sessions')
})

// A refusal of everything

const UNSOUND: IntentId[] = [
  'unknown_variant',
  'another_country',
  'another_currency',
  'largest_quantity',
]
/** Outcomes by intent. */
const endsOf = async (intents: IntentId[]) => {
  const { routes } = await walk('look', ...intents)
  return routes.flatMap(({ purchases }) => purchases.map(({ outcome, why }) => ({ outcome, why })))
}

test('a store that refuses every basket alike shows nothing by refusing an unsound one', async () => {
  const error = { code: 'invalid', content: 'A checkout needs a loyalty card.' }
  shop = withFeed()
    .get('/.well-known/ucp', (c) => c.json(profile()))
    .post('/ucp/checkout-sessions', (c) => c.json(error, 400))
  const [sound, ...unsound] = await endsOf([
    'cheapest_variant',
    'unknown_variant',
    'largest_quantity',
  ])
  expect(sound).toMatchObject({ outcome: 'failed' })
  const why =
    'A basket of goods in stock is refused in the same words: 400 invalid: A checkout needs a loyalty card.'
  expect(unsound).toEqual(unsound.map(() => ({ outcome: 'not_walked', why })))
  expect(unsound).toHaveLength(2)
})

test('another refusal than that of a sound basket counts', async () => {
  const invalid = { code: 'invalid', content: 'A checkout needs a loyalty card.' }
  const unknown = { code: 'item_not_found', content: 'There is no such item.' }
  shop = withFeed()
    .get('/.well-known/ucp', (c) => c.json(profile()))
    .post('/ucp/checkout-sessions', async (c) => {
      const isKnown = Sent.parse(await c.req.json()).line_items.every(
        ({ item }) => item.id in PRICES,
      )
      return c.json(isKnown ? invalid : unknown, 400)
    })
  expect(
    (await endsOf(['cheapest_variant', 'unknown_variant'])).map(({ outcome }) => outcome),
  ).toEqual(['failed', 'passed'])
})

test('a store that refuses every change alike shows nothing by refusing an unsound one', async () => {
  const error = { code: 'invalid', content: 'id: Required' }
  shop = new Hono()
    .put('/ucp/checkout-sessions/:id', (c) => c.json(error, 400))
    .route('/', addressKeeper().app)
  const [sound, ...unsound] = await endsOf([
    'cheapest_variant',
    'another_country',
    'no_such_address',
    'po_box',
    'after_the_end',
  ])
  expect(sound).toEqual({ outcome: 'failed', why: '400 invalid: id: Required' })
  const why = 'A sound change is refused in the same words: 400 invalid: id: Required'
  expect(unsound).toEqual(Array(4).fill({ outcome: 'not_walked', why }))
})

// ACP of a version that nobody names

const flat = (status: number, code: string, message: string) =>
  Response.json({ type: 'invalid_request', code, message }, { status })

/** It wants what no release has. */
const strangeAcp = () =>
  withFeed()
    .post('/checkout_sessions', () => flat(400, 'missing', 'basket is required.'))
    .all('/checkout_sessions/*', () => flat(404, 'not_found', 'No such session.'))

test('a store that names no version of ACP, and refuses the newest, is not at fault', async () => {
  shop = strangeAcp()
  const [sound, ...unsound] = await endsOf(['cheapest_variant', ...UNSOUND])
  expect(sound).toEqual({
    outcome: 'not_walked',
    why: 'The store names no version of ACP, and was spoken to in 2026-04-17. It refuses that form: 400 missing: basket is required.',
  })
  expect(unsound.map(({ outcome }) => outcome)).toEqual(UNSOUND.map(() => 'not_walked'))
})

const FirstAsked = z.looseObject({
  items: z.array(z.object({ id: z.string(), quantity: z.int().min(1) })).optional(),
  fulfillment_address: z.looseObject({ country: z.string() }).optional(),
  fulfillment_option_id: z.string().optional(),
  payment_data: z.object({ token: z.string(), provider: z.literal('stripe') }).optional(),
})
type FirstAsked = z.infer<typeof FirstAsked>

const amount = (type: string, value: number) => ({ type, display_text: type, amount: value })

function firstSession(id: string, kept: FirstAsked, status?: string) {
  const line_items = (kept.items ?? []).map((item, at) => {
    const base_amount = (PRICES[item.id] ?? 0) * item.quantity
    const sums = { base_amount, discount: 0, subtotal: base_amount, tax: 0, total: base_amount }
    return { id: `li_${at}`, item, ...sums }
  })
  const subtotal = line_items.reduce((sum, line) => sum + line.subtotal, 0)
  const shipping = kept.fulfillment_option_id === undefined ? 0 : 500
  const option = { type: 'shipping', id: 'std', title: 'Standard', subtotal: '500', tax: '0' }
  return {
    id,
    status: status ?? (shipping === 0 ? 'not_ready_for_payment' : 'ready_for_payment'),
    currency: 'usd',
    payment_provider: { provider: 'stripe', supported_payment_methods: ['card'] },
    line_items,
    fulfillment_options: kept.fulfillment_address ? [{ ...option, total: '500' }] : [],
    ...(shipping > 0 && { fulfillment_option_id: 'std' }),
    totals: [
      amount('items_base_amount', subtotal),
      amount('subtotal', subtotal),
      amount('fulfillment', shipping),
      amount('total', subtotal + shipping),
    ],
    messages: [],
    links: [],
    ...(status === 'completed' && {
      order: { id: `ord_${id}`, permalink_url: 'https://shop.example/orders/1' },
    }),
  }
}

/** A shop of the first release, which names no version. */
function firstAcp() {
  const kept = new Map<string, { asked: FirstAsked; status?: string }>()
  const show = (id: string) => {
    const session = kept.get(id)
    return session === undefined
      ? flat(404, 'not_found', 'No such session.')
      : Response.json(firstSession(id, session.asked, session.status))
  }
  return withFeed()
    .post('/checkout_sessions', async (c) => {
      const asked = FirstAsked.safeParse(await c.req.json())
      if (!asked.success || asked.data.items === undefined)
        return flat(400, 'invalid', 'items must be a list of ids and quantities.')
      const id = `cs_${kept.size + 1}`
      kept.set(id, { asked: asked.data })
      return show(id)
    })
    .get('/checkout_sessions/:id', (c) => show(c.req.param('id')))
    .post('/checkout_sessions/:id/:end{complete|cancel}', async (c) => {
      const { id, end } = c.req.param()
      const session = kept.get(id)
      if (session === undefined) return show(id)
      if (end === 'complete' && !FirstAsked.parse(await c.req.json()).payment_data)
        return flat(400, 'missing', 'payment_data is required.')
      session.status = end === 'complete' ? 'completed' : 'canceled'
      return show(id)
    })
    .post('/checkout_sessions/:id', async (c) => {
      const session = kept.get(c.req.param('id'))
      const asked = FirstAsked.safeParse(await c.req.json())
      if (!asked.success) return flat(400, 'invalid', 'items must be a list.')
      if (session?.status === undefined && session !== undefined)
        session.asked = { ...session.asked, ...asked.data }
      else if (session !== undefined) return flat(409, 'conflict', 'It has ended.')
      return show(c.req.param('id'))
    })
}

test('a store of the first ACP that names no version is bought from as it asks', async () => {
  shop = firstAcp()
  const walked = await walk('sandbox', 'cheapest_variant', 'two_and_one', 'after_the_end')
  expect(outcomesOf(walked)).toEqual([
    'acp cheapest_variant: passed [open shipping pay cancel]',
    'acp two_and_one: passed [open shipping change pay cancel]',
    'acp after_the_end: passed [open cancel return]',
  ])
  expect(walked.routes[0]?.label).toBe('ACP, 2025-09-29')
  expect(walked.routes[0]?.purchases[0]?.charge).toEqual({ amount: 2000, currency: 'USD' })
})

const DISCOVERY = {
  protocol: { name: 'acp', version: '2026-04-17', supported_versions: ['2026-04-17'] },
  api_base_url: 'https://shop.example',
  transports: ['rest'],
  capabilities: { services: ['checkout'] },
}

test('one whose acp.json names the version is', async () => {
  shop = strangeAcp().get('/.well-known/acp.json', (c) => c.json(DISCOVERY))
  expect(await endsOf(['cheapest_variant'])).toEqual([
    { outcome: 'failed', why: '400 missing: basket is required.' },
  ])
})

// ACP whose feed states no currency

test.each([
  ['18.00 GBP', { supported_currencies: ['eur'] }, 'gbp'],
  ['18.00', { supported_currencies: ['eur'] }, 'eur'],
  ['18.00', { supported_currencies: ['aud', 'usd'] }, 'usd'],
  ['18.00', { supported_currencies: ['eur', 'EUR'] }, 'eur'],
  ['18.00', { supported_currencies: ['€', 'sek'] }, 'sek'],
  ['18.00', {}, 'usd'],
])('goods at %s in a shop with %j are asked for in %s', async (price, declared, currency) => {
  const asked: unknown[] = []
  const { answer } = acpShop({
    show: (session, { request, body }) => {
      if (request === 'POST /checkout_sessions') asked.push(body.currency)
      return session
    },
  })
  const capabilities = { ...DISCOVERY.capabilities, ...declared }
  shop = withFeed(FEED.replaceAll(/[\d.]+ USD/g, price))
    .get('/.well-known/acp.json', (c) => c.json({ ...DISCOVERY, capabilities }))
    .all('/checkout_sessions/*', (c) => answered(c, answer))
  await walk('look', 'cheapest_variant')
  expect(new Set(asked)).toEqual(new Set([currency]))
})

// ACP without a cancel

const withoutCancel = (gone: string[] = []) => {
  const { answer } = acpShop({
    refuse: ({ request }) =>
      request.endsWith('/cancel') || gone.includes(request) ? [404, 'not_found'] : null,
  })
  return withFeed(FEED.replaceAll(/[\d.]+ USD/g, '18.00 USD'))
    .get('/.well-known/acp.json', (c) => c.json(DISCOVERY))
    .all('/checkout_sessions/*', (c) => answered(c, answer))
    .post('/checkout_sessions', (c) => answered(c, answer))
}

async function answered(c: Context, answer: ReturnType<typeof acpShop>['answer']) {
  const text = await c.req.text()
  const [status, body] = answer({
    request: `${c.req.method} ${c.req.path}`,
    body: text === '' ? {} : JSON.parse(text),
  })
  return Response.json(body, { status })
}

test('at its end a walk cancels what is left for a minute: the rest stays noted', async () => {
  shop = withoutCancel()
  let asked = 0
  const counting = {
    fetch: (request: Request) => {
      if (request.url.endsWith('/cancel')) asked += 1
      return shop.fetch(request)
    },
  }
  const ownFetcher = await fetcherTo(counting)
  const cancels = async () => {
    asked = 0
    const { walk: walkHere, noted } = createWalker({ fetcher: ownFetcher, judges: JUDGES_HERE })
    await walkHere('shop.example', 'look', ['cheapest_variant'])
    expect(noted.size).toBe(1)
    return asked
  }
  const inTime = await cancels()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  expect(await cancels()).toBe(inTime - 1)
  expect(timeout.mock.calls).toEqual([[60_000]])
  timeout.mockRestore()
})

test('what a store still shows after a cancel that it does not know stays noted', async () => {
  shop = withoutCancel()
  const { walk: walkHere, noted } = createWalker({ fetcher, judges: JUDGES_HERE })
  const walked = await walkHere('shop.example', 'look', ['cheapest_variant'])
  expect(outcomesOf(walked)).toEqual([
    'acp cheapest_variant: failed [open shipping cancel!can_be_cancelled]',
  ])
  const [entry] = noted.values()
  expect([entry?.session, noted.size]).toEqual(['cs_1', 1])

  const { ledger, noted: left } = memoryLedger()
  const sweep = async () => {
    if (entry !== undefined) await ledger.opening(entry)
    const base = { judges: JUDGES_HERE, now: () => new Date(), newId: () => 'key' }
    await cancelLeftOpen([...left.values()], { ...base, fetcher, ledger })
    return left.size
  }
  expect(await sweep()).toBe(1)
  shop = withoutCancel(['GET /checkout_sessions/cs_1'])
  expect(await sweep()).toBe(0)
})
