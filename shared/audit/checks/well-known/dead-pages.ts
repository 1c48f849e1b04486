import { describeFetch } from '../../../web/http/fetched.ts'
import { isGone } from '../../../web/http/presence.ts'
import { counted } from '../../../web/text/english-count.ts'
import type { Evidence } from '../../evidence.ts'
import { gap, pass, skip, type Verdict } from '../../rule.ts'
import { cut, MAX_PAGES_NAMED, whyNoneRead } from '../schema/product-pages.ts'

/** Judges whether any of the pages that the store itself names as its products' is there. */
export function judgeDeadPages({ productPages }: Pick<Evidence, 'productPages'>): Verdict {
  if (productPages.some(({ page }) => page !== null)) return pass()
  const areGone = productPages.length > 0 && productPages.every(({ fetched }) => isGone(fetched))
  if (!areGone) return skip(whyNoneRead(productPages))
  const named = productPages.slice(0, MAX_PAGES_NAMED).map(({ fetched, because = [] }) => {
    const [by] = because
    return `${describeFetch(fetched)}${by === undefined ? '' : `, and ${by}`}`
  })
  const count = counted(productPages.length, 'product page')
  return gap(cut(`${count} asked for, none is there. ${named.join('. ')}.`))
}
