import { readAddress } from '../../../shared/markup/page-signs/address.ts'
import { isOfVisitor } from '../../../shared/markup/page-signs/visitor-address.ts'
import type { PageKind } from '../../../shared/markup/product-page.ts'
import type { BothPages } from './judged-page.ts'
import type { PagePlace } from './page-audit.ts'

const LISTS = /^(?:CollectionPage|SearchResultsPage|ItemList|OfferCatalog|CategoryPage)$/
/** Things with a price and a button each. */
const CARDS = 3

/** What the open page is, in a person's words. */
export function pagePlaceOf({ judged, rendered }: BothPages, kind: PageKind): PagePlace {
  if (kind.is === 'product') return 'product'
  if (readAddress(judged.url).is === 'home') return 'home'
  if (isOfVisitor(judged.url)) return 'visitor'
  const isList = [judged, rendered].some(
    ({ subjects, signs }) =>
      subjects.types.some((type) => LISTS.test(type)) || signs.cards >= CARDS,
  )
  return isList ? 'list' : kind.is
}
