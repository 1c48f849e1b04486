import { MAX_ADDRESS } from '../../web/address/uri.ts'
import type { MarkupNode } from '../node.ts'
import { firstText, isNode, isWithin, nodesOf, placeOf, urlsOf } from '../values.ts'
import { isProduct, MENTIONS } from '../vocabulary.ts'

/** What a page's markup says the page is about, and its links. */
export interface PageSubjects {
  /** Types of the things without references to them, each once. */
  types: string[]
  /** The places of the products that the page itself offers. */
  own_products: string[]
  /** Addresses in its lists of things, as written. */
  listed: string[]
  /** The address of its search, with `{…}` for the words; null if it names none. */
  search: string | null
}

const MAX_TYPES = 20
const MAX_OWN = 50
const MAX_LISTED = 60

/** Properties whose value is what the page is about, regardless of other references. */
const ABOUT_PAGE = new Set(['mainEntity', 'mainEntityOfPage', 'hasVariant', 'isVariantOf'])

/**
 * Properties of things that do not offer a product: they write about it, list it, or say what an
 * article belongs to (Google's markup of paywalls:
 * https://developers.google.com/search/docs/appearance/structured-data/paywalled-content).
 */
const REFERS = new Set([
  ...MENTIONS,
  ...'isPartOf subjectOf hasOfferCatalog workExample exampleOfWork'.split(' '),
])

export function readSubjects(
  nodes: readonly MarkupNode[],
  resolve: (url: string) => string,
): PageSubjects {
  const inside = new Set<MarkupNode>()
  const referred = new Set<MarkupNode>()
  for (const node of nodes) {
    for (const [name, values] of node.props) {
      if (ABOUT_PAGE.has(name)) continue
      for (const value of values) {
        if (!isNode(value) || value === node) continue
        inside.add(value)
        // A product that is described next to the review or list that names it is the page's own.
        if (REFERS.has(name) && isWithin(value, node)) referred.add(value)
      }
    }
  }
  const roots = nodes.filter((node) => !inside.has(node) && !referred.has(node))
  const own = nodes.filter((node) => isProduct(node) && !referred.has(node))
  return {
    types: [...new Set(roots.flatMap(({ types }) => types))]
      .slice(0, MAX_TYPES)
      .map((type) => type.slice(0, 60)),
    own_products: own.slice(0, MAX_OWN).map(placeOf),
    listed: listedIn(nodes, resolve),
    search: searchOf(nodes),
  }
}

/** The addresses of ItemLists: https://schema.org/ItemList. A path of links is one as well. */
function listedIn(nodes: readonly MarkupNode[], resolve: (url: string) => string): string[] {
  const urls = new Set<string>()
  for (const list of nodes) {
    if (!list.types.some((type) => type === 'ItemList' || type === 'OfferCatalog')) continue
    for (const entry of nodesOf(list, 'itemListElement')) {
      const item = nodesOf(entry, 'item')[0]
      const [url] = [
        ...urlsOf(entry, 'url', 1),
        ...(item === undefined ? urlsOf(entry, 'item', 1) : urlsOf(item, 'url', 1)),
      ]
      const address = url ?? item?.id ?? null
      if (address !== null && address.length < MAX_ADDRESS) urls.add(resolve(address))
      if (urls.size === MAX_LISTED) return [...urls]
    }
  }
  return [...urls]
}

/** https://schema.org/SearchAction, as Google documented it for the search box of a site. */
function searchOf(nodes: readonly MarkupNode[]): string | null {
  for (const node of nodes) {
    if (!node.types.includes('SearchAction')) continue
    const [entry] = nodesOf(node, 'target')
    const template =
      entry === undefined ? firstText(node, 'target') : firstText(entry, 'urlTemplate')
    if (template?.includes('{') && template.length < MAX_ADDRESS) return template
  }
  return null
}
