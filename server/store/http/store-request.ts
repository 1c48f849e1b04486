import type { ReportedSource } from '../../../shared/attribution/events.ts'
import type { Money } from '../../../shared/commerce/product.ts'
import type { UcpVersion } from '../../../shared/manifest/dialect.ts'
import type { CheckoutItem } from '../../../shared/protocols/ucp.ts'
import type { Reply } from './reply.ts'

export type JsonObject = Record<string, unknown>

/** What a page is made of, before it is HTML. */
export interface PageParts {
  title: string
  description: string
  /** `og:site_name`. */
  siteName: string
  /** Other Open Graph properties, by name. */
  openGraph: Record<string, string>
  /** Path of the product feed that `<link rel="alternate">` names. */
  feed: string | null
  /** The text of each JSON-LD block. */
  jsonLd: string[]
  /** Inline scripts. */
  scripts: string[]
  /** The addresses of the attribution snippet, by where its tags stand. */
  snippets: { head: string[]; body: string[] }
}

/** Whatever is asked: the server fails, lets nobody in, or has had enough. */
export type CallFailure = keyof typeof CALL_FAILURES

export const CALL_FAILURES = {
  internal_error: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  unauthorized: { status: 401, message: 'Please sign in with the key of a partner of ours.' },
  rate_limited: { status: 429, message: 'There are too many calls at the moment.' },
} as const satisfies Record<string, { status: number; message: string }>

/** A call of an operation of a dialect, over REST or MCP, before anything is done. */
export interface OperationCall {
  /**
   * The name of its tool, such as `create_checkout`; in the specification's dialects the end of its
   * path, such as `confirm`.
   */
  operation: string
  /** The checkout, cart or order that it names; empty where it opens one. */
  id: string
  /** The arguments of that tool; of ACP's and the specification's its payload. */
  given: JsonObject
  /** It counts once under its idempotency key. */
  isKeyed: boolean
  /** Nothing is done, and the answer is this error. */
  failure: CallFailure | null
  /**
   * The checkout that it names as it stands, open again if it was cancelled, or a copy of its own.
   */
  subject: 'named' | 'reopened' | 'copied'
}

/** What such an operation says. */
interface OperationAnswer {
  operation: string
  body: JsonObject
}

/** What the store says, at each place where a fault can change it. */
export interface Overridable {
  manifest: JsonObject
  /** The official profile, and the names of the tools at its MCP endpoint. */
  profile: JsonObject
  /** The version that its address answers in. */
  profileVersion: UcpVersion
  tools: readonly string[]
  /** The ids of the payment handlers of official UCP and ACP. */
  paymentHandlers: readonly string[]
  /** The catalog's query parameters as they came. */
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
  /** What is at the address that the pages name. */
  declaredFeed: 'google-xml' | 'openai-jsonl'
  cartItems: CheckoutItem[]
  /** The names of the address fields that are wrong. */
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
  /** What is answered before anything is done; null: what was asked for. */
  refusal: Reply | null
  /** Every answer, last of all. */
  reply: Reply
}

type PlaceOverrides = {
  [K in keyof Overridable]?: (right: Overridable[K], request: StoreRequest) => Overridable[K]
}

/** A fault: turns a correct value into a wrong one. */
export interface Overrides extends PlaceOverrides {
  /** The headers of a webhook about an order, which no request asks for. */
  webhookHeaders?: (right: Record<string, string>) => Record<string, string>
}

/** The one product that an answer shows. */
export interface SeenProduct {
  source: ReportedSource
  product_id: string
  variant_id?: string
  /** As the caller declares it, unread. */
  ai_surface?: unknown
}

/** One request to one of the shops that the store plays. */
export interface StoreRequest {
  /** As asked for, with its port: `shop.example`. */
  host: string
  /** `https://shop.example`, as `originOf` has it. */
  origin: string
  path: string
  /** The request came over TLS, as the proxy in front says. */
  secure: boolean
  /** As the caller names itself; empty where it does not. */
  userAgent: string
  /** The media types that the caller takes; empty where it does not say. */
  accept: string
  /** It speaks official UCP instead of the specification's. */
  official: boolean
  /** Counts the requests: no two have the same. */
  number: number
  at: Date
  snippetUrl: string
  /** The types of payment method that its PSP takes. */
  paymentMethods: readonly string[]
  faults: readonly Overrides[]
  /** Called by whoever answers with one product: the store reports it if an AI surface asked. */
  noteView: (seen: SeenProduct) => void
}

/** What this shop answers: the correct value, changed by its faults. */
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
