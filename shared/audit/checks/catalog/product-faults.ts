import type * as z from 'zod'
import { type ListedProduct, listedProducts } from '../../../commerce/catalog-page.ts'
import { Product } from '../../../commerce/product.ts'
import { field, shown } from '../../../web/json.ts'
import type { CatalogSeen } from '../../evidence.ts'

/** Of a field's name: a catalog may choose its keys. */
const MAX_PATH = 200

/** Findings that one product may give. */
const MAX_ISSUES = 50

/** What can be wrong with a listed product, by its cause: each has a gap of its own. */
export type ProductFault =
  | 'fields'
  | 'price'
  | 'currency'
  | 'availability'
  | 'description'
  | 'images'
  | 'variants'

type Issue = z.core.$ZodIssue

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

/** `price.amount of products[3] on https://… is "19.99": expected int`. */
function sentenceOf({ path, message }: Issue, { where, product }: ListedProduct): string {
  const value = path.reduce<unknown>(
    (found, step) => (Array.isArray(found) ? found[Number(step)] : field(found, String(step))),
    product,
  )
  return `${path.join('.').slice(0, MAX_PATH) || 'it'} of ${where} is ${shown(value)}: ${message}`
}

const known = new WeakMap<CatalogSeen, Map<ProductFault, string[]>>()

/** Everything that the product schema reports, as sentences by cause. Computed once per catalog. */
export function productFaults(catalog: CatalogSeen): Map<ProductFault, string[]> {
  const faults = known.get(catalog) ?? judgeProducts(catalog)
  known.set(catalog, faults)
  return faults
}

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
