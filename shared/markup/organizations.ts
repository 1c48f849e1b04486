import type { MarkupNode } from './node.ts'
import { hasValue } from './offers.ts'
import type { Page } from './page.ts'
import { nodesOf } from './values.ts'

/**
 * schema.org has some hundred subtypes of Organization. Nearly all end in one of these words, and
 * the rest that shops use is listed by name.
 */
const ORGANIZATION_TYPE =
  /^(Corporation|Bakery|Brewery|Florist|Library|Optician|Pharmacy|Restaurant|Winery)$|(Organization|Business|Store|Dealer)$/

/** By the node's types alone; `Brand` is no organization in schema.org. */
export const isOrganization = (node: MarkupNode): boolean =>
  node.types.some((type) => ORGANIZATION_TYPE.test(type))

/** A branch, with an address of its own: it may well have another name than the shop. */
const isPlace = (node: MarkupNode): boolean =>
  node.types.some((type) => !/^(Organization|Corporation|OnlineBusiness|OnlineStore)$/.test(type))

/** Properties that name the organization behind the page itself, and not a maker or a partner. */
const OWN_ROLES = new Set(
  'publisher mainEntity about copyrightHolder provider author creator sourceOrganization'.split(
    ' ',
  ),
)

/**
 * The organizations that the page speaks for: not a product's maker, nor a parent or a partner. One
 * that nothing refers to counts, since home pages mark up the shop that way.
 */
export function ownOrganizations(page: Page): MarkupNode[] {
  const ofOthers = new Set<MarkupNode>()
  const own = new Set<MarkupNode>()
  for (const node of page.nodes) {
    for (const name of node.props.keys()) {
      for (const value of nodesOf(node, name)) (OWN_ROLES.has(name) ? own : ofOthers).add(value)
    }
  }
  return page.nodes.filter((node) => isOrganization(node) && (own.has(node) || !ofOthers.has(node)))
}

/**
 * Those whose names must agree. Shops with branches mark up each of them under its own name, so
 * branches count only where nothing else is marked up, and then only the first.
 */
export function namedOrganizations(page: Page): MarkupNode[] {
  const all = ownOrganizations(page)
  const companies = all.filter((node) => !isPlace(node))
  return companies.length > 0 ? companies : all.slice(0, 1)
}

/**
 * Whether any organization of the page states one of these properties; false without a page. Google
 * reads return and shipping policies of the whole shop from there.
 */
export const organizationStates = (page: Page | null, ...names: string[]): boolean =>
  page?.nodes.some((node) => isOrganization(node) && names.some((name) => hasValue(node, name))) ??
  false
