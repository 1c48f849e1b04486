import * as z from 'zod'

/** What UCP 2026-08-25 demands of the store's answers, read off its schemas by hand. */
const version = z.literal('2026-08-25')
const Ucp = z.strictObject({
  version,
  status: z.enum(['success', 'error']),
  capabilities: z.record(z.string(), z.array(z.strictObject({ version }))),
  payment_handlers: z
    .record(
      z.string(),
      z.array(
        z.strictObject({
          id: z.string(),
          version: z.iso.date(),
          available_instruments: z.array(z.strictObject({ type: z.literal('card') })),
          config: z.looseObject({ environment: z.string() }),
        }),
      ),
    )
    .optional(),
})

const Message = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('error'),
    code: z.string(),
    content: z.string().regex(/^[A-Z].*\.$/),
    severity: z.enum([
      'recoverable',
      'requires_buyer_input',
      'requires_buyer_review',
      'unrecoverable',
    ]),
    path: z.string().startsWith('$').optional(),
  }),
  z.strictObject({ type: z.literal('info'), code: z.string(), content: z.string() }),
])

export const UcpErrorResponse = z.strictObject({
  ucp: z.strictObject({ version, status: z.literal('error') }),
  messages: z.array(Message).min(1),
  continue_url: z.literal('https://ucp.example/'),
})

/** A protocol error over REST, as different clients look for it. */
export const ProtocolError = UcpErrorResponse.extend({
  code: z.string(),
  content: z.string().regex(/^[A-Z].*\.$/),
  detail: z.string(),
}).refine(
  ({ code, content, detail, messages: [message] }) =>
    message?.code === code && message.content === content && detail === content,
  'all places say the same',
)

const Amount = z.int().min(0)
const Price = z.strictObject({ amount: Amount, currency: z.literal('USD') })
/** An entry of `totals`. */
const Total = z.strictObject({
  type: z.string(),
  amount: Amount,
  display_text: z.string().optional(),
})
const Url = z.string().startsWith('https://ucp.example/')
const Selected = z.strictObject({ name: z.string(), label: z.string() })
const Value = z.strictObject({
  label: z.string(),
  exists: z.boolean().optional(),
  available: z.boolean().optional(),
})

const Variant = z.strictObject({
  id: z.string(),
  sku: z.string(),
  barcodes: z.array(z.strictObject({ type: z.string(), value: z.string() })),
  title: z.string(),
  description: z.strictObject({ plain: z.string() }),
  price: Price,
  availability: z.strictObject({ available: z.boolean(), status: z.string() }),
  options: z.array(Selected),
  inputs: z
    .array(z.strictObject({ id: z.string(), match: z.enum(['exact', 'featured']) }))
    .min(1)
    .optional(),
})

const Product = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.strictObject({ plain: z.string() }),
  url: Url,
  categories: z.array(z.strictObject({ value: z.string(), taxonomy: z.literal('merchant') })),
  price_range: z.strictObject({ min: Price, max: Price }),
  media: z.array(z.strictObject({ type: z.literal('image'), url: Url, alt_text: z.string() })),
  options: z.array(z.strictObject({ name: z.string(), values: z.array(Value).min(1) })).optional(),
  selected: z.array(Selected).optional(),
  variants: z.array(Variant).min(1),
})

export const Products = z.strictObject({
  ucp: Ucp,
  products: z.array(Product),
  pagination: z
    .strictObject({
      has_next_page: z.boolean(),
      total_count: z.int(),
      cursor: z.string().optional(),
    })
    .refine(({ has_next_page, cursor }) => has_next_page === (cursor !== undefined))
    .optional(),
  messages: z.array(Message).min(1).optional(),
})

export const Detail = z.strictObject({ ucp: Ucp, product: Product })

const Method = z.strictObject({
  id: z.string(),
  type: z.literal('shipping'),
  line_item_ids: z.array(z.string()),
  selected_destination_id: z.string().nullable(),
  destinations: z
    .array(z.looseObject({ id: z.string(), type: z.literal('shipping_address') }))
    .optional(),
  groups: z
    .array(
      z.strictObject({
        id: z.string(),
        line_item_ids: z.array(z.string()),
        options: z.array(
          z.strictObject({ id: z.string(), title: z.string(), totals: z.array(Total) }),
        ),
        selected_option_id: z.string().nullable(),
      }),
    )
    .length(1),
})

const LineItems = z.array(
  z.strictObject({
    id: z.string(),
    item: z.strictObject({ id: z.string(), title: z.string(), price: Amount, image_url: Url }),
    quantity: z.int().min(1),
    totals: z.array(Total),
  }),
)

/** UCP, Totals: one subtotal, one total, and the parts add up to it. */
const Totals = z
  .array(Total)
  .refine((all) =>
    ['subtotal', 'total'].every((type) => all.filter((each) => each.type === type).length === 1),
  )
  .refine((all) => {
    const parts = all.filter(({ type }) => type !== 'total')
    const sum = parts.reduce((amount, part) => amount + part.amount, 0)
    return sum === all.find(({ type }) => type === 'total')?.amount
  }, 'the parts add up to the total')

export const UcpCart = z.strictObject({
  ucp: Ucp,
  id: z.string(),
  currency: z.literal('USD'),
  line_items: LineItems,
  totals: Totals,
  expires_at: z.iso.datetime(),
  continue_url: Url,
  buyer: z.looseObject({}).optional(),
  context: z.looseObject({}).optional(),
  messages: z.array(Message).min(1).optional(),
})

export const Checkout = z.strictObject({
  ucp: Ucp.required(),
  id: z.string(),
  status: z.enum([
    'incomplete',
    'requires_escalation',
    'ready_for_complete',
    'complete_in_progress',
    'completed',
    'canceled',
  ]),
  currency: z.literal('USD'),
  line_items: LineItems,
  totals: Totals,
  fulfillment: z.strictObject({ methods: z.array(Method).length(1) }),
  payment: z.strictObject({
    instruments: z.array(
      z.strictObject({
        id: z.string(),
        handler_id: z.string(),
        type: z.literal('card'),
        selected: z.literal(true),
        display: z.looseObject({}).optional(),
      }),
    ),
  }),
  continue_url: Url.optional(),
  order: z.strictObject({ id: z.string(), permalink_url: Url, label: z.string() }).optional(),
  actions: z
    .record(
      z.string(),
      z.array(z.strictObject({ id: z.string(), config: z.looseObject({ url: Url }) })),
    )
    .optional(),
  links: z.array(z.strictObject({ type: z.string(), url: Url, title: z.string() })).min(1),
  expires_at: z.iso.datetime(),
  buyer: z.looseObject({}).optional(),
  messages: z.array(Message).min(1).optional(),
})
export type Checkout = z.infer<typeof Checkout>
