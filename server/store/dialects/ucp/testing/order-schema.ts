import * as z from 'zod'

/** What UCP 2026-04-08 and 2026-08-25 demand of an order, read off their schemas by hand. */
const Id = z.string().min(1)
const Time = z.iso.datetime()
const Amount = z.int().min(0)
const Total = z.strictObject({ type: z.string(), amount: z.int(), display_text: Id.optional() })
const Lines = (quantity: z.ZodNumber) => z.array(z.strictObject({ id: Id, quantity })).min(1)
const version = z.enum(['2026-04-08', '2026-08-25'])

const Line = z
  .strictObject({
    id: Id,
    item: z.strictObject({ id: Id, title: Id, price: Amount, image_url: z.url().optional() }),
    quantity: z.strictObject({ original: Amount, total: Amount, fulfilled: Amount }),
    totals: z.array(Total),
    status: z.enum(['processing', 'partial', 'fulfilled', 'removed']),
  })
  .refine(({ quantity: { total, fulfilled }, status }) => {
    if (total === 0) return status === 'removed'
    if (fulfilled === total) return status === 'fulfilled'
    return status === (fulfilled > 0 ? 'partial' : 'processing')
  }, 'the status follows from the quantities')

export const OrderEntity = z.strictObject({
  ucp: z.strictObject({
    version,
    status: z.literal('success'),
    capabilities: z.strictObject({
      'dev.ucp.shopping.order': z.array(z.strictObject({ version })).length(1),
    }),
  }),
  id: Id,
  label: Id,
  checkout_id: Id,
  permalink_url: z.url(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  line_items: z.array(Line).min(1),
  fulfillment: z.strictObject({
    expectations: z.array(
      z.strictObject({
        id: Id,
        line_items: Lines(z.int().min(1)),
        method_type: z.literal('shipping'),
        destination: z.strictObject({
          first_name: Id.optional(),
          last_name: Id.optional(),
          street_address: Id,
          address_locality: Id,
          address_region: Id,
          postal_code: Id,
          address_country: Id,
        }),
        description: Id,
        fulfillable_on: z.union([z.literal('now'), Time]),
      }),
    ),
    events: z.array(
      z.strictObject({
        id: Id,
        occurred_at: Time,
        type: z.enum(['processing', 'shipped', 'delivered']),
        line_items: Lines(z.int().min(1)),
        tracking_number: Id.optional(),
        tracking_url: z.url().optional(),
        carrier: Id.optional(),
      }),
    ),
  }),
  adjustments: z.array(
    z.strictObject({
      id: Id,
      type: z.enum(['refund', 'return', 'cancellation', 'dispute']),
      occurred_at: Time,
      status: z.enum(['pending', 'completed', 'failed']),
      line_items: Lines(z.int().max(-1)).optional(),
      totals: z.array(Total.extend({ amount: z.int().max(-1) })).optional(),
    }),
  ),
  totals: z.array(Total).refine((all) => {
    const of = (type: string) => all.filter((each) => each.type === type)
    const parts = all.filter(({ type }) => type !== 'total')
    const sum = parts.reduce((amount, part) => amount + part.amount, 0)
    return of('subtotal').length === 1 && of('total').length === 1 && of('total')[0]?.amount === sum
  }, 'one subtotal, and one total that the others add up to'),
})
