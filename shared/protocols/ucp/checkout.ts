import * as z from 'zod'
import { Filled, Time, WebAddress } from '../shapes.ts'
import { UCP, type UcpVersion } from './versions.ts'

/** Who can resolve an error, and how (UCP, Checkout, Error Handling). */
const Severity = z.enum([
  'recoverable',
  'requires_buyer_input',
  'requires_buyer_review',
  'unrecoverable',
])

/** A message of type `error`, as a store writes it. */
export interface UcpErrorMessage {
  code: string
  content: string
  severity: z.infer<typeof Severity>
  /** JSONPath of its subject. */
  path?: string
}

const Message = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('error'), code: Filled, content: Filled, severity: Severity }),
  z.looseObject({ type: z.literal('warning'), code: Filled, content: Filled }),
  z.looseObject({ type: z.literal('info'), content: Filled }),
])

/** UCP, Error response: the answer in place of a checkout. */
export const ucpEnvelope = (version: UcpVersion) =>
  z.looseObject({
    ...(UCP.of(version).envelope !== 'none' && {
      ucp: z.looseObject({ version: Filled, status: z.literal('error') }),
    }),
    messages: z.array(Message).min(1),
  })

/** A protocol error: no operation has read the request. */
export const UcpFlatError = z.looseObject({ code: Filled, content: Filled })

export const DISCOUNTS = ['discount', 'items_discount']
const CHARGES = ['subtotal', 'fulfillment', 'tax', 'fee']

/** UCP, Total: charges are not negative; discounts are, since they are not subtracted. */
const total = ({ discounts }: Pick<ReturnType<typeof UCP.of>, 'discounts'>) =>
  z.looseObject({ type: Filled, amount: z.int() }).superRefine((entry, context) => {
    const { type, amount } = entry
    const message =
      discounts === 'negative' && DISCOUNTS.includes(type) && amount >= 0
        ? 'must be negative in a discount'
        : CHARGES.includes(type) && amount < 0
          ? 'must not be negative'
          : null
    if (message !== null) context.addIssue({ code: 'custom', path: ['amount'], message })
  })

const totals = (release: ReturnType<typeof UCP.of>) =>
  z.array(total(release)).superRefine((entries, context) => {
    for (const type of release.discounts === 'negative' ? ['subtotal', 'total'] : ['total']) {
      const { length } = entries.filter((each) => each.type === type)
      if (length === 1) continue
      context.addIssue({
        code: 'custom',
        message: `must have exactly one entry of the type "${type}", and has ${length}`,
      })
    }
  })

/**
 * The members of a checkout that UCP's schema requires, as far as buyers need them. Optional ones
 * may be null: many servers write them so, and agents accept it.
 */
export const ucpCheckout = (version: UcpVersion) =>
  z.looseObject({
    ucp: z.looseObject({
      version: Filled,
      payment_handlers: z.record(z.string(), z.array(z.looseObject({ id: Filled }))),
    }),
    id: Filled,
    status: z.enum(UCP.of(version).statuses),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capital letters, such as "USD"'),
    line_items: z.array(
      z.looseObject({
        id: Filled,
        item: z.looseObject({ id: Filled, title: Filled, price: z.int().min(0) }),
        quantity: z.int().min(1),
        totals: z.array(total(UCP.of(version))),
      }),
    ),
    totals: totals(UCP.of(version)),
    links: z.array(z.looseObject({ type: Filled, url: WebAddress })),
    messages: z.array(Message).nullish(),
    expires_at: Time.nullish(),
    continue_url: WebAddress.nullish(),
    order: z.looseObject({ id: Filled, permalink_url: WebAddress }).nullish(),
  })

/** The same of a cart, which has no status and no way to pay. */
export const ucpCart = (version: UcpVersion) =>
  ucpCheckout(version)
    .pick({ id: true, currency: true, line_items: true, totals: true, expires_at: true })
    .extend({ ucp: z.looseObject({ version: Filled }), continue_url: WebAddress.nullish() })
