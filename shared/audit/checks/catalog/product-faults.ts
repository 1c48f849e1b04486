import type * as z from 'zod'
import type { CatalogDialectName } from '../../../commerce/catalog/dialect.ts'
import type { ListedProduct } from '../../../commerce/catalog/listing.ts'
import { MIN_DESCRIPTION, Product } from '../../../commerce/product.ts'
import { OfficialProduct, optionFaults, stockFaults } from '../../../protocols/ucp/product.ts'
import { field, shown } from '../../../web/json/json.ts'

/** The most characters of a field's name: a catalog may choose its keys. */
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
  /** In official UCP alone a description is an object. */
  | 'description_shape'
  | 'images'
  | 'variants'

type Issue = z.core.$ZodIssue

interface Found {
  cause: ProductFault
  sentence: string
}

/** What the schema of each dialect says of a product, and what it cannot say. */
const JUDGES: Readonly<Record<CatalogDialectName, (listed: ListedProduct) => Found[]>> = {
  spec: (listed) => issuesOf(Product, listed, causeInSpec),
  ucp: (listed) => [
    ...issuesOf(OfficialProduct, listed, causeInUcp),
    ...shortDescription(listed),
    ...optionFaults(listed.raw).map((said) => found('variants', said, listed)),
    ...stockFaults(listed.raw).map((said) => found('availability', said, listed)),
  ],
}

const found = (cause: ProductFault, said: string, { where }: ListedProduct): Found => ({
  cause,
  sentence: `${said} of ${where}`,
})

const issuesOf = (
  schema: z.ZodType,
  listed: ListedProduct,
  causeOf: (issue: Issue, product: unknown) => ProductFault,
): Found[] =>
  (schema.safeParse(listed.raw).error?.issues ?? []).slice(0, MAX_ISSUES).map((issue) => ({
    cause: causeOf(issue, listed.raw),
    sentence: sentenceOf(issue, listed),
  }))

function causeInSpec({ path, code }: Issue, product: unknown): ProductFault {
  const [key, part] = path
  if (key === 'images') return 'images'
  if (key === 'variants') return 'variants'
  if (isMissing(path, product)) return 'fields'
  if (key === 'price' && part === 'amount') return 'price'
  if (key === 'price' && part === 'currency') return 'currency'
  if (key === 'availability') return 'availability'
  if (key === 'description' && code === 'too_small') return 'description'
  return 'fields'
}

/** In official UCP prices and stock are a variant's. */
function causeInUcp({ path }: Issue, product: unknown): ProductFault {
  const names = path.map(String)
  if (names.includes('media')) return 'images'
  if (isMissing(path, product)) return names[0] === 'variants' ? 'variants' : 'fields'
  if (names.includes('description')) return 'description_shape'
  if (names.at(-1) === 'amount') return 'price'
  if (names.at(-1) === 'currency') return 'currency'
  if (names.includes('availability')) return 'availability'
  return names[0] === 'variants' || names[0] === 'options' ? 'variants' : 'fields'
}

const valueAt = (path: Issue['path'], product: unknown): unknown =>
  path.reduce<unknown>(
    (value, step) => (Array.isArray(value) ? value[Number(step)] : field(value, String(step))),
    product,
  )

const isMissing = (path: Issue['path'], product: unknown): boolean =>
  valueAt(path, product) === undefined

/** `price.amount of products[3] on https://… is "19.99": expected int`. */
const sentenceOf = ({ path, message }: Issue, { where, raw }: ListedProduct): string =>
  `${path.join('.').slice(0, MAX_PATH) || 'it'} of ${where} is ${shown(valueAt(path, raw))}: ${message}`

// Unspecified: UCP sets no length; what an assistant needs to tell a product apart is the same.
function shortDescription({ product, where }: ListedProduct): Found[] {
  const text = product.description
  if (typeof text !== 'string' || text.trim().length >= MIN_DESCRIPTION) return []
  return [
    {
      cause: 'description',
      sentence: `description of ${where} is ${shown(text)}: expected at least ${MIN_DESCRIPTION} characters`,
    },
  ]
}

/** Everything that is wrong with these products, as sentences by cause. */
export function productFaults(
  dialect: CatalogDialectName,
  products: readonly ListedProduct[],
): Map<ProductFault, string[]> {
  const faults = new Map<ProductFault, string[]>()
  for (const listed of products) {
    for (const { cause, sentence } of JUDGES[dialect](listed)) {
      const sentences = faults.get(cause) ?? []
      sentences.push(sentence)
      faults.set(cause, sentences)
    }
  }
  return faults
}
