import type { FoundBy } from '../../../../shared/audit/evidence.ts'
import { isFile, readAddress } from '../../../../shared/markup/page-signs/address.ts'
import { decoded, isOfVisitor } from '../../../../shared/markup/page-signs/visitor-address.ts'
import type { NamedAsProduct } from '../../../../shared/markup/product-page.ts'
import { plainAddress } from '../../../../shared/web/address/link-key.ts'
import { isUnder } from '../../../../shared/web/address/same-site.ts'

/** An address that may be a product page's. */
export interface PageCandidate {
  url: string
  found_by: FoundBy
  /** What speaks for it apart from its address, such as a sitemap named after products. */
  weight: number
  /** The shop itself says that it is one: in which words, and how much that counts. */
  named: NamedAsProduct | null
}

/** Of two names of one page, the one that says more. */
const strengthOf = ({ named }: PageCandidate): number =>
  named === null ? 0 : named.of_shell === true ? 1 : 2

/** Each page once: without its fragment, and without what only follows a visitor. */
export function distinct(candidates: readonly PageCandidate[]): PageCandidate[] {
  const seen = new Map<string, PageCandidate>()
  for (const candidate of candidates) {
    const parsed = URL.parse(candidate.url)
    if (parsed === null) continue
    const url = plainAddress(parsed)
    const before = seen.get(url)
    if (before === undefined) seen.set(url, { ...candidate, url })
    else if (candidate.weight > before.weight || strengthOf(candidate) > strengthOf(before)) {
      seen.set(url, {
        ...before,
        weight: candidate.weight,
        named: strengthOf(candidate) < strengthOf(before) ? before.named : candidate.named,
      })
    }
  }
  return [...seen.values()]
}

/** Addresses of one form: one template made their pages, so that a few show what all are. */
interface Cluster {
  form: string
  score: number
  members: PageCandidate[]
}

const BY_ADDRESS = { product: 6, likely: 3, plain: 0.5, other: -6, home: -20 }

/**
 * Up to here, a cluster has addresses of other pages: they are read only where there is nothing
 * else.
 */
export const UNLIKELY = BY_ADDRESS.other / 2

/** Below this, the addresses of a cluster lead to the home page, or to images and documents. */
const HOPELESS = -10

/** From here on, a cluster is so likely one of products that all samples may come from it. */
export const STRONG = 6

/** Addresses grouped by their form, the likeliest to be product pages first. */
export function clusterCandidates(candidates: readonly PageCandidate[]): Cluster[] {
  const groups = new Map<string, PageCandidate[]>()
  for (const candidate of candidates) {
    const form = formOf(candidate.url)
    const group = groups.get(form)
    if (group === undefined) groups.set(form, [candidate])
    else group.push(candidate)
  }
  return [...groups]
    .map(([form, members]) => ({ form, score: scoreOf(members), members }))
    .filter(({ score }) => score > HOPELESS)
    .sort((a, b) => b.score - a.score || b.members.length - a.members.length)
}

/** A shop has more products than anything else, so that a large group counts more. */
function scoreOf(members: readonly PageCandidate[]): number {
  const some = spread(members, 20)
  const mean = (each: (candidate: PageCandidate) => number) =>
    some.reduce((sum, candidate) => sum + each(candidate), 0) / Math.max(1, some.length)
  const address = mean(({ url }) =>
    isFile(url) ? BY_ADDRESS.home : BY_ADDRESS[readAddress(url).is],
  )
  return (
    address +
    mean(({ weight }) => weight) +
    mean(({ url }) => wordiness(url)) +
    Math.min(2, Math.log10(members.length))
  )
}

/** Products have names of several words, and numbers; categories have short ones. */
function wordiness(url: string): number {
  const last =
    decoded(URL.parse(url)?.pathname ?? '')
      .split('/')
      .filter(Boolean)
      .at(-1) ?? ''
  const words = last.split(/[-_+ ]/).length
  return (words >= 3 ? 1 : 0) + (/\d/.test(last) ? 0.5 : 0)
}

/** The form of an address: what its parts look like, with the folders of platforms as they are. */
export function formOf(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return ''
  const parts = decoded(parsed.pathname)
    .split('/')
    .filter((part) => part !== '')
  const known = readAddress(url)
  const parameters = [...new Set(parsed.searchParams.keys())].sort().slice(0, 4).join('&')
  const path = parts.map((part, index) => partOf(part, index === parts.length - 1)).join('/')
  return `${known.is} ${known.form ?? ''} ${path}${parameters === '' ? '' : `?${parameters}`}`
}

function partOf(part: string, isLast: boolean): string {
  const suffix = /\.[a-z]{2,5}$/i.exec(part)?.[0] ?? ''
  const bare = part.slice(0, part.length - suffix.length)
  if (/^\d+$/.test(bare)) return `9${suffix}`
  // Folders above are many, and of one kind for each depth.
  if (!isLast) return 'f'
  const digits = /\d{3,}/.test(bare) ? '9' : ''
  const words = bare.split(/[-_+ ]/).length
  return `${words > 2 ? 's' : words === 2 ? 'd' : 'w'}${digits}${suffix}`
}

/**
 * Which pages to read next: of what is likely, several; where nothing is, one of each form, because
 * reading tells them apart. `turned` holds how the forms that were read turned out.
 */
export function choose(
  clusters: readonly Cluster[],
  turned: ReadonlyMap<string, boolean>,
  most: number,
): PageCandidate[] {
  const proven = clusters.filter(({ form }) => turned.get(form) === true)
  if (proven.length > 0) return roundRobin(proven, most)
  const open = clusters.filter(({ form }) => !turned.has(form))
  const strong = open.filter(({ score }) => score >= STRONG)
  return roundRobin(strong.length > 0 ? strong : open, most)
}

/** One of each cluster, then the second of each, …, each from all over its list. */
function roundRobin(clusters: readonly Cluster[], most: number): PageCandidate[] {
  const first = clusters.slice(0, most)
  const samples = first.map(({ members }) => spread(members, most))
  const chosen: PageCandidate[] = []
  for (let round = 0; round < most; round += 1) {
    for (const sample of samples) {
      const next = sample[round]
      if (next !== undefined && chosen.length < most) chosen.push(next)
    }
  }
  return chosen
}

/** An even sample over a whole list: the first entries are often the oldest, or the best kept. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  const step = list.length / most
  return Array.from({ length: most }, (_, index) => list[Math.floor(index * step)]).filter(
    (each) => each !== undefined,
  )
}

/**
 * An address over https where it is the audited shop's own or its subdomains'; null otherwise,
 * since markup elsewhere is another's. Shops that moved to https still write http: the site is
 * known to answer over https, and http is never read.
 */
export function onSite(url: string, domain: string): string | null {
  const parsed = URL.parse(url)
  if (parsed === null || !isUnder(parsed.hostname, domain)) return null
  if (parsed.protocol === 'http:' && parsed.port === '') parsed.protocol = 'https:'
  return parsed.protocol === 'https:' ? parsed.href : null
}

/** The same of a page that may be asked for: opening it does nothing in the shop. */
export function pageOnSite(url: string, domain: string): string | null {
  const own = onSite(url, domain)
  return own === null || isOfVisitor(own) ? null : own
}

/** Those of some pages that are the shop's and may be asked for. */
export const pagesOnSite = (urls: readonly string[], domain: string): string[] =>
  urls.flatMap((url) => pageOnSite(url, domain) ?? [])
