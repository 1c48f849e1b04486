import type { PageSeen, ProductPageSeen } from '../../../../shared/audit/evidence.ts'
import { canonicalOf, leadsHome } from '../../../../shared/markup/page-signs/address.ts'
import { withoutEndSlashes } from '../../../../shared/web/address/uri.ts'
import { describeFetch } from '../../../../shared/web/http/fetched.ts'
import { counted } from '../../../../shared/web/text/english-count.ts'
import type { SealedPage } from '../../judging/sealed-page.ts'
import { type AuditSession, probePage } from '../session.ts'
import { formOf, type PageCandidate } from './candidates.ts'

/** Pages of one shop come from one template: a few show its faults. */
export const MAX_PRODUCT_PAGES = 5

export type Search = ReturnType<typeof createSearch>

/** What was read so far, and what it showed. */
export function createSearch(
  session: AuditSession,
  homePage: PageSeen<SealedPage>,
  allowance: Allowance,
) {
  const pages = new Map<string, ProductPageSeen<SealedPage>>()
  const looked: { url: string; why: string }[] = []
  const asked = new Set<string>()
  const tried: string[] = []
  const turned = new Map<string, boolean>()
  const lists: SealedPage[] = []
  /** What the shop names as its products, and leads to its home page instead. */
  const ledHome: ProductPageSeen<SealedPage>[] = []
  const home = homePage.page
  if (home !== null) {
    asked.add(home.url)
    // A shop of one product sells it on its home page.
    if (home.kind.is === 'product') {
      const { because } = home.kind
      const canonical = canonicalOf(home)
      asked.add(canonical)
      pages.set(canonical, { ...homePage, found_by: 'home_page', because })
    }
  }

  const readOne = async (candidate: PageCandidate) => {
    const seen = await probePage(session, candidate.url, candidate.named)
    return { candidate, seen }
  }
  const keep = ({ candidate, seen }: Awaited<ReturnType<typeof readOne>>, isList: boolean) => {
    const { url, found_by } = candidate
    const outcome = outcomeOf(candidate, seen, (address) => pages.has(address))
    if (outcome.is !== 'product') looked.push({ url, why: outcome.why })
    if (outcome.is === 'elsewhere') {
      const { because } = outcome
      if (because !== null) ledHome.push({ fetched: seen.fetched, page: null, found_by, because })
      return
    }
    if (outcome.is === 'unread') {
      const { because } = outcome
      if (because !== null) pages.set(url, { ...seen, found_by, because })
      return
    }
    const { page } = outcome
    // A list says nothing of other pages whose addresses have its form.
    if (isList || page.kind.is === 'other') lists.push(page)
    const form = formOf(url)
    if (outcome.is === 'product') {
      const canonical = canonicalOf(page)
      asked.add(canonical)
      pages.set(canonical, { ...seen, found_by, because: page.kind.because })
      turned.set(form, true)
    } else if (!isList && !turned.has(form)) turned.set(form, false)
  }

  return {
    turned,
    lists: () => lists,
    isNew: (url: string) => !asked.has(url),
    tried: (what: string) => {
      tried.push(what)
    },
    /**
     * Reads pages together, as far as requests are left; `areLists` for those whose links are
     * wanted.
     */
    async read(candidates: readonly PageCandidate[], areLists = false): Promise<void> {
      const unread = candidates.filter(({ url }) => !asked.has(url))
      const fresh = unread.slice(0, allowance.take(unread.length))
      for (const { url } of fresh) asked.add(url)
      for (const each of await Promise.all(fresh.map(readOne))) keep(each, areLists)
    },
    found: () => [...pages.values()].slice(0, MAX_PRODUCT_PAGES),
    ledHome: () => ledHome.slice(0, MAX_PRODUCT_PAGES),
    /** What was tried, as the reason of a skip. */
    describe(): string {
      const some = looked.slice(0, 4).map(({ url, why }) => `${url}: ${why}`)
      const where = tried.length === 0 ? '' : ` Tried: ${tried.join(', ')}.`
      return some.length === 0
        ? `no product page was found.${where}`
        : `no product page was found among the ${counted(looked.length, 'page')} looked at (${some.join('; ')}).${where}`
    },
  }
}

/** What reading a page showed, and why it is not taken for a product's. */
type Outcome =
  | { is: 'product'; page: SealedPage }
  | { is: 'other'; page: SealedPage; why: string }
  /** `because` the shop says that it is a product's: that it cannot be read is evidence, then. */
  | { is: 'unread'; why: string; because: string[] | null }
  | { is: 'elsewhere'; why: string; because: string[] | null }

function outcomeOf(
  { url, named, found_by }: PageCandidate,
  { fetched, page }: PageSeen<SealedPage>,
  isKnown: (address: string) => boolean,
): Outcome {
  const isNamed = named !== null && named.of_shell !== true && found_by !== 'earlier_audit'
  const because = isNamed ? [named.by] : null
  if (fetched.kind === 'answer') {
    // A product that is gone often leads to the home page, as do its neighbours.
    const isGone = leadsHome(fetched)
    if (isGone || isKnown(page === null ? fetched.final_url : canonicalOf(page))) {
      return { is: 'elsewhere', why: 'it leads to another page', because: isGone ? because : null }
    }
  }
  if (page === null) {
    return { is: 'unread', why: describeFetch(fetched), because }
  }
  if (page.kind.is === 'product') return { is: 'product', page }
  const [reason = 'nothing shows what it is'] = page.kind.because
  // The reason is of the page that answered, such as the login of a shop for companies.
  const isOther = !isSamePage(page.url, url)
  return { is: 'other', page, why: isOther ? `it leads to ${page.url}, and ${reason}` : reason }
}

/** But for the host, the query and a slash at the end. */
const isSamePage = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((url) => withoutEndSlashes(URL.parse(url)?.pathname ?? url))
  return a === b
}

/** What the search for product pages may still ask. */
export interface Allowance {
  /** How many of some requests may be made together; these are then used up. */
  take(wanted: number): number
  left(): number
}

/**
 * Bounds the requests, and the answers that are waited for one after the other: `lanes` are asked
 * at a time.
 */
export function createAllowance(requests: number, answers: number, lanes: number): Allowance {
  let requestsLeft = requests
  let answersLeft = answers
  const left = () => Math.min(requestsLeft, answersLeft * lanes)
  return {
    take(wanted) {
      const taken = Math.min(wanted, left())
      requestsLeft -= taken
      answersLeft -= Math.ceil(taken / lanes)
      return taken
    },
    left,
  }
}
