import { readAddress, wordsOfAddress } from '../../../../shared/markup/page-signs/address.ts'
import { isSameHost } from '../../../../shared/web/address/same-site.ts'
import type { SealedPage } from '../../judging/sealed-page.ts'
import { distinct, type PageCandidate, pagesOnSite, spread } from './candidates.ts'

/** Lists that are read where the home page and the sitemaps show no product. */
const MAX_LISTS = 2

/** A company's site links its shop, which has a host of its own. */
const SHOP_HOST =
  /^https:\/\/(?:\w+-)?(?:e?shop|store|boutique|tienda|loja|negozio|sklep|obchod|bolt)\b/i

/** First pages of other hosts of the site that the home page links. */
const otherRoots = (home: SealedPage | null, links: readonly PageCandidate[]): PageCandidate[] =>
  links.filter(
    ({ url }) => readAddress(url).is === 'home' && home !== null && !isSameHost(url, home.url),
  )

/** The shops of their own, by the names of their hosts, that the home page links. */
export const otherShops = (
  home: SealedPage | null,
  links: readonly PageCandidate[],
): PageCandidate[] => otherRoots(home, links).filter(({ url }) => SHOP_HOST.test(url))

/**
 * Pages that probably list products: the shop on a host of its own, categories that the home page
 * links, else its search.
 */
export function listPages(
  home: SealedPage | null,
  domain: string,
  links: readonly PageCandidate[],
): PageCandidate[] {
  const isCategory = ({ url }: PageCandidate) =>
    /\/(?:collections?|categor(?:y|ies|ia|ie)|kategorie|kategoria|c|cat|shop|store|product-category|produkt-kategorie|catalog|katalog|products|produkte|produits|productos)(?:\/|$)/i.test(
      URL.parse(url)?.pathname ?? '',
    )
  const named = links.filter(isCategory)
  const plain = links.filter(({ url }) => ['plain', 'likely'].includes(readAddress(url).is))
  const template = home?.search ?? null
  const word =
    plain.flatMap(({ url }) => wordsOfAddress(url)).find((each) => each.length > 3) ?? 'a'
  const search =
    template === null
      ? null
      : URL.parse(template.replace(/\{[^}]*\}/, encodeURIComponent(word)), home?.url)
  const found = (search === null ? [] : pagesOnSite([search.href], domain)).map(
    (url): PageCandidate => ({ url, found_by: 'category_link', weight: 0, named: null }),
  )
  const likely = [
    ...otherShops(home, links),
    ...spread(named, MAX_LISTS),
    ...found,
    ...otherRoots(home, links).filter(({ url }) => !SHOP_HOST.test(url)),
    ...spread(plain, MAX_LISTS),
  ]
  return distinct(likely).slice(0, MAX_LISTS)
}
