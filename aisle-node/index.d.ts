/** One thing that a shop reports, as `POST /api/report` takes it. */
export interface AisleEvent {
  event:
    | 'ai_checkout_initiated'
    | 'ai_checkout_completed'
    | 'ai_checkout_failed'
    | 'ai_product_viewed'
    | 'ai_order_refunded'
  /** Left out, it is the `domain` of the options. */
  domain?: string
  /**
   * The id of the checkout or the order in the shop: an order counts once under it. An integer is
   * sent as the string of its digits.
   */
  session_id: string | number
  /** `web`: an order in the shop's own checkout, which needs `properties.visit_id`. */
  source: 'web' | 'ucp' | 'acp'
  ai_surface?: string
  properties?: {
    /** What `visitIdOf` found: joins the order to its visit. */
    visit_id?: string
    /** An integer in the smallest unit of the currency: 4999 is 49.99. */
    value?: number
    /** ISO 4217, in capitals. */
    currency?: string
    product_id?: string
    variant_id?: string
    checkout_id?: string | number
    order_id?: string | number
    /** Of a refund: it counts once under this id. */
    refund_id?: string | number
    /**
     * Of a checkout that failed: `payment_declined`, `out_of_stock`, or your payment provider's
     * code.
     */
    reason?: string
    /** How long its completion took. */
    duration_ms?: number
    [name: string]: unknown
  }
  /** ISO 8601. Left out, it is the time of the call, also when a retry comes later. */
  timestamp?: string
}

/**
 * `sent`: stored by Aisle. `refused`: invalid, or not allowed by the key, so that no retry could
 * help. `dropped`: too many events waited, Aisle was down for too long, or the process stopped.
 */
export type AisleResult = 'sent' | 'refused' | 'dropped'

/** What became of an event. */
export interface AisleOutcome {
  result: AisleResult
  event: AisleEvent
  /** What is worth a line in the log, with what to do; null where all went well. */
  message: string | null
}

export interface AisleRequest {
  url: string
  headers: Record<string, string>
  body: string
}

export interface AisleAnswer {
  status: number
  /** The `Retry-After` header, if there is one. */
  retryAfter?: string | undefined
  body: string
}

export interface AisleOptions {
  /**
   * The address of Aisle, such as `https://aisle.example`. Undefined, as a setting that is missing
   * from the environment, is refused when the shop starts.
   */
  url: string | undefined
  /** A key with the scope `report:write` for the domain. Keep it on the server. */
  key: string | undefined
  /** The domain of events that name none. */
  domain?: string | undefined
  /**
   * Hears what became of each event, once. Without it, messages are process warnings, at most one a
   * minute.
   */
  onResult?: ((outcome: AisleOutcome) => void) | undefined
  /** Milliseconds between the tries of one event: in all, as many tries as these and one more. */
  retryDelays?: readonly number[] | undefined
  /**
   * How many events may wait, each at most 8 KiB; beyond that the oldest view of a product is
   * dropped, or else the oldest event.
   */
  maxWaiting?: number | undefined
  /** Milliseconds for one try. */
  timeoutMs?: number | undefined
  /**
   * Makes the request in place of `fetch`. What it throws, or resolves to without a status, counts
   * as no answer.
   */
  send?: ((request: AisleRequest, signal: AbortSignal) => Promise<AisleAnswer>) | undefined
}

export interface Aisle {
  /**
   * Queues the event and returns immediately; events are sent in the background, one after the
   * other. The promise never rejects, and a checkout does not have to wait for it. An event counts
   * once under its ids, however often it is reported: a view per session, product, variant and
   * timestamp, a refund per `refund_id`, anything else once per session. With an `idempotencyKey`,
   * which every try sends as `Idempotency-Key`, it counts once under that one instead, but for
   * orders and refunds.
   */
  report(event: AisleEvent, options?: { idempotencyKey?: string }): Promise<AisleResult>
  /**
   * Tries what waits once more, for at most `graceMs` (5000 unless given); the rest is dropped.
   * Call it before the process ends. Later events are dropped.
   */
  close(graceMs?: number): Promise<void>
}

/** Throws a `TypeError` if an option is wrong, so that it is noticed when the shop starts. */
export declare function createAisle(options: AisleOptions): Aisle

/**
 * An amount such as `'49.99'` or `49.99` as the integer that `value` takes, by the decimals that
 * ISO 4217 gives the currency: 4999 for USD. NaN for what is not an amount, is larger than an exact
 * integer can be, or has no code of three letters, and `report` refuses that.
 */
export declare function inSmallestUnit(amount: string | number, currency: string): number

/**
 * The id of the visit that an order belongs to, from the first source that has one: a request of
 * any framework (its header `Aisle-Visit`, else its cookie `aisle_visit`), Hono's context, or form
 * data, search parameters or an object with the field `aisle_visit`. Undefined for visitors whom no
 * AI surface sent.
 */
export declare function visitIdOf(...sources: readonly unknown[]): string | undefined
