import type { CatalogDialectName } from '../../../commerce/catalog/dialect.ts'
import {
  type Counted,
  isTooLong,
  nameOf,
  nonEmptyText,
  productsOn,
} from '../../../commerce/catalog/listing.ts'
import { firstPlaceOf, hashOf, known } from '../../../commerce/known-texts.ts'
import type { JsonSeen } from '../../../web/http/fetched.ts'
import { shown } from '../../../web/json/json.ts'
import type { WholeCatalog } from '../../evidence.ts'
import { type Finding, findingsIn, type Said } from './findings.ts'

/** Examples of each kind of finding: enough to show what to look for. */
const MAX_EXAMPLES = 3

/** What one page shows, judged by itself: plain data, and small. */
export interface PageTally {
  products: number
  findings: Record<string, Counted>
  ids: ListedId[]
  /** It lists more than is read of a page. */
  isTooLong: boolean
}

/** An id as it is compared: by hashes of it alone, and with what else names the product. */
interface ListedId {
  hash: number
  named: number
  shown: string
  where: string
}

/** Judges the products of one page, the `number`th from 1. */
export function tallyPage(dialect: CatalogDialectName, page: JsonSeen, number: number): PageTally {
  const products = productsOn({ dialect }, page, number)
  const findings: Record<string, Counted> = {}
  for (const [kind, said] of findingsIn(dialect, products)) {
    if (said.length > 0) findings[kind] = countedOf(said)
  }
  const ids = products.flatMap(({ product, where }) => {
    const id = nonEmptyText(product, 'id')
    if (id === null) return []
    const named = hashOf(JSON.stringify([id, nameOf(product)]))
    return [{ hash: hashOf(id), named, shown: shown(id), where }]
  })
  return { products: products.length, findings, ids, isTooLong: isTooLong({ dialect }, page) }
}

const countedOf = (said: readonly Said[]): Counted => ({
  count: said.length,
  examples: said.slice(0, MAX_EXAMPLES).map(({ sentence }) => sentence),
})

/** What is kept of all pages that were read: counts, the first examples, and hashes of ids. */
interface WholeTally {
  /** Adds a page. Returns how many of its products were not listed before. */
  add(page: PageTally): number
  readonly products: number
  readonly pages: number
  findings(): WholeCatalog['findings']
  /** Entries that are held; for tests of the bound. */
  readonly held: number
}

/** `most`: products whose ids are kept; a further one is counted, and compared with these alone. */
export function createWholeTally(most: number): WholeTally {
  const ids = known()
  const named = known()
  const findings = new Map<string, { count: number; examples: string[] }>()
  let products = 0
  let pages = 0

  const note = (kind: string, { count, examples }: Counted) => {
    const kept = findings.get(kind) ?? { count: 0, examples: [] }
    kept.count += count
    kept.examples.push(...examples.slice(0, MAX_EXAMPLES - kept.examples.length))
    findings.set(kind, kept)
  }
  /** Whether the product was listed on an earlier page. */
  const isRepeated = ({ hash, named: name, shown: id, where }: ListedId): boolean => {
    const page = firstPlaceOf(ids, hash, pages, most)
    const again = firstPlaceOf(named, name, pages, most)
    if (page === null) return false
    // A catalog that changes while it is read shifts a product to the next page: not a fault.
    if (again !== null && page !== pages) return true
    const sentence = `${id} is the id of a product on page ${page} and of ${where}`
    note('ids_duplicate' satisfies Finding, { count: 1, examples: [sentence] })
    return false
  }

  return {
    add(page) {
      pages += 1
      let repeated = 0
      for (const id of page.ids) if (isRepeated(id)) repeated += 1
      const fresh = page.products - repeated
      products += fresh
      // What was found on a page that only repeats is known already.
      if (fresh > 0) for (const [kind, found] of Object.entries(page.findings)) note(kind, found)
      return fresh
    },
    get products() {
      return products
    },
    get pages() {
      return pages
    },
    findings: () => Object.fromEntries(findings),
    get held() {
      const examples = [...findings.values()].reduce((sum, each) => sum + each.examples.length, 0)
      return ids.size + named.size + examples
    },
  }
}
