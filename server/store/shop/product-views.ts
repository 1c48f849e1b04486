import { isbot } from 'isbot'
import { namedAgent } from '../../../shared/attribution/agents.ts'
import { classify, reportedSurface } from '../../../shared/attribution/classify/classify.ts'
import { bandOf } from '../../../shared/attribution/classify/weigh.ts'
import type { ReportedSource } from '../../../shared/attribution/events.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import { domainOfHost, type SeenProduct, type StoreRequest } from '../http/store-request.ts'

/** Spec, Attribution event: `ai_product_viewed` as the store sends it. */
export interface ProductView {
  event: 'ai_product_viewed'
  domain: string
  session_id: string
  source: ReportedSource
  ai_surface: string
  properties: { product_id: string; variant_id?: string }
  timestamp: string
}

/** A request's information about its sender. */
interface Looker {
  headers: Headers
  /** The requested address, with its query. */
  url: string
  /** The `ai_surface` that a catalog request declares. */
  declared?: unknown
}

/** To train a model and to build an index are not views of a product. */
const isCrawler = (userAgent: string): boolean =>
  ['training', 'search'].includes(namedAgent(userAgent)?.purpose ?? '')

/** The listed AI surface that views a product, or null for people, crawlers and unknown senders. */
export function whoLooked({ headers, url, declared }: Looker): string | null {
  const userAgent = headers.get('user-agent') ?? ''
  if (isCrawler(userAgent)) return null
  const { surface, confidence, kind } = classify({
    userAgent,
    signatureAgent: headers.get('signature-agent'),
    ucpAgent: headers.get('ucp-agent'),
    aiSurface: typeof declared === 'string' ? declared : null,
    referrer: headers.get('referer'),
    landing: url,
  })
  if (surface === null || bandOf(confidence) === 'weak') return null
  // Crawlers of all kinds follow links that carry the tag of an assistant.
  if (kind === 'referral' && isbot(userAgent)) return null
  // Unspecified: a catalog request by a surface that is not in the table is not reported, because
  // anyone can call the catalog and make up names.
  return reportedSurface(surface) === OTHER_AI ? null : surface
}

/** The event for the view of a product, or null if no known AI surface viewed it. */
export function productView(
  { host, at }: Pick<StoreRequest, 'host' | 'at'>,
  { source, product_id, variant_id, ai_surface }: SeenProduct,
  { headers, url }: Looker,
): ProductView | null {
  // Unspecified: a catalog request declares its surface as a checkout does, by `ai_surface`: in the
  // query, or as an argument of search_products. On a product page it is ignored.
  const inQuery = source === 'web' ? null : new URL(url).searchParams.get('ai_surface')
  const surface = whoLooked({ headers, url, declared: ai_surface ?? inQuery })
  if (surface === null) return null
  // Unspecified: each view has a random `session_id`, because it belongs to no checkout yet, and an
  // id that joined the views of a visitor would be personal data.
  return {
    event: 'ai_product_viewed',
    domain: domainOfHost(host),
    session_id: `view_${crypto.randomUUID()}`,
    source,
    ai_surface: surface,
    properties: {
      product_id,
      ...(variant_id !== undefined && { variant_id }),
    },
    timestamp: at.toISOString(),
  }
}

/** A catalog request that may be a view. */
interface CatalogLookUp {
  source: ReportedSource
  /** The products in the answer. */
  shown: readonly { id: string }[]
  /** The number of matches, on all pages. */
  total?: number | undefined
  variantId?: string | undefined
  declared?: unknown
}

/**
 * Notes the answer of a catalog request as a view if it is one. Unspecified: a catalog request is a
 * view if exactly one product matched and is in the answer. Longer lists are not, nor is the last
 * product of several pages, because they show no particular product.
 */
export function noteLookUp(
  { noteView }: Pick<StoreRequest, 'noteView'>,
  { source, shown, total = shown.length, variantId, declared }: CatalogLookUp,
): void {
  const [product] = shown
  if (product === undefined || total !== 1) return
  noteView({
    source,
    product_id: product.id,
    ...(variantId !== undefined && variantId !== product.id && { variant_id: variantId }),
    ai_surface: declared,
  })
}
