import type * as z from 'zod'
import type { CatalogSeen, JsonSeen } from '../audit/evidence.ts'
import { jsonOf } from '../audit/presence.ts'
import { field, isRecord, shown } from '../web/json.ts'
import { Product } from './product.ts'

/**
 * Products that a catalog lists beyond these are not judged: a sample this large shows every fault
 * that a catalog makes by rule, and its time is bounded.
 */
const MAX_PRODUCTS = 1000
/** Images and variants of one product that are looked at, and findings that it may give. */
const MAX_PARTS = 100
const MAX_ISSUES = 50

/** A product as the merchant listed it, not validated. */
export interface ListedProduct {
  /** `products[3] on https://…`: where a person finds it in the merchant's own data. */
  where: string
  product: Record<string, unknown>
}

/** The first thousand products of a page, not validated; null where it has no such list. */
export const productsOf = (seen: JsonSeen): unknown[] | null => {
  const products = field(jsonOf(seen), 'products')
  return Array.isArray(products) ? products.slice(0, MAX_PRODUCTS) : null
}

/** A text that is not empty, or null. The product is untrusted. */
export function textOf(product: unknown, key: string): string | null {
  const value = field(product, key)
  return typeof value === 'string' && value !== '' ? value : null
}

/** What identifies a product apart from its id: the first of these fields that it has. */
export const nameOf = (product: unknown): string | null =>
  textOf(product, 'url') ?? textOf(product, 'sku') ?? textOf(product, 'name')

/** The catalog's products over all the pages that were read, in order. */
export function listedProducts({ first, next }: CatalogSeen): ListedProduct[] {
  const listed: ListedProduct[] = []
  for (const page of [first, ...next]) {
    const url = page.fetched.kind === 'answer' ? page.fetched.url : ''
    for (const [index, product] of (productsOf(page) ?? []).entries()) {
      if (listed.length === MAX_PRODUCTS) return listed
      listed.push({
        where: `products[${index}] on ${url}`,
        product: isRecord(product) ? bounded(product) : {},
      })
    }
  }
  return listed
}

/** A hostile product may have millions of parts; findings need only the first ones. */
function bounded(product: Record<string, unknown>): Record<string, unknown> {
  const copy = { ...product }
  for (const key of ['images', 'variants']) {
    const parts = field(product, key)
    if (Array.isArray(parts) && parts.length > MAX_PARTS) copy[key] = parts.slice(0, MAX_PARTS)
  }
  return copy
}

/**
 * What can be wrong with a listed product, by its cause: each has a gap of its own, because each
 * has a fix of its own.
 */
export type ProductFault =
  | 'fields'
  | 'price'
  | 'currency'
  | 'availability'
  | 'description'
  | 'images'
  | 'variants'

type Issue = z.core.$ZodIssue

/**
 * The cause of one finding of the product schema. A missing field counts as `fields`, whichever it
 * is.
 */
function causeOf({ path, code }: Issue, product: unknown): ProductFault {
  const [key, part] = path
  const isMissing =
    path.reduce<unknown>((value, step) => field(value, String(step)), product) === undefined
  if (key === 'images') return 'images'
  if (key === 'variants') return 'variants'
  if (isMissing) return 'fields'
  if (key === 'price' && part === 'amount') return 'price'
  if (key === 'price' && part === 'currency') return 'currency'
  if (key === 'availability') return 'availability'
  if (key === 'description' && code === 'too_small') return 'description'
  return 'fields'
}

/**
 * One finding in words, such as `price.amount of products[3] on https://… is "19.99": expected
 * int`.
 */
function sentenceOf({ path, message }: Issue, { where, product }: ListedProduct): string {
  const value = path.reduce<unknown>(
    (found, step) => (Array.isArray(found) ? found[Number(step)] : field(found, String(step))),
    product,
  )
  return `${path.join('.') || 'it'} of ${where} is ${shown(value)}: ${message}`
}

/** Several rules ask for the faults of one catalog; weak keys let it go with the audit. */
const known = new WeakMap<CatalogSeen, Map<ProductFault, string[]>>()

/** Everything that the product schema reports, as sentences by cause. Computed once per catalog. */
export function productFaults(catalog: CatalogSeen): Map<ProductFault, string[]> {
  const faults = known.get(catalog) ?? judgeProducts(catalog)
  known.set(catalog, faults)
  return faults
}

/** Products and their parts are bounded before, so the time is bounded as well. */
function judgeProducts(catalog: CatalogSeen): Map<ProductFault, string[]> {
  const faults = new Map<ProductFault, string[]>()
  for (const listed of listedProducts(catalog)) {
    const { error } = Product.safeParse(listed.product)
    for (const issue of error?.issues.slice(0, MAX_ISSUES) ?? []) {
      const cause = causeOf(issue, listed.product)
      const sentences = faults.get(cause) ?? []
      sentences.push(sentenceOf(issue, listed))
      faults.set(cause, sentences)
    }
  }
  return faults
}

/**
 * The first findings in full and the number of the others, as one sentence: people read this text,
 * and a catalog may have one fault in each of a thousand products.
 */
export function summarise(findings: readonly string[], most = 3): string {
  const more = findings.length - most
  return `${findings.slice(0, most).join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}
