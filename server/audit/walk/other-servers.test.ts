import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import type { IntentId, WalkMode } from '../../../shared/walk/intents.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import { createWalker, outcomesOf } from './testing/walker.ts'

/** Servers that do as others in the field do, and their protocols allow or once had it. */

const FEED = `id,title,description,link,image_link,price,availability
pot,Pot,A pot,https://shop.example/p/pot,https://shop.example/pot.jpg,15.00 USD,in_stock
vase,Vase,A vase,https://shop.example/p/vase,https://shop.example/vase.jpg,25.00 USD,in_stock
`
const HOME = `<!doctype html><title>Shop</title>
<link rel="alternate" type="text/csv" title="Product feed" href="https://shop.example/products.csv">`

const withFeed = () =>
  new Hono()
    .get('/', (c) => c.html(HOME))
    .get('/products.csv', (c) => c.body(FEED, 200, { 'content-type': 'text/csv' }))

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
          destinations: z.array(z.looseObject({ id: z.string() })),
          selected_destination_id: z.string(),
          groups: z.array(z.object({ selected_option_id: z.string() })).optional(),
        }),
      ),
    })
    .optional(),
})
const Paid = z.object({
  payment: z.object({ instruments: z.array(z.looseObject({ handler_id: z.string() })) }),
})
const PRICES: Readonly<Record<string, number>> = { pot: 1500, vase: 2500 }

/**
 * Keeps each address under the id that it came with, for good; the same id with another address is an
 * error that nobody has thought of. What its checkouts can be paid with is in its profile alone.
 */
function addressKeeper() {
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
              id: 'm',
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
        order: { id: `order_${id}`, permalink_url: 'https://shop.example/orders/1' },
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
    .put('/ucp/checkout-sessions/:id', async (c) => {
      const sent = Sent.parse(await c.req.json())
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
        const { payment } = Paid.parse(await c.req.json())
        handlers.push(...payment.instruments.map(({ handler_id }) => handler_id))
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

test('over UCP, a checkout that names no way to pay is paid by one of the profile', async () => {
  const { app, handlers } = addressKeeper()
  shop = app
  expect(outcomesOf(await walk('sandbox', 'cheapest_variant'))).toEqual([
    'ucp_rest cheapest_variant: passed [open quote address shipping pay]',
  ])
  expect(handlers).toEqual(['shop_pay'])
})
