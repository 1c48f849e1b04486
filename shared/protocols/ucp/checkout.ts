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
const KNOWN_TOTALS = [...DISCOUNTS, ...CHARGES, 'total']

/**
 * UCP, Total: charges are not negative; discounts are, since they are not subtracted. Its lines add
 * up to an entry, and one of an unknown type says in words what it is.
 */
const total = ({ discounts }: Pick<ReturnType<typeof UCP.of>, 'discounts'>) =>
  z
    .looseObject({
      type: Filled,
      amount: z.int(),
      display_text: z.string().nullish(),
      lines: z.array(z.looseObject({ amount: z.int() })).nullish(),
    })
    .superRefine(({ type, amount, display_text, lines }, context) => {
      const fault = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message })
      if (discounts === 'negative' && DISCOUNTS.includes(type) && amount >= 0) {
        fault('amount', 'must be negative in a discount')
      } else if (CHARGES.includes(type) && amount < 0) fault('amount', 'must not be negative')
      if (discounts === 'positive') return
      if (!KNOWN_TOTALS.includes(type) && !display_text) fault('display_text', 'is missing')
      const sum = lines?.reduce((all, each) => all + each.amount, 0) ?? amount
      if (sum !== amount) fault('lines', `must add up to ${amount}, and add up to ${sum}`)
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

/** UCP, Fulfillment: a chosen destination is listed once, and titles tell options apart. */
const fulfillment = ({ typesDestinations }: Pick<ReturnType<typeof UCP.of>, 'typesDestinations'>) =>
  z.looseObject({
    methods: z
      .array(
        z
          .looseObject({
            selected_destination_id: z.string().nullish(),
            destinations: z.array(z.looseObject({ id: Filled })).nullish(),
            groups: z
              .array(z.looseObject({ options: z.array(z.looseObject({})).nullish() }))
              .nullish(),
          })
          .superRefine(({ selected_destination_id: chosen, destinations, groups }, context) => {
            const { length } = destinations?.filter(({ id }) => id === chosen) ?? []
            if (typesDestinations && chosen && length !== 1) {
              const message = `must have the chosen one exactly once, and has it ${length} times`
              context.addIssue({ code: 'custom', path: ['destinations'], message })
            }
            for (const [at, { options }] of (groups ?? []).entries()) {
              const titles = (options ?? []).flatMap(({ title }) => title ?? [])
              if (new Set(titles).size === titles.length) continue
              const message = 'must tell its options apart by their titles'
              context.addIssue({ code: 'custom', path: ['groups', at], message })
            }
          }),
      )
      .nullish(),
  })

const FOR_BUYER: readonly unknown[] = ['requires_buyer_input', 'requires_buyer_review']

/**
 * The members of a checkout that UCP's schema requires, as far as buyers need them. Optional ones
 * may be null: many servers write them so, and agents accept it.
 */
export const ucpCheckout = (version: UcpVersion) =>
  checkoutOf(version).superRefine((checkout, context) => {
    const { status, messages, order, continue_url } = checkout
    const { hasCatalog, keepsAbsent } = UCP.of(version)
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    // Without a link that is missing first, and has a gap of its own.
    const isHanded = hasCatalog && status === 'requires_escalation' && continue_url
    if (isHanded && !messages?.some((each) => FOR_BUYER.includes(each.severity))) {
      fault('messages', 'must say by a severity what the buyer has to do')
    }
    // From 2026-08-25 on (Checkout, Status Values).
    if (!keepsAbsent && status === 'complete_in_progress' && order) {
      fault('order', 'must not be there while the payment is under way')
    }
  })

const checkoutOf = (version: UcpVersion) =>
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
    fulfillment: fulfillment(UCP.of(version)).nullish(),
    links: z.array(z.looseObject({ type: Filled, url: WebAddress })),
    messages: z.array(Message).nullish(),
    expires_at: Time.nullish(),
    continue_url: WebAddress.nullish(),
    order: z.looseObject({ id: Filled, permalink_url: WebAddress }).nullish(),
  })

/** The same of a cart, which has no status and no way to pay. */
export const ucpCart = (version: UcpVersion) =>
  checkoutOf(version)
    .pick({ id: true, currency: true, line_items: true, totals: true, expires_at: true })
    .extend({ ucp: z.looseObject({ version: Filled }), continue_url: WebAddress.nullish() })
