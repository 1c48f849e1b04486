import { listedProducts, productsOf } from './catalog-reading.ts'
import { MAX_UNPAGED_PRODUCTS, Pagination } from './commerce.ts'
import { type CatalogSeen, describeFetch, type JsonSeen } from './evidence.ts'
import { field, shown } from './json.ts'
import { jsonOf, presenceOf } from './presence.ts'

/** What is wrong, or null. */
export type Finding = string | null

const text = (product: unknown, key: string): string | null => {
  const value = field(product, key)
  return typeof value === 'string' && value !== '' ? value : null
}

// ── Ids ──────────────────────────────────────────────────────────────────────────────────────

/** Ids that more than one listed product carries. */
export function duplicateIds(catalog: CatalogSeen): string[] {
  const seen = new Map<string, string>()
  const findings: string[] = []
  for (const { product, where } of listedProducts(catalog)) {
    const id = text(product, 'id')
    if (id === null) continue
    const before = seen.get(id)
    if (before === undefined) seen.set(id, where)
    else findings.push(`${shown(id)} is the id of ${before} and of ${where}`)
  }
  return findings
}

/** What names a product whatever its id: the first of these that it has. */
const nameOf = (product: unknown): string | null =>
  text(product, 'url') ?? text(product, 'sku') ?? text(product, 'name')

/** Products that were listed twice under different ids. Null when nothing was listed twice. */
export function changedIds(catalog: CatalogSeen): string[] | null {
  // Several products may share an address or a name.
  const first = new Map<string, Set<string>>()
  for (const product of productsOf(catalog.first) ?? []) {
    const [name, id] = [nameOf(product), text(product, 'id')]
    if (name !== null && id !== null) first.set(name, (first.get(name) ?? new Set()).add(id))
  }
  const findings: string[] = []
  let compared = 0
  for (const seen of [catalog.again, catalog.search?.seen, catalog.filters?.seen]) {
    for (const product of (seen && productsOf(seen)) ?? []) {
      const [name, id] = [nameOf(product), text(product, 'id')]
      const before = name === null ? undefined : first.get(name)
      if (before === undefined || id === null) continue
      compared += 1
      if (before.has(id)) continue
      findings.push(`${name} was ${shown([...before][0])} and then ${shown(id)}`)
    }
  }
  return compared === 0 ? null : findings
}

// ── Variants ─────────────────────────────────────────────────────────────────────────────────

/** Variants of one product that share an id, or all of their attributes. */
export function clashingVariants(catalog: CatalogSeen): string[] {
  return listedProducts(catalog).flatMap(({ product, where }) => {
    const variants = field(product, 'variants')
    if (!Array.isArray(variants)) return []
    const seen = new Set<string>()
    return variants.slice(0, 500).flatMap((variant, index) => {
      const id = text(variant, 'id')
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

// ── Paging ───────────────────────────────────────────────────────────────────────────────────

/** More products on one page than the spec lets stand without a way to the next. */
export function missingPagination({ first }: CatalogSeen): Finding {
  if (isCut(first)) return `${describeFetch(first.fetched)} with more than we read of one page.`
  const count = productsOf(first)?.length ?? 0
  if (count <= MAX_UNPAGED_PRODUCTS) return null
  const read = Pagination.safeParse(field(jsonOf(first), 'pagination'))
  if (read.success) return null
  const issue = read.error.issues[0]
  return `${count} products on one page, and pagination is unusable: ${issue?.path.join('.') || 'pagination'} ${issue?.message}.`
}

const isCut = ({ fetched }: JsonSeen) => fetched.kind === 'answer' && fetched.truncated

export type NextFault = 'broken' | 'loops' | 'leaves_host'

/** Where the way through `pagination.next` ends badly; null when it ends well or there is none. */
export function nextFault(catalog: CatalogSeen): { fault: NextFault; detail: string } | null {
  const pages = [catalog.first, ...catalog.next]
  const seen = new Set<string>()
  for (const page of pages) {
    const presence = presenceOf(page.fetched)
    if (presence.is === 'unknown' || isCut(page)) return null
    if (presence.is !== 'present' || productsOf(page) === null) {
      return { fault: 'broken', detail: `${describeFetch(page.fetched)}, not a page of products.` }
    }
    const here = presence.answer.url
    const host = new URL(presence.answer.final_url).host
    seen.add(here)
    const raw = field(field(jsonOf(page), 'pagination'), 'next')
    if (raw === undefined || raw === null) return null
    const next = nextUrl(page)
    if (next === null) {
      return { fault: 'broken', detail: `pagination.next on ${here} is ${shown(raw)}, no URL.` }
    }
    if (seen.has(next)) {
      return { fault: 'loops', detail: `pagination.next on ${here} leads back to ${next}.` }
    }
    if (new URL(next).host !== host) {
      return { fault: 'leaves_host', detail: `pagination.next on ${here} leaves for ${next}.` }
    }
  }
  return null
}

/** The address of the next page, resolved; null when there is none or it is no http(s) URL. */
export function nextUrl(page: JsonSeen): string | null {
  const raw = field(field(jsonOf(page), 'pagination'), 'next')
  if (typeof raw !== 'string' || raw === '' || page.fetched.kind !== 'answer') return null
  const url = URL.parse(raw, page.fetched.final_url)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

// ── Search and filters ───────────────────────────────────────────────────────────────────────

const mentions = (product: unknown, word: string): boolean =>
  ['name', 'description', 'category', 'brand', 'sku'].some((key) =>
    text(product, key)?.toLowerCase().includes(word.toLowerCase()),
  )

/** Null when the search narrows the catalog, as far as one question can tell. */
export function searchFault({ first, search }: CatalogSeen): Finding {
  if (search === null) return null
  const request = describeFetch(search.seen.fetched)
  const found = productsOf(search.seen)
  if (found === null) return `${request}, not a list of products.`
  if (found.length === 0) return `${request} with no product, though a listed one is named so.`
  const strangers = found.filter((product) => !mentions(product, search.q))
  const narrowed = found.length < (productsOf(first)?.length ?? 0)
  return strangers.length > 0 && !narrowed
    ? `${request} with all ${found.length} products, ${strangers.length} of them without ${shown(search.q)}.`
    : null
}

/** Null when each filter that was sent holds for every product that came back. */
export function filtersFault({ first, filters }: CatalogSeen): Finding {
  if (filters === null) return null
  const request = describeFetch(filters.seen.fetched)
  const found = productsOf(filters.seen)
  if (found === null) return `${request}, not a list of products.`
  if (found.length === 0) return `${request} with no product, though a listed one matches.`
  const params = Object.entries(filters.params)
  const ignored = params.flatMap(([name, wanted]) => {
    const stranger = found.find((product) => !matchesFilter(product, name, wanted))
    const others = params.filter(([other]) => other !== name)
    return stranger === undefined || (name === 'category' && narrows(first, found, others))
      ? []
      : [`${name}=${wanted} lets ${shown(nameOf(stranger))} through`]
  })
  return ignored.length === 0 ? null : `${request}: ${ignored.join('; ')}.`
}

/**
 * Whether the answer leaves out a product that the other filters would let through: a category may
 * well bring the products of those below it.
 */
function narrows(first: JsonSeen, found: unknown[], others: [string, string][]): boolean {
  const names = new Set(found.map(nameOf))
  return (productsOf(first) ?? []).some(
    (product) =>
      others.every(([name, wanted]) => matchesFilter(product, name, wanted)) &&
      !names.has(nameOf(product)),
  )
}

function matchesFilter(product: unknown, name: string, wanted: string): boolean {
  if (name === 'category') return text(product, 'category')?.toLowerCase() === wanted.toLowerCase()
  const variants = field(product, 'variants')
  const offers = [product, ...(Array.isArray(variants) ? variants : [])]
  return offers.some((offer) => {
    if (name === 'availability') return field(offer, 'availability') === wanted
    const amount = Number(field(field(offer, 'price'), 'amount'))
    return name === 'min_price' ? amount >= Number(wanted) : amount <= Number(wanted)
  })
}
