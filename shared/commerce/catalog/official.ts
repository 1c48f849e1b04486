import type { JsonSeen } from '../../web/http/fetched.ts'
import { jsonOf, type Presence, presenceOf } from '../../web/http/presence.ts'
import { field, isRecord, listIn, shown } from '../../web/json/json.ts'
import type { CatalogDialect, Next } from './dialect.ts'

/**
 * The catalog of official UCP (UCP, Shopping, Catalog): search, lookup and product have the same
 * form. Over MCP the probe passes on the tool's result, and a JSON-RPC error as UCP's error body.
 */
export const OFFICIAL_CATALOG: CatalogDialect = {
  presenceOf: presenceOfAnswer,
  productsOf(seen) {
    const products = field(jsonOf(seen), 'products')
    return Array.isArray(products) ? products : null
  },
  toProduct,
  nextOf,
  pagingFault,
  totalOf: (page) => field(field(jsonOf(page), 'pagination'), 'total_count'),
  // A search is a POST (RFC 9110, 9.3.3).
  isCacheable: false,
  hasPageUrls: false,
}

/**
 * Codes that refuse the caller and say nothing about the catalog (UCP overview, Error Codes;
 * JSON-RPC codes of the MCP binding).
 */
const ABOUT_US =
  /^(?:invalid_profile_url|profile_\w+|version_unsupported|capabilities_incompatible|signature_\w+|key_not_found|digest_mismatch|algorithm_unsupported|unauthori[sz]ed|unauthenticated|authentication_\w+|forbidden|access_denied|rate_limit\w*|too_many_requests|temporarily_unavailable|service_unavailable|internal(?:_server)?_error|internal|-3200\d|-32603)$/

/** The code and text of a refusal: from UCP's error body, or from the first error message. */
export function refusalOf(seen: JsonSeen): { code: string; content: string } | null {
  const body = jsonOf(seen)
  const messages = field(body, 'messages')
  const isError = field(field(body, 'ucp'), 'status') === 'error'
  const first = Array.isArray(messages)
    ? messages.find((message) => field(message, 'type') === 'error')
    : undefined
  const code = field(body, 'code') ?? (isError ? (field(first, 'code') ?? 'error') : undefined)
  if (typeof code !== 'string' && typeof code !== 'number') return null
  const content = field(body, 'content') ?? field(first, 'content') ?? field(body, 'detail')
  return { code: String(code), content: typeof content === 'string' ? content : '' }
}

function presenceOfAnswer(seen: JsonSeen): Presence {
  const presence = presenceOf(seen.fetched)
  const refusal = refusalOf(seen)
  if (seen.fetched.kind !== 'answer') return presence
  const { method, url, status } = seen.fetched
  const why =
    refusal === null
      ? ''
      : `${method} ${url} answered ${status} with ${shown(refusal.code)}: ${shown(refusal.content)}`
  if (refusal !== null && ABOUT_US.test(refusal.code)) return { is: 'unknown', why }
  // UCP lets a business ask for an account: the catalog is then closed to us, not broken.
  if (presence.is === 'requires_auth') return { is: 'unknown', why: presence.why }
  return refusal !== null && presence.is !== 'unknown' ? { is: 'absent', why } : presence
}

/** Limit for the images and for the variants of one product. */
const MAX_PARTS = 100

const partsOf = (value: unknown): unknown[] => listIn(value).slice(0, MAX_PARTS)

function toProduct(raw: Record<string, unknown>): Record<string, unknown> {
  const variants = partsOf(raw.variants).filter(isRecord).map(toVariant)
  const stocks = variants.map(({ availability }) => availability)
  return {
    id: raw.id,
    name: raw.title,
    description: readableOf(raw.description),
    url: raw.url,
    category: categoryOf(raw.categories),
    price: field(raw.price_range, 'min') ?? variants[0]?.price,
    availability: BEST_FIRST.find((each) => stocks.includes(each)),
    variants,
  }
}

/** A product is as available as its most available variant. */
const BEST_FIRST = ['in_stock', 'backorder', 'preorder', 'out_of_stock']

/** Not String(): it throws for an object whose own toString is not a function. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function toVariant(raw: Record<string, unknown>): Record<string, unknown> {
  const options = partsOf(raw.options).flatMap((option) => {
    const [name, label] = [field(option, 'name'), field(option, 'label')]
    return typeof name === 'string' && typeof label === 'string' ? [[name, label]] : []
  })
  const gtin = partsOf(raw.barcodes).find((code) =>
    /^(?:gtin|ean|upc|isbn|jan)/i.test(textOf(field(code, 'type'))),
  )
  return {
    id: raw.id,
    sku: raw.sku,
    gtin: field(gtin, 'value'),
    // Variants without options are distinguished by their titles.
    attributes: Object.fromEntries(options.length > 0 ? options : [['title', raw.title]]),
    price: raw.price,
    availability: availabilityOf(raw.availability),
  }
}

/**
 * `available` decides, `status` gives the detail. Neither is required: without both, a variant is
 * available.
 */
function availabilityOf(raw: unknown): string | undefined {
  const [available, status] = [field(raw, 'available'), field(raw, 'status')]
  if (available === false || status === 'discontinued') return 'out_of_stock'
  if (typeof status === 'string' && BEST_FIRST.includes(status)) return status
  return available === true ? 'in_stock' : undefined
}

/** The text of a description in any of its forms. A bare string is invalid, but still read. */
function readableOf(description: unknown): string | undefined {
  if (typeof description === 'string') return description
  const [plain, markdown, html] = ['plain', 'markdown', 'html'].map((form) =>
    field(description, form),
  )
  if (typeof plain === 'string') return plain
  if (typeof markdown === 'string') return markdown
  return typeof html === 'string' ? withoutTags(html) : undefined
}

/**
 * Roughly the text that a person reads of an HTML fragment: enough to count its characters and to
 * find a word.
 */
const withoutTags = (html: string): string =>
  html
    .slice(0, MAX_HTML)
    .replace(/<[^<>]{0,1000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const MAX_HTML = 100_000

function categoryOf(categories: unknown): string | undefined {
  const list = partsOf(categories)
  const own = list.find((each) => field(each, 'taxonomy') === 'merchant') ?? list[0]
  const value = field(own, 'value')
  return typeof value === 'string' ? value : undefined
}

/** UCP, Pagination: `cursor` if `has_next_page` is true. */
function nextOf(page: JsonSeen): Next {
  const pagination = field(jsonOf(page), 'pagination')
  if (field(pagination, 'has_next_page') !== true) return { is: 'none' }
  const cursor = field(pagination, 'cursor')
  return typeof cursor === 'string' && cursor !== ''
    ? { is: 'page', key: cursor }
    : {
        is: 'wrong',
        said: `pagination.has_next_page is true, and pagination.cursor is ${shown(cursor)}`,
      }
}

function pagingFault(page: JsonSeen): string | null {
  const says = field(field(jsonOf(page), 'pagination'), 'has_next_page')
  return typeof says === 'boolean' ? null : `pagination.has_next_page is ${shown(says)}`
}
