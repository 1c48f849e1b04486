import type { ReportedSource } from '../../../shared/attribution/events.ts'
import type { Money } from '../../../shared/commerce/product.ts'
import type { CheckoutItem } from '../../../shared/protocols/spec/ucp.ts'
import type { UcpVersion } from '../../../shared/protocols/ucp/versions.ts'
import { isLoopback } from '../../../shared/web/address/loopback.ts'

export type JsonObject = Record<string, unknown>

/** The parts of a page, before it is HTML. */
export interface PageParts {
  title: string
  description: string
  /** `og:site_name`. */
  siteName: string
  /** Other Open Graph properties, by name. */
  openGraph: Record<string, string>
  /** Path of the product feed in `<link rel="alternate">`. */
  feed: string | null
  /** The text of each JSON-LD block. */
  jsonLd: string[]
  /** It offers tools to agents. */
  tools: boolean
  /** Inline scripts. */
  scripts: string[]
  /** The addresses of the attribution snippet, by the place of its tag. */
  snippets: { head: string[]; body: string[] }
}

/** For any request: the server fails, refuses everyone, or is overloaded. */
export type CallFailure = keyof typeof CALL_FAILURES

export const CALL_FAILURES = {
  internal_error: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  unauthorized: { status: 401, message: 'Please sign in with a partner key.' },
  rate_limited: { status: 429, message: 'There are too many calls at the moment.' },
  signature_missing: { status: 401, message: 'Sign the request by a key of your profile.' },
} as const satisfies Record<string, { status: number; message: string }>

/** A call of an operation of a dialect, over REST or MCP, before anything is done. */
export interface OperationCall {
  /**
   * The name of its tool, such as `create_checkout`; in the specification's dialects the end of its
   * path, such as `confirm`.
   */
  operation: string
  /** The checkout, cart or order that it names; empty if it opens one. */
  id: string
  /** The arguments of that tool; for ACP and the specification its payload. */
  given: JsonObject
  /** Its platform has signed it. */
  isSigned: boolean
  /** It counts once under its idempotency key. */
  isKeyed: boolean
  /** Nothing is done, and the answer is this error. */
  failure: CallFailure | null
  /** Works on the named checkout itself, reopened if it was cancelled, or on a copy of it. */
  subject: 'named' | 'reopened' | 'copied'
}

/** The answer of such an operation. */
interface OperationAnswer {
  operation: string
  body: JsonObject
}

/** The store's values, at each place where a fault can change them. */
export interface Overridable {
  manifest: JsonObject
  /** The official profile, and the names of the tools at its MCP endpoint. */
  profile: JsonObject
  /** The version that its address answers in. */
  profileVersion: UcpVersion
  tools: readonly string[]
  /** The ids of the payment handlers of official UCP and ACP. */
  paymentHandlers: readonly string[]
  /** The catalog's raw query parameters. */
  catalogQuery: Record<string, string>
  perPage: number
  catalog: { products: JsonObject[]; pagination?: JsonObject | undefined }
  /** The price that product pages and the feed state. */
  shelfPrice: Money
  /** Schema.org nodes of a product page's product, and of the home page. */
  productMarkup: JsonObject
  homeMarkup: JsonObject[]
  page: PageParts
  /** Attributes of Google's feed by their names, without the prefix. */
  feedItems: Record<string, string>[]
  /** Rows of OpenAI's feed. */
  openaiItems: JsonObject[]
  /** The file at the feed's address. */
  declaredFeed: 'google-xml' | 'openai-jsonl'
  cartItems: CheckoutItem[]
  /** The names of the wrong address fields. */
  addressFaults: string[]
  cart: JsonObject
  /** Each operation of official UCP, and of official ACP. */
  ucpCall: OperationCall
  ucpAnswer: OperationAnswer
  acpCall: OperationCall
  acpAnswer: OperationAnswer
  /** Each operation of a session of the specification's UCP or ACP. */
  specUcpCall: OperationCall
  specAcpCall: OperationCall
  acpDiscovery: JsonObject
  /** An answer before anything is done; null: the request goes on. */
  refusal: Reply | null
  /** Every answer, after all other changes. */
  reply: Reply
}

type PlaceOverrides = {
  [K in keyof Overridable]?: (right: Overridable[K], request: StoreRequest) => Overridable[K]
}

/** A fault: turns a correct value into a wrong one. */
export interface Overrides extends PlaceOverrides {
  /** The headers of a webhook about an order; there is no request for it. */
  webhookHeaders?: (right: Record<string, string>) => Record<string, string>
}

/** The one product that an answer shows. */
export interface SeenProduct {
  source: ReportedSource
  product_id: string
  variant_id?: string
  /** The caller's raw declaration. */
  ai_surface?: unknown
}

/** One request to one of the shops of this store. */
export interface StoreRequest {
  /** As requested, with its port: `shop.example`. */
  host: string
  /** `https://shop.example`, by `originOf`. */
  origin: string
  path: string
  /** The request came over TLS, by the proxy in front. */
  secure: boolean
  /** The User-Agent of the caller; empty without one. */
  userAgent: string
  /** The header Signature-Agent: who says to have signed it; empty without one. */
  signatureAgent: string
  /** The media types that the caller accepts; empty without any. */
  accept: string
  /** It speaks official UCP instead of the specification's. */
  official: boolean
  /** The number of the request, different for each. */
  number: number
  at: Date
  snippetUrl: string
  /** The types of payment method that its PSP takes. */
  paymentMethods: readonly string[]
  faults: readonly Overrides[]
  /** Called by an answer that shows one product: the store reports it if an AI surface asked. */
  noteView: (seen: SeenProduct) => void
}

/** The shop's value: the correct one, changed by its faults. */
export function applyFaults<K extends keyof Overridable>(
  request: StoreRequest,
  place: K,
  right: Overridable[K],
): Overridable[K] {
  let value = right
  const faults: readonly PlaceOverrides[] = request.faults
  for (const fault of faults) value = fault[place]?.(value, request) ?? value
  return value
}

/**
 * The origin of the shop at this host, such as `shop.example`: http if only this machine reaches
 * it, because then no proxy speaks TLS. In production, STORE_HOSTS lists the hosts.
 */
export const originOf = (host: string): string =>
  `${isLoopback(`http://${host}`) ? 'http' : 'https'}://${host}`

/** Aisle's domain for a host: an event with a port in it is rejected. */
export const domainOfHost = (host: string): string => host.replace(/:\d+$/, '')

/**
 * An answer of the store before it becomes a Response: plain data, so that a fault can change it.
 */
export interface Reply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
  /** Milliseconds to wait before it is sent. */
  delay?: number
  /** Close the connection instead of answering. */
  hangUp?: boolean
}

const reply = (type: string, body: string, more: Partial<Reply> = {}): Reply => ({
  status: 200,
  ...more,
  headers: { 'content-type': type, ...more.headers },
  body,
})

/** A reply of 200 with a value as JSON; `more` changes its status and adds headers. */
export const json = (value: unknown, more?: Partial<Reply>): Reply =>
  reply('application/json', JSON.stringify(value), more)

/** A page; `more` changes its status of 200 and adds headers. */
export const html = (body: string, more?: Partial<Reply>): Reply =>
  reply('text/html; charset=utf-8', body, more)

/** An XML document; `more` changes its status of 200 and adds headers. */
export const xml = (body: string, more?: Partial<Reply>): Reply =>
  reply('application/xml; charset=utf-8', body, more)

/** Plain text; `more` changes its status of 200 and adds headers. */
export const text = (body: string, more?: Partial<Reply>): Reply =>
  reply('text/plain; charset=utf-8', body, more)

/** A stylesheet; `more` changes its status of 200 and adds headers. */
export const css = (body: string, more?: Partial<Reply>): Reply =>
  reply('text/css; charset=utf-8', body, more)

/** A script; `more` changes its status of 200 and adds headers. */
export const javascript = (body: string, more?: Partial<Reply>): Reply =>
  reply('text/javascript; charset=utf-8', body, more)

/** A picture; `more` changes its status of 200 and adds headers. */
export const svg = (body: string, more?: Partial<Reply>): Reply =>
  reply('image/svg+xml', body, more)

/** Any cache may keep it for `seconds` (RFC 9111 §5.2.2). */
export const cacheable = (seconds: number): Partial<Reply> => ({
  headers: { 'cache-control': `public, max-age=${seconds}` },
})
