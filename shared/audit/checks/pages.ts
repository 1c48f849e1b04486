import type { Page } from '../../markup/page.ts'
import { leadsHome } from '../../markup/page-signs/address.ts'
import { mainProduct, type ProductMarkup, variantsOf } from '../../markup/products.ts'
import { describeFetch } from '../../web/http/fetched.ts'
import type { PageSeen, ProductPageSeen } from '../evidence.ts'
import { gap, notApplicable, pass, skip, type Verdict } from '../rule.ts'

/** Details are read by people: a few examples and a number say more than a list. */
export const MAX_PAGES_NAMED = 3
const MAX_FAULTS_NAMED = 3
const MAX_DETAIL = 600

/**
 * What is wrong with one page; empty when it is right, null when this rule does not apply to it.
 */
export type PageFaults = readonly string[] | null

/**
 * Judges every page that was read, and names the failing ones. A page that was not read completely
 * is unknown, unless `certain` says which verdict the part that was read proves.
 */
export function judgePages(
  seen: readonly ProductPageSeen[],
  faultsOf: (page: Page, seen: ProductPageSeen) => PageFaults,
  nothingToJudge: string,
  certain: 'pass' | 'gap' | null = null,
): Verdict {
  const read = seen.flatMap((each) => (each.page === null ? [] : [{ page: each.page, each }]))
  if (read.length === 0) return skip(whyNoneRead(seen))
  const judged = read.flatMap(({ page, each }) => {
    const faults = faultsOf(page, each)
    if (faults === null) return []
    const isCertain = page.truncated === null || (faults.length > 0 ? 'gap' : 'pass') === certain
    return isCertain ? [{ url: page.url, faults }] : []
  })
  if (judged.length === 0) return skip(whyTruncated(read.map(({ page }) => page)) ?? nothingToJudge)
  const failing = judged.filter(({ faults }) => faults.length > 0)
  if (failing.length === 0) return pass()
  const pages = failing.map(({ url }) => url)
  return gap(describe(failing, judged.length), undefined, { pages })
}

/** Why the first of some pages was not read completely; null when all were. */
function whyTruncated(pages: readonly Page[]): string | null {
  const page = pages.find(({ truncated }) => truncated !== null)
  return page === undefined ? null : describeTruncated(page)
}

/** Why nothing follows from what a page lacks, as the reason of a skip. */
export const describeTruncated = ({ url, truncated }: Page): string =>
  `${url} could not be read completely: ${truncated}`

/** Why there is no page to judge, as the reason of a skip. */
export function whyNoneRead(seen: readonly ProductPageSeen[]): string {
  const [first] = seen
  if (first === undefined) return 'no product page was found'
  const { fetched } = first
  if (fetched.kind === 'not_asked') return fetched.reason
  const to = fetched.kind === 'answer' && leadsHome(fetched) ? ', the home page' : ''
  return `no product page could be read: ${describeFetch(fetched)}${to}`
}

/** The failing pages in words, each with its first faults. */
function describe(
  failing: readonly { url: string; faults: readonly string[] }[],
  judged: number,
): string {
  const named = failing.slice(0, MAX_PAGES_NAMED).map(({ url, faults }) => {
    const some = [...new Set(faults)]
    const more = some.length - MAX_FAULTS_NAMED
    return `${url}: ${some.slice(0, MAX_FAULTS_NAMED).join('; ')}${more > 0 ? `; ${more} more` : ''}.`
  })
  const count = judged === 1 ? '' : `${failing.length} of ${judged} product pages. `
  return cut(`${count}${named.join(' ')}`)
}

/** Bounds a detail's length in characters: parts of it were written by the store. */
export const cut = (text: string): string =>
  text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL - 1)}…` : text

/** A rule about what a page may leave out does not apply where it is absent. */
export const unlessOptional = (verdict: Verdict, absent: string): Verdict =>
  verdict.kind === 'skip' && verdict.reason === absent ? notApplicable(absent) : verdict

/** Judges the product that each page is about; pages without product markup have another gap. */
export function judgeProducts(
  seen: readonly ProductPageSeen[],
  faultsOf: (product: ProductMarkup, page: Page) => PageFaults,
  nothingToJudge = 'no Product markup to judge',
): Verdict {
  return judgePages(
    seen,
    (page) => {
      const product = mainProduct(page)
      return product === null ? null : faultsOf(product, page)
    },
    nothingToJudge,
  )
}

/**
 * The things that can be bought: the variants of a group, or the product itself and its siblings.
 */
export const sellables = (product: ProductMarkup): ProductMarkup[] =>
  product.variants.length === 0
    ? [product]
    : [...(product.type === 'Product' ? [product] : []), ...variantsOf(product)]

/**
 * Why the page's product appears only after JavaScript, or null. Either only the rendered page has
 * it, or an inline script of the page writes JSON-LD of a Product.
 */
export function scriptedProduct(page: Page, rendered: Page | undefined): string | null {
  const shown = rendered === undefined ? null : mainProduct(rendered)
  if (shown !== null)
    return `the rendered page has a Product (${shown.where}), but its HTML has none`
  return page.product_script === 'writes'
    ? 'a script adds the JSON-LD, and the HTML has no Product'
    : null
}

/** Without the home page's HTML nothing is known, so that rules skip. */
export const whenHomeRead = (
  { page, fetched }: PageSeen,
  audit: (page: Page) => Verdict,
): Verdict =>
  page === null ? skip(`the home page could not be read: ${describeFetch(fetched)}`) : audit(page)
