import {
  type ListedProduct,
  nameOf,
  nonEmptyText,
  productsOfPage,
  productsOn,
} from '../../../commerce/catalog/listing.ts'
import type { JsonSeen } from '../../../web/http/fetched.ts'
import { field, shown } from '../../../web/json/json.ts'
import type { CatalogSeen } from '../../evidence.ts'

/**
 * Ids that more than one listed product carries. A catalog that changes while it is read shifts a
 * product to the next page, where it is listed again: that is not a fault.
 */
export function duplicateIds(catalog: CatalogSeen): string[] {
  const seen = new Map<string, { where: string; name: string | null; number: number }>()
  return [catalog.first, ...catalog.next].flatMap((page, number) =>
    productsOn(catalog, page, number + 1).flatMap(({ product, where }) => {
      const [id, name] = [nonEmptyText(product, 'id'), nameOf(product)]
      if (id === null) return []
      const before = seen.get(id)
      if (before === undefined) seen.set(id, { where, name, number })
      return before === undefined || (before.number !== number && before.name === name)
        ? []
        : [`${shown(id)} is the id of ${before.where} and of ${where}`]
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
export function clashingVariants(products: readonly ListedProduct[]): string[] {
  return products.flatMap(({ product, where }) => {
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
      return clash ? [`variants[${index}] of ${where} has the same ${clash} as another`] : []
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
