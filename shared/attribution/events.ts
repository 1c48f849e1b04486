import * as z from 'zod'
import { isCurrency } from '../commerce/iso.ts'
import { Domain } from '../web/address/domain.ts'
import { field } from '../web/json/json.ts'
import { REQUIRED } from '../web/json/required.ts'
import { readMoment } from '../web/moment.ts'
import { SURFACE_ID } from './surfaces.ts'

/** Spec, Events: when a merchant's server sends each of them. */
const EVENT_NAMES = [
  'ai_checkout_initiated',
  'ai_checkout_completed',
  'ai_checkout_failed',
  'ai_product_viewed',
  // Unspecified: a fifth event, `ai_order_refunded`: money that went back to the buyer of a
  // reported order. The report lists it next to the revenue, which stays gross.
  'ai_order_refunded',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

// Unspecified: the `source` of an order in the store's own checkout, by a visitor whom an assistant
// sent, is `web`, in addition to the specification's `ucp` and `acp`.
const REPORTED_SOURCES = ['ucp', 'acp', 'web'] as const
export type ReportedSource = (typeof REPORTED_SOURCES)[number]

// Unspecified: one event holds at most 8 KiB and 32 properties, and one call 100 events: enough for
// any order, and little for a queue to keep.
export const MAX_EVENT_BYTES = 8192
const MAX_PROPERTIES = 32
export const MAX_EVENTS = 100
/** How late an event may arrive. */
export const OLDEST_DAYS = 400
// Unspecified: the largest `value` is 10^12. A day's sum, a bigint, then has room for nine million
// such orders.
export const MAX_VALUE = 10 ** 12

const NOT_BLANK = /\S/
const A_MOMENT = 'Send an ISO 8601 timestamp, such as 2026-11-20T10:00:00Z.'
const A_FILLED_ID = 'Send an id that is not blank.'

const SaleId = z.union([z.string().regex(NOT_BLANK).max(200), z.int()], {
  error: 'Send the id as a string of 1 to 200 characters, or as an integer.',
})

const IP_ADDRESS = z.union([z.ipv4(), z.ipv6()])

// Unspecified: a shop may pass on the request of the agent that an event is of. It shows whose
// agent that was, and is not stored.
/** The request of an agent, as the shop received it. */
const PassedRequest = z.strictObject({
  method: z
    .string()
    .regex(/^[A-Za-z-]{1,20}$/, 'Send the method, such as POST.')
    .describe('Its method: `POST`'),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .describe('The address that the agent asked for'),
  headers: z
    .record(z.string(), z.string())
    .describe(
      'Its headers: `User-Agent`, `Signature`, `Signature-Input`, `Signature-Agent`, and all that the signature covers',
    ),
  // Two formats of a text are one schema in OpenAPI, where a union of them says nothing.
  address: z
    .string()
    .refine((text) => IP_ADDRESS.safeParse(text).success, 'Send an IP address.')
    .optional()
    .describe('The address that it came from; it is compared with those that operators publish'),
})
export type PassedRequest = z.infer<typeof PassedRequest>

/** The request that the properties of an event pass on; null without a valid one. */
export const passedRequestOf = (properties: unknown): PassedRequest | null =>
  PassedRequest.safeParse(field(properties, 'agent_request')).data ?? null

/** The spec's common keys are validated; the rest is kept as it is. */
const EventProperties = z
  .looseObject({
    product_id: z.string().max(200).optional().describe('The id of the product in your catalog'),
    variant_id: z.string().max(200).optional().describe('The id of its variant'),
    value: z
      .int('Send an integer in the smallest unit of the currency, such as 4999 for 49.99.')
      .min(0)
      .max(
        MAX_VALUE,
        `Send at most ${MAX_VALUE}, in the smallest unit of the currency: 4999 is 49.99.`,
      )
      .optional()
      .describe(
        'The amount, in the smallest unit of `currency`: 4999 is 49.99 USD. Without a currency it counts in that of the property, or else of most orders so far',
      ),
    currency: z
      .string()
      .refine(isCurrency, 'Send an ISO 4217 code in capitals, such as USD.')
      .optional()
      .describe('ISO 4217, in capitals: `USD`'),
    visit_id: z
      .string()
      .min(1, { abort: true })
      .regex(NOT_BLANK, A_FILLED_ID)
      .max(200)
      // Unspecified: what JavaScript makes of a missing id is refused, or an order of any visitor
      // would count as one that AI brought.
      .refine((id) => !/^(undefined|null|nan)$/i.test(id.trim()), {
        error:
          'Send the value of aisle.session().id in the browser. Without a session, AI brought no visit: do not report the order.',
      })
      .optional()
      .describe(
        'The value of `aisle.session().id` in the browser: joins the order to its visit. Required with `source` `web`, but for views and refunds',
      ),
    // Unspecified: the two ids of a sale, which join its reports. Numbers are accepted, because
    // stores count.
    checkout_id: SaleId.optional().describe(
      'The id of its checkout, where `session_id` is another: an order counts once under both',
    ),
    order_id: SaleId.optional().describe('The id of its order, where `session_id` is another'),
    // Unspecified: a refund has its own id, unique in its store, because an order may be refunded
    // in parts of equal size, which would otherwise look like repeats.
    refund_id: SaleId.optional().describe(
      "The refund's own id, unique in the store. Required for `ai_order_refunded`",
    ),
    // Unspecified: whether the buyer had not ordered from the store before. Only the store knows.
    new_customer: z
      .boolean()
      .optional()
      .describe('Whether the buyer had not ordered from the store before'),
    // Unspecified: `ordered_at`, since what is paid days after it was ordered, as by bank transfer,
    // is still of the visit that ordered it.
    ordered_at: z
      .string()
      .refine((text) => readMoment(text) !== null, A_MOMENT)
      .optional()
      .describe(
        'When the buyer ordered, where it was paid later, ISO 8601: an order counts for a visit that was recent then',
      ),
    // Unspecified: `reason` and `duration_ms`, by which a watch tells declined payments from
    // missing stock, and finds slow completions. Of another type they are kept and ignored.
    reason: z
      .unknown()
      .optional()
      .describe(
        'Why a checkout failed: `payment_declined`, `out_of_stock`, `session_expired`, `canceled`, or the code of your payment provider',
      ),
    duration_ms: z
      .unknown()
      .optional()
      .describe('How long the completion took, in milliseconds, as a number'),
    user_agent: z
      .string()
      .max(1000)
      .optional()
      .describe("The `User-Agent` of the buyer's agent; classified where `ai_surface` is left out"),
    ucp_agent: z
      .string()
      .max(1000)
      .optional()
      .describe('The `UCP-Agent` header of the checkout request'),
    agent_request: PassedRequest.optional().describe(
      "The agent's own request, by whose signature or address it is verified whose agent it is; not stored",
    ),
    attribution: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The `attribution` map of a UCP checkout'),
    affiliate_attribution: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The `affiliate_attribution` of an ACP checkout'),
  })
  .refine((properties) => Object.keys(properties).length <= MAX_PROPERTIES, {
    error: `Send at most ${MAX_PROPERTIES} properties.`,
  })

/**
 * Body of `POST /api/report` (spec, Attribution event). Unknown fields are refused, so that a
 * misspelt one is noticed; `properties` accepts any.
 */
export const AttributionEvent = z
  .strictObject({
    event: z.enum(EVENT_NAMES).describe('What happened'),
    domain: Domain,
    session_id: z
      .string()
      .min(1, { abort: true })
      .regex(NOT_BLANK, A_FILLED_ID)
      .max(200)
      .describe(
        'From your system, typically the checkout id or order id; it joins the events of one purchase',
      ),
    source: z
      .enum(REPORTED_SOURCES)
      .describe("How it was bought: over UCP, over ACP, or `web`, in the store's own checkout"),
    ai_surface: z
      .string()
      .regex(
        SURFACE_ID,
        'Send a lowercase snake_case identifier of at most 64 characters, such as chatgpt.',
      )
      .optional()
      .describe('The AI surface, if you know it: `chatgpt`. An unknown one counts as `other_ai`'),
    properties: EventProperties.optional().describe(
      'Details of the event. Fields of your own are kept as they are',
    ),
    timestamp: z
      .string()
      .refine((text) => readMoment(text) !== null, A_MOMENT)
      .optional()
      // Without `format`: `date-time` requires a whole timestamp with an offset, and generated
      // clients would refuse the rest.
      .meta({
        description: `When it happened, ISO 8601: a time without an offset is in UTC, and a day alone is that day in the store. Left out: when it is received. What happened over ${OLDEST_DAYS} days ago, or before the service keeps events, is refused (\`too_old\`)`,
        examples: ['2026-11-20T10:00:00Z', '2026-11-20'],
      }),
  })
  .refine(
    ({ event, source, properties }) =>
      source !== 'web' ||
      // A view may be of any visit, and a refund belongs to the visit of its order.
      event === 'ai_product_viewed' ||
      event === 'ai_order_refunded' ||
      properties?.visit_id !== undefined,
    {
      error: 'With source "web", send visit_id: the value of aisle.session().id in the browser.',
      path: ['properties', 'visit_id'],
    },
  )
  .superRefine(({ event, properties }, context) => {
    if (event !== 'ai_order_refunded') return
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: ['properties', name], message })
    if (properties?.refund_id === undefined) {
      refuse('refund_id', `${REQUIRED} Send the id of the refund: a repeat under it counts once.`)
    }
    if (!properties?.value) {
      const what = 'what was refunded, above 0, in the smallest unit: 4999 is 49.99.'
      refuse('value', `${properties?.value === 0 ? 'Send' : `${REQUIRED} Send`} ${what}`)
    }
    // An order may be in another currency than most, so none is assumed.
    if (properties?.currency === undefined) {
      refuse('currency', `${REQUIRED} Send an ISO 4217 code in capitals, such as USD.`)
    }
  })
export type AttributionEvent = z.infer<typeof AttributionEvent>

/**
 * Answer of `POST /api/report` (spec, Attribution event), sent after the event is stored. A repeat
 * of an event gets the `event_id` of the first.
 */
export const EventAck = z.object({
  event_id: z.string().describe('The id under which it is stored; a repeat gets that of the first'),
  status: z.literal('recorded').describe('It is stored'),
  session_classified: z.boolean().describe('Whether a specific surface was identified'),
  ai_source: z
    .string()
    .describe(
      "A surface's id; `other_ai` when only AI is known, or when the declared surface is unknown",
    ),
  confidence: z.number().min(0).max(1).describe('How sure that is, 0 to 1; above 0.8 is high'),
  // Unspecified: an acknowledgement has `notes` if something that was sent was changed or assumed,
  // such as a timestamp in the future, or the currency of a value without one.
  notes: z
    .array(z.string())
    .optional()
    .describe('What was changed or assumed in what was sent, as sentences'),
})
export type EventAck = z.infer<typeof EventAck>

/**
 * What the tag posts to `/sessions?id=<property_id>`, once per AI session. text/plain needs no
 * preflight (https://fetch.spec.whatwg.org/#cors-safelisted-request-header). Anyone can send one:
 * it is never trusted for orders.
 */
export const SessionBeacon = z.strictObject({
  id: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .describe('The id of the session, made in the browser'),
  referrer: z
    .string()
    .max(300)
    .describe(
      'The origin of `document.referrer`, or `android-app://<package>`; empty when there is none',
    ),
  landing: z
    .string()
    // A path in another script takes up to nine characters for each, and the tag sends all of it.
    .max(3500)
    .describe('Of the landing page: origin and campaign parameters, and its path as the fragment'),
  text_fragment: z.boolean().optional().describe('Whether the navigation had a text fragment'),
  /** The tag's own classification, for comparison only: the server classifies again. */
  surface: z
    .string()
    .regex(/^\w{0,64}$/)
    .describe('The surface that the tag took it for; the server classifies again'),
  confidence: z.number().min(0).max(1).describe('How sure the tag was, 0 to 1'),
  model: z
    .string()
    .regex(/^[\w.-]{1,32}$/)
    .optional()
    .describe('The version of the model that an earlier tag classified with'),
})
export type SessionBeacon = z.infer<typeof SessionBeacon>

/** Answer of `POST /sessions`. Ignored: visits without a sign of AI, and bots. */
export const SessionAck = z.discriminatedUnion('status', [
  EventAck.omit({ event_id: true, notes: true }),
  z.object({
    status: z.literal('ignored').describe('It is not counted'),
    reason: z
      .enum(['not_ai', 'bot'])
      .describe(
        '`not_ai`: nothing shows that AI brought it. `bot`: neither a person nor an AI agent',
      ),
  }),
])
export type SessionAck = z.infer<typeof SessionAck>

/** Enough for a card number, which must not be kept; surface ids do not need them. */
const MANY_DIGITS = /\d(?:_*\d){12}/

/**
 * A declared surface as an id: `ChatGPT` is `chatgpt`, and `Chat Assistant` is `chat_assistant`.
 * Null if it cannot be one: it is not a string, does not begin with a letter, or is too long. A
 * string that already is an id stays as it is.
 */
export function surfaceIdOf(declared: unknown): string | null {
  if (typeof declared !== 'string' || declared.length > 200) return null
  const id = SURFACE_ID.test(declared)
    ? declared
    : declared
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')
        .replaceAll(/^_|_$/g, '')
  return SURFACE_ID.test(id) && !MANY_DIGITS.test(id) ? id : null
}
