import type * as z from 'zod'
import type { CatalogDialectName } from '../../../commerce/catalog/dialect.ts'
import {
  type ListedProduct,
  nameOf,
  nonEmptyText,
  productsOfPage,
  productsOn,
  summarise,
  summariseCounted,
} from '../../../commerce/catalog/listing.ts'
import { ADVISED_DESCRIPTION, MIN_DESCRIPTION, Product } from '../../../commerce/product.ts'
import { OfficialProduct, optionFaults, stockFaults } from '../../../protocols/ucp/product.ts'
import type { JsonSeen } from '../../../web/http/fetched.ts'
import { field, shown } from '../../../web/json/json.ts'
import type { CatalogSeen } from '../../evidence.ts'
import { gap, pass, type Verdict } from '../../rule.ts'
import { noteOnShare, seenProducts } from './seen-products.ts'

/** What can be wrong with single products, and ids that several of them share. */
export type Finding = ProductFault | 'description_brief' | 'variants_clash' | 'ids_duplicate'

/** What is wrong with a product, and its id; null where it has none. */
export interface Said {
  sentence: string
  id: string | null
}

const say = (sentence: string, { product }: ListedProduct): Said => ({
  sentence,
  id: nonEmptyText(product, 'id'),
})

/** All that is wrong with each product by itself, as sentences by what it is. */
export function findingsIn(
  dialect: CatalogDialectName,
  products: readonly ListedProduct[],
): Map<Finding, Said[]> {
  const found = new Map<Finding, Said[]>(productFaults(dialect, products))
  found.set('description_brief', briefDescriptions(products))
  found.set('variants_clash', clashingVariants(products))
  return found
}

const known = new WeakMap<CatalogSeen, Map<Finding, Said[]>>()

/** What is wrong with all products that were seen. Computed once per catalog. */
function findingsOf(catalog: CatalogSeen): Map<Finding, Said[]> {
  const found = known.get(catalog) ?? findingsIn(catalog.dialect, seenProducts(catalog))
  // Pages in a row list no product twice; a search lists again what they list.
  if (!known.has(catalog)) found.set('ids_duplicate', duplicateIds(catalog))
  known.set(catalog, found)
  return found
}

/**
 * A gap with the first findings of this kind, over all pages where they were read; otherwise a pass
 * that says how much was seen.
 */
export function judgeFindings(catalog: CatalogSeen, wanted: Finding): Verdict {
  const said = findingsOf(catalog).get(wanted) ?? []
  const products = said.flatMap(({ id }) => id ?? [])
  const counted = catalog.whole?.findings[wanted]
  if (counted !== undefined && counted.count > 0) {
    return gap(summariseCounted(counted), undefined, { products })
  }
  return said.length === 0
    ? pass(noteOnShare(catalog))
    : gap(summarise(said.map(({ sentence }) => sentence)), undefined, { products })
}

const briefDescriptions = (products: readonly ListedProduct[]): Said[] =>
  products.flatMap((listed) => {
    const text = listed.product.description
    if (typeof text !== 'string' || text.length < MIN_DESCRIPTION) return []
    return text.length < ADVISED_DESCRIPTION
      ? [say(`${text.length} characters for ${listed.where}`, listed)]
      : []
  })

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
function productFaults(
  dialect: CatalogDialectName,
  products: readonly ListedProduct[],
): Map<ProductFault, Said[]> {
  const faults = new Map<ProductFault, Said[]>()
  for (const listed of products) {
    for (const { cause, sentence } of JUDGES[dialect](listed)) {
      const sentences = faults.get(cause) ?? []
      sentences.push(say(sentence, listed))
      faults.set(cause, sentences)
    }
  }
  return faults
}

/**
 * Ids that more than one listed product carries. A catalog that changes while it is read shifts a
 * product to the next page, where it is listed again: that is not a fault.
 */
function duplicateIds(catalog: CatalogSeen): Said[] {
  const seen = new Map<string, { where: string; name: string | null; number: number }>()
  return [catalog.first, ...catalog.next].flatMap((page, number) =>
    productsOn(catalog, page, number + 1).flatMap(({ product, where }) => {
      const [id, name] = [nonEmptyText(product, 'id'), nameOf(product)]
      if (id === null) return []
      const before = seen.get(id)
      if (before === undefined) seen.set(id, { where, name, number })
      return before === undefined || (before.number !== number && before.name === name)
        ? []
        : [{ sentence: `${shown(id)} is the id of ${before.where} and of ${where}`, id }]
    }),
  )
}

/**
 * Products that were listed twice under different ids, matched by url, sku or name. Null when
 * nothing was listed twice, so that the rule is skipped and does not pass unseen.
 */
export function changedIds(catalog: CatalogSeen): string[] | null {
  const first = idsByName(catalog, catalog.first)
  const findings: string[] = []
  let compared = 0
  for (const seen of [catalog.again, catalog.search?.seen, catalog.filters?.seen]) {
    for (const [name, ids] of seen ? idsByName(catalog, seen) : []) {
      const before = first.get(name)
      if (before === undefined) continue
      compared += 1
      // Its namesakes may be on a page that was not read.
      if ([...ids].some((id) => before.has(id))) continue
      findings.push(`${shown(name)} was ${shown([...before][0])} and then ${shown([...ids][0])}`)
    }
  }
  return compared === 0 ? null : findings
}

/** The ids under each url, sku or name of an answer: several products may share one. */
function idsByName(catalog: CatalogSeen, seen: JsonSeen): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>()
  for (const product of productsOfPage(catalog, seen) ?? []) {
    const [name, id] = [nameOf(product), nonEmptyText(product, 'id')]
    if (name !== null && id !== null) ids.set(name, (ids.get(name) ?? new Set()).add(id))
  }
  return ids
}

/** Variants of one product that share an id, or all of their attributes. */
function clashingVariants(products: readonly ListedProduct[]): Said[] {
  return products.flatMap((listed) => {
    const { product, where } = listed
    const variants = field(product, 'variants')
    if (!Array.isArray(variants)) return []
    const seen = new Set<string>()
    return variants.slice(0, 500).flatMap((variant, index) => {
      const id = nonEmptyText(variant, 'id')
      const attributes = attributesOf(variant)
      const clash = [id && `id ${shown(id)}`, attributes && `attributes ${attributes}`].find(
        (key) => key && seen.has(key),
      )
      if (id) seen.add(`id ${shown(id)}`)
      if (attributes) seen.add(`attributes ${attributes}`)
      return clash
        ? [say(`variants[${index}] of ${where} has the same ${clash} as another`, listed)]
        : []
    })
  })
}

/** `color=red, size=M`, in one order; null when there is nothing to compare. */
function attributesOf(variant: unknown): string | null {
  const attributes = field(variant, 'attributes')
  if (typeof attributes !== 'object' || attributes === null) return null
  const parts = Object.entries(attributes).map(([key, value]) => `${key}=${shown(value)}`)
  return parts.length === 0 ? null : parts.sort().join(', ')
}
