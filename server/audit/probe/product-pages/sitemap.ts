import { isActing } from '../../../../shared/markup/page-signs/visitor-address.ts'
import type { Fetched } from '../../../../shared/web/http/fetched.ts'
import { sitemapsIn } from '../../../../shared/web/http/robots.ts'
import type { Location, Locations } from '../../judging/locations.ts'
import { createUnzip, joinBytes } from '../fetch/body.ts'
import { BODY_CAPS } from '../fetch/request.ts'
import { type AuditSession, bodyOf } from '../session.ts'
import { onSite, pageOnSite, pagesOnSite, spread } from './candidates.ts'
import type { Allowance } from './search.ts'

/** A page that a sitemap names, and whether the sitemap says that it is a product's. */
interface SitemapPage extends Location {
  named: 'products' | 'anything' | 'other'
}

export interface SitemapsSeen {
  pages: SitemapPage[]
  /** The sitemaps that were asked for, and how many addresses of this site each gave. */
  tried: { url: string; pages: number }[]
}

/** Sitemaps that robots.txt names, that an index names, and of an index in an index. */
const MAX_ROOTS = 2
const MAX_CHILDREN = 2

// By the names that platforms and shops give to the parts of an index.
const OF_PRODUCTS =
  /prod[uo]|produs|proizvod|pdp|sku|\bitems?\b|goods|detail|artik[eu]l|tovar|termek|tuote|listing/i
const OF_OTHERS =
  /categor|kategori|collection|blog|post|pages?\b|page[-_\d.]|news|article|\btags?\b|brand|author|stores?\b|image|video|content|cms|static|faq|help|recipe|guide|review|taxonom|locat/i

/**
 * The pages that the site's sitemaps name: those of robots.txt, else `/sitemap.xml`. Of an index,
 * the sitemaps named after products, else some from all over it. At most five requests, three
 * answers one after the other.
 */
export async function probeSitemaps(
  session: AuditSession,
  domain: string,
  robots: Fetched,
  allowance: Allowance,
): Promise<SitemapsSeen> {
  const seen: SitemapsSeen = { pages: [], tried: [] }
  const read = async (urls: readonly string[]): Promise<string[]> => {
    const fresh = urls.filter((url) => seen.tried.every((each) => each.url !== url))
    const asked = fresh.slice(0, allowance.take(fresh.length))
    const answers = await Promise.all(
      asked.map(async (url) => ({ url, ...(await readSitemap(session, url)) })),
    )
    return answers.flatMap(({ url, locations, alternates, isIndex }) => {
      const pages = isIndex ? [] : pagesOf({ locations, alternates }, domain)
      seen.tried.push({ url, pages: pages.length })
      seen.pages.push(...pages.map((page) => ({ ...page, named: namedAfter(url) })))
      return isIndex ? locations.map((each) => each.url) : []
    })
  }
  const named = sitemapsIn(robots).filter((url) => /^https?:\/\//i.test(url))
  const roots =
    named.length > 0 ? pick(named, domain, MAX_ROOTS) : [`https://${domain}/sitemap.xml`]
  const children = await read(roots)
  const isEmpty = children.length === 0 && seen.pages.length === 0
  // The name that search engine plugins of WordPress give to theirs.
  const next = isEmpty
    ? [`https://${domain}/sitemap_index.xml`]
    : pick(children, domain, MAX_CHILDREN)
  const grandchildren = await read(next)
  if (seen.pages.length === 0) await read(pick(grandchildren, domain, 1))
  return seen
}

/** The pages of this site; where the sitemap names another site's, their other languages here. */
function pagesOf(
  { locations, alternates }: Pick<Locations, 'locations' | 'alternates'>,
  domain: string,
): Location[] {
  const pages = locations.flatMap(({ url, image }) => {
    const own = pageOnSite(url, domain)
    return own === null ? [] : [{ url: own, image }]
  })
  if (pages.length > 0) return pages
  return pagesOnSite(alternates, domain).map((url) => ({ url, image: false }))
}

/** What the name of a sitemap says of the pages in it. */
function namedAfter(url: string): SitemapPage['named'] {
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  const name = pathname + search
  if (OF_PRODUCTS.test(name)) return 'products'
  return OF_OTHERS.test(name) ? 'other' : 'anything'
}

/** Those named after products, else others from all over the list; those of this site first. */
function pick(urls: readonly string[], domain: string, most: number): string[] {
  const web = [...new Set(urls)].filter(
    (url) => /^https?:\/\//i.test(url) && URL.canParse(url) && !isActing(url),
  )
  const here = web.flatMap((url) => onSite(url, domain) ?? [])
  const groups = (['products', 'anything', 'other'] as const).map((kind) =>
    (here.length > 0 ? here : web).filter((url) => namedAfter(url) === kind),
  )
  const [products = [], anything = [], others = []] = groups
  if (products.length > 0) return spread(products, most)
  return anything.length > 0 ? spread(anything, most) : spread(others, 1)
}

/** The addresses of a sitemap or an index: the first are enough, and sitemaps have up to 50 MB. */
async function readSitemap(session: AuditSession, url: string): Promise<Locations> {
  const nothing = { locations: [], alternates: [], isIndex: false }
  const held = session.hold.open(BODY_CAPS.page)
  try {
    const request = { url, maxBytes: BODY_CAPS.page, read: held.take }
    const fetched = await session.request(request)
    if (fetched.kind !== 'answer' || fetched.status < 200 || fetched.status > 299) return nothing
    const bytes = await unpacked(held.drain())
    const judged = await session.run('locations', bodyOf(fetched, bytes))
    return 'done' in judged ? judged.done : nothing
  } finally {
    held.close()
  }
}

/**
 * A sitemap may be a gzip file without a Content-Encoding
 * (https://www.sitemaps.org/protocol.html). It is unpacked up to the limit of any page; what is cut
 * or broken ends it.
 */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let left: number = BODY_CAPS.page
  const unzip = createUnzip()
  await unzip.write(bytes, async (part) => {
    parts.push(part.subarray(0, left))
    left -= part.length
    return left > 0
  })
  unzip.close()
  return joinBytes(parts)
}
