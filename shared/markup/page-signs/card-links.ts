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

/** Reads where links of a page lead. */
export interface LinkReader {
  /**
   * Null for a link to the home page, to a file, to what belongs to one visitor, and to a brand:
   * none of them names a product.
   */
  read(href: string): LinkedPage | 'here' | null
  /** Takes less time than to read it. */
  isHere(href: string): boolean
}

/** Reads links of a page that has these addresses, each once. */
export function createLinkReader(
  addresses: readonly string[],
  resolve: (href: string) => string,
): LinkReader {
  const here = new Set(addresses.flatMap((each) => URL.parse(each) ?? []).map(pageKeyOf))
  const known = new Map<string, LinkedPage | 'here' | null>()
  const keyed = (href: string) => {
    const url = URL.parse(resolve(href))
    return url !== null && /^https?:$/.test(url.protocol) ? { url, key: pageKeyOf(url) } : null
  }
  const read = (href: string): LinkedPage | 'here' | null => {
    const link = keyed(href)
    if (link === null) return null
    const { key } = link
    if (here.has(key)) return 'here'
    const { href: url, pathname } = link.url
    if (BRANDS.test(pathname) || isFile(url) || isOfVisitor(url)) return null
    const { is } = readAddress(url)
    if (is === 'home' && !key.includes('#')) return null
    const looks =
      is === 'product' || is === 'likely' ? 'product' : is === 'other' ? 'other' : 'plain'
    return { url, key, looks }
  }
  return {
    isHere: (href) => here.has(keyed(href)?.key ?? ''),
    read(href) {
      const before = known.get(href)
      if (before !== undefined) return before
      const page = read(href)
      known.set(href, page)
      return page
    },
  }
}
