import * as z from 'zod'
import { isCurrency } from '../../commerce/iso.ts'
import { Filled, Time, Uri, WebAddress } from '../shapes.ts'
import { ACP, type AcpStatus, type AcpVersion } from './versions.ts'

/** A message of a session, as a store writes it; `resolution` is not in every version. */
export interface AcpMessage {
  type: 'info' | 'warning' | 'error'
  code?: string
  content: string
  content_type: 'plain'
  /** JSONPath (RFC 9535) in the session. */
  param?: string
  resolution?: 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review'
}

/**
 * ACP, Agentic Checkout 8: the total is stated once it can be calculated, so a ready session has
 * one.
 */
const PRICED: readonly AcpStatus[] = [
  'ready_for_payment',
  'authentication_required',
  'complete_in_progress',
  'completed',
]

const Total = z.looseObject({ type: Filled, display_text: z.string(), amount: z.int() })

const said = { content_type: z.enum(['plain', 'markdown']), content: Filled }
const Message = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('error'), code: Filled, ...said }),
  z.looseObject({ type: z.literal('warning'), code: Filled, ...said }),
  z.looseObject({ type: z.literal('info'), ...said }),
])

// ACP, Agentic Checkout 8: lower case is recommended, but the schema has no pattern.
const Currency = z
  .string()
  .refine((code) => isCurrency(code.toUpperCase()), 'must be an ISO 4217 code, such as "usd"')

/** Its amounts, since lines have totals; before they were flat. */
const line = (version: AcpVersion) =>
  ACP.of(version).hasHandlers
    ? z.looseObject({
        id: Filled,
        item: z.looseObject({ id: Filled }),
        quantity: z.int().min(1),
        totals: z.array(Total),
      })
    : z.looseObject({
        id: Filled,
        item: z.looseObject({ id: Filled, quantity: z.int().min(1) }),
        base_amount: z.int(),
        subtotal: z.int(),
        total: z.int(),
      })

/**
 * The members of a session that ACP's schema requires, as far as buyers need them. Optional ones
 * may be null: many servers write them so, and agents accept it.
 */
export function acpSession(version: AcpVersion) {
  const { hasHandlers } = ACP.of(version)
  return z
    .looseObject({
      id: Filled,
      status: z.enum(ACP.of(version).statuses),
      currency: Currency,
      line_items: z.array(line(version)),
      totals: z.array(Total),
      fulfillment_options: z.array(
        z.looseObject({
          type: Filled,
          id: Filled,
          title: Filled,
          ...(hasHandlers && { totals: z.array(Total) }),
        }),
      ),
      messages: z.array(Message),
      // A shop may be reached by mail or phone: `mailto:` and `tel:` are also URIs of ACP's Link.
      links: z.array(z.looseObject({ type: Filled, url: Uri })),
      ...(hasHandlers && { capabilities: z.looseObject({}) }),
      selected_fulfillment_options: z.array(z.looseObject({})).nullish(),
      authentication_metadata: z.looseObject({}).nullish(),
      expires_at: Time.nullish(),
      continue_url: WebAddress.nullish(),
      order: z.looseObject({ id: Filled, permalink_url: WebAddress }).nullish(),
    })
    .superRefine((session, context) => {
      const { status, totals, authentication_metadata } = session
      const fault = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message })
      // ACP, Agentic Checkout 8.
      const offered = session.fulfillment_options.map(({ id }) => id)
      for (const { option_id: id } of session.selected_fulfillment_options ?? []) {
        if (typeof id === 'string' && !offered.includes(id)) {
          fault('selected_fulfillment_options', `must be of fulfillment_options: ${id}`)
        }
      }
      if (status === 'authentication_required' && !authentication_metadata) {
        fault('authentication_metadata', 'is missing')
      }
      // Unspecified: the schema does not limit the entries; with two totals the buyer cannot know
      // which one is charged.
      const { length } = totals.filter(({ type }) => type === 'total')
      const isPriced = PRICED.includes(status)
      if (length === 1 || (length === 0 && !isPriced)) return
      const expected = isPriced ? 'exactly' : 'at most'
      fault('totals', `must have ${expected} one entry of the type "total", and has ${length}`)
    })
}

/** The members that ACP's schema of a cart requires. */
export const acpCart = (version: AcpVersion) =>
  z.looseObject({
    id: Filled,
    currency: Currency,
    line_items: z.array(line(version)),
    totals: z.array(Total),
    expires_at: Time.nullish(),
    continue_url: WebAddress.nullish(),
  })
