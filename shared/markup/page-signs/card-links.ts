import { withoutEndSlashes } from '../../web/address/uri.ts'
import { isFile, readAddress } from './address.ts'
import { isOfVisitor } from './visitor-address.ts'

/** Parameters that choose a product where one script shows all of them, and those that do not. */
const CHOOSES = /prod|item|goods|artikel|article|anid|info|slug|sku|id$|(?:^|[_-])(?:no|nr|a|p)$/i
const VARIES = /var|attr|option|colou?r|size|click|clid|session|sid$|cat|list|utm|ref/i

const BRANDS = /\/(?:brands?|marken?|hersteller|manufacturers?|vendors?|marcas?|marques?)\//i

/** What a link may name: a page of a product, or hardly one, such as a page of help. */
export interface LinkedPage {
  url: string
  /** Equal for links to one page, whichever of its variants they choose. */
  key: string
  looks: 'product' | 'plain' | 'other'
}

/** The same for all addresses of one page: its host may differ, and what chooses a variant. */
export function pageKeyOf(url: URL): string {
  const chosen = url.search
    .slice(1)
    .split('&')
    .filter((part) => {
      const [name = ''] = part.split('=', 1)
      return CHOOSES.test(name) && !VARIES.test(name)
    })
  // Shops that are an app in another page write their addresses after the sign of a fragment.
  const route = /^#!?\//.test(url.hash) ? url.hash : ''
  return `${withoutEndSlashes(url.pathname)}?${chosen.sort().join('&')}${route}`
}

/** Reads where a link leads, each once. */
export type LinkReader = (href: string) => LinkedPage | 'here' | null

/**
 * Reads links of a page that has these addresses. Null for a link to the home page, to a file, to
 * what belongs to one visitor, and to a brand: none of them names a product.
 */
export function createLinkReader(
  addresses: readonly string[],
  resolve: (href: string) => string,
): LinkReader {
  const here = new Set(addresses.flatMap((each) => URL.parse(each) ?? []).map(pageKeyOf))
  const known = new Map<string, ReturnType<LinkReader>>()
  const read: LinkReader = (href) => {
    const parsed = URL.parse(resolve(href))
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null
    const { href: url } = parsed
    const key = pageKeyOf(parsed)
    if (here.has(key)) return 'here'
    if (BRANDS.test(parsed.pathname) || isFile(url) || isOfVisitor(url)) return null
    const { is } = readAddress(url)
    if (is === 'home' && !key.includes('#')) return null
    const looks =
      is === 'product' || is === 'likely' ? 'product' : is === 'other' ? 'other' : 'plain'
    return { url, key, looks }
  }
  return (href) => {
    const before = known.get(href)
    if (before !== undefined) return before
    const page = read(href)
    known.set(href, page)
    return page
  }
}
