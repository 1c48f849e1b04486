import { leadsHome } from '../../../markup/page-signs/address.ts'
import { describeFetch, type Fetched } from '../../../web/http/fetched.ts'
import { challengeIn, isGone } from '../../../web/http/presence.ts'
import { counted } from '../../../web/text/english-count.ts'
import type { Evidence } from '../../evidence.ts'
import { gap, pass, skip, type Verdict } from '../../rule.ts'
import { cut, MAX_PAGES_NAMED, whyNoneRead } from '../schema/product-pages.ts'

// Unspecified: a product page that fails (5xx) or leads to the home page could not be read, as any
// such page. Where a catalog names the products, and each of their pages that was asked for fails,
// leads there or is gone, no buyer gets to one, and it is a gap.

/** Judges whether any of the pages that the store itself names as its products' is there. */
export function judgeDeadPages({ productPages }: Pick<Evidence, 'productPages'>): Verdict {
  if (productPages.some(({ page }) => page !== null)) return pass()
  const isListed = productPages.some(({ found_by }) => found_by === 'catalog')
  const areDead =
    productPages.length > 0 &&
    productPages.every(({ fetched }) => isGone(fetched) || (isListed && isLost(fetched)))
  if (!areDead) return skip(whyNoneRead(productPages))
  const named = productPages.slice(0, MAX_PAGES_NAMED).map(({ fetched, because = [] }) => {
    const [by] = because
    return `${sayDead(fetched)}${by === undefined ? '' : `, and ${by}`}`
  })
  const count = counted(productPages.length, 'product page')
  return gap(cut(`${count} asked for, none is there. ${named.join('. ')}.`))
}

const isLost = (fetched: Fetched): boolean =>
  fetched.kind === 'answer' &&
  challengeIn(fetched) === null &&
  (fetched.status >= 500 || leadsHome(fetched))

const sayDead = (fetched: Fetched): string =>
  fetched.kind === 'answer' && leadsHome(fetched)
    ? `${fetched.method} ${fetched.url} leads to ${fetched.final_url}`
    : describeFetch(fetched)
