/** One thing that a shop reports, as `POST /api/report` takes it. */
export interface AisleEvent {
  event:
    | 'ai_checkout_initiated'
    | 'ai_checkout_completed'
    | 'ai_checkout_failed'
    | 'ai_product_viewed'
    | 'ai_order_refunded'
  /** The `domain` of the options unless given. */
  domain?: string
  /**
   * The id of the checkout or the order in the shop. An order counts once per id. An integer is
   * sent as a string of digits.
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
 * `sent`: stored by Aisle. `refused`: invalid, or not allowed by the key; a retry cannot help.
 * `dropped`: too many events were waiting, Aisle was down for too long, or the process stopped.
 */
export type AisleResult = 'sent' | 'refused' | 'dropped'

/** What became of an event. */
export interface AisleOutcome {
  result: AisleResult
  event: AisleEvent
  /** What to log, and what to do about it; null if all went well. */
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
   * The address of Aisle, such as `https://aisle.example`. Undefined (a setting that is missing
   * from the environment) is refused when the shop starts.
   */
  url: string | undefined
  /** A key with the scope `report:write` for the domain. Keep it on the server. */
  key: string | undefined
  /** The domain of events that do not name one. */
  domain?: string | undefined
  /**
   * Called once for each event with what became of it. Without it, messages are process warnings,
   * at most one a minute.
   */
  onResult?: ((outcome: AisleOutcome) => void) | undefined
  /** Milliseconds between the tries of one event. There is one try more than there are delays. */
  retryDelays?: readonly number[] | undefined
  /**
   * How many events may wait, each at most 8 KiB. Beyond that the oldest product view is dropped,
   * or else the oldest event.
   */
  maxWaiting?: number | undefined
  /** Time-out of one try in milliseconds. */
  timeoutMs?: number | undefined
  /**
   * Replaces `fetch`. If it throws, or resolves to something without a status, that is no answer.
   */
  send?: ((request: AisleRequest, signal: AbortSignal) => Promise<AisleAnswer>) | undefined
}

export interface Aisle {
  /**
   * Queues the event and returns immediately. Events are sent in the background, one after the
   * other; the promise never rejects, and a checkout need not wait for it.
   * An event counts once, however often it is reported: a view per session, product, variant and
   * timestamp, a refund per `refund_id`, anything else once per session. With an `idempotencyKey`,
   * which every try sends as `Idempotency-Key`, it counts once per key instead, except for orders
   * and refunds.
   */
  report(event: AisleEvent, options?: { idempotencyKey?: string }): Promise<AisleResult>
  /**
   * Tries each waiting event once more, for at most `graceMs` (5000 unless given), and drops the
   * rest. Call it before the process ends. Later events are dropped.
   */
  close(graceMs?: number): Promise<void>
}

/** Throws a `TypeError` if an option is wrong, so that a mistake shows when the shop starts. */
export declare function createAisle(options: AisleOptions): Aisle

/**
 * Converts an amount such as `'49.99'` or `49.99` into the integer that `value` takes, by the
 * currency's decimals in ISO 4217: 4999 for USD. NaN if the text is not an amount, is larger than
 * an exact integer can be, or the code does not have three letters; `report` refuses NaN.
 */
export declare function inSmallestUnit(amount: string | number, currency: string): number

/**
 * The id of the visit that an order belongs to, or undefined for visitors whom no AI surface sent.
 * The first source that has one counts: a request of any framework (its header `Aisle-Visit`, else
 * its cookie `aisle_visit`), Hono's context, or form data, search parameters or an object with the
 * field `aisle_visit`.
 */
export declare function visitIdOf(...sources: readonly unknown[]): string | undefined

export interface CollectorOptions
  extends Pick<AisleOptions, 'url' | 'key' | 'retryDelays' | 'timeoutMs' | 'send'> {
  /** The domain of the shop. */
  domain: string
  /**
   * The address of the client, by which Aisle verifies whose agent it is; it is not stored. Gets
   * the request, in Hono the context. Default: `request.ip`, which Express and Fastify read from
   * the headers of proxies that they are told to trust, or that of the connection.
   */
  address?: ((request: unknown) => string | undefined) | undefined
  /** How many lines may wait, each at most 10 KiB. Beyond that the oldest is dropped. */
  maxWaiting?: number | undefined
  /** How many milliseconds a line waits for others. */
  lingerMs?: number | undefined
  /** Called with what to do. Without it, messages are process warnings, at most one a minute. */
  onProblem?: ((message: string) => void) | undefined
}

/** What the collector reads of a request of Node, or of a framework that extends it. */
export interface NodeRequest {
  method?: string | undefined
  url?: string | undefined
  /** Express: before a router changed `url`. */
  originalUrl?: string | undefined
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface NodeResponse {
  statusCode: number
  headersSent?: boolean | undefined
  once(event: 'close', listener: () => void): unknown
}

/** What the collector reads of a context of Hono. */
export interface HonoContext {
  req: { raw: Request }
  res: Response
}

/**
 * Reports requests of AI agents, which run no script, in the background and in batches. Nothing is
 * sent of other requests, and no answer waits for it.
 */
export interface Collector {
  /** Middleware of Express, Connect and Node: before all that answers. */
  node(request: NodeRequest, response: NodeResponse, next?: () => void): void
  /** Middleware of Hono. */
  hono(context: HonoContext, next: () => Promise<void>): Promise<void>
  /** Sends what waits, for at most `graceMs` (5000 unless given), before the process ends. */
  close(graceMs?: number): Promise<void>
}

/** Throws a `TypeError` if an option is wrong, so that a mistake shows when the shop starts. */
export declare function createCollector(options: CollectorOptions): Collector
