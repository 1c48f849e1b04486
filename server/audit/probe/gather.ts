import { getDomainWithoutSuffix } from 'tldts'
import { isOnWww } from '../../../shared/audit/checks/well-known/manifest-verdicts.ts'
import { isShut } from '../../../shared/audit/checks/well-known/signed/compare.ts'
import type {
  CatalogSeen,
  ManifestSeen,
  PageSeen,
  SignatureSeen,
  Site,
} from '../../../shared/audit/evidence.ts'
import { dialectOf } from '../../../shared/commerce/catalog/listing.ts'
import { withoutOtherShop } from '../../../shared/manifest/inspect.ts'
import { isWall } from '../../../shared/markup/page-signs/visitor-address.ts'
import { DIRECTORY_PATH } from '../../../shared/protocols/web-bot-auth.ts'
import type { WalkSeen } from '../../../shared/walk/seen.ts'
import type { Fetched, JsonSeen } from '../../../shared/web/http/fetched.ts'
import { presenceOf } from '../../../shared/web/http/presence.ts'
import type { SealedEvidence, SealedPage } from '../judging/sealed-page.ts'
import { NOT_ASKED, probeAccess } from './access.ts'
import { probeAcp, probeAcpSales } from './acp.ts'
import { type ListedPages, type OpenCatalog, openSpecCatalog } from './catalog.ts'
import { probeCheckout } from './checkout.ts'
import { probeFeed } from './feed/feed.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { findEndpoint, probeManifest } from './manifest.ts'
import { openOfficialCatalog } from './official-catalog.ts'
import { once } from './once.ts'
import { probeProductPages } from './product-pages/product-pages.ts'
import { type AuditSession, probePage, requestJson } from './session.ts'
import { alsoUnsigned, unsignedSession } from './signed-or-not.ts'
import { openUcpStore, probeUcp } from './ucp.ts'
import { readWhole, type WholeReading } from './whole-catalog.ts'

/** What a rule may name under `reads`. */
type EvidenceKey = keyof SealedEvidence

/** What evidence is gathered of, and how much. */
export interface Gathering {
  domain: string
  agents?: boolean
  /** What a walk of it showed. */
  walk?: WalkSeen | null
  /** Reads all of its catalog too, after everything else, in a session of its own. */
  whole?: { session: AuditSession; reading: WholeReading } | null
  /** In place of endpoints that a copied manifest has in another shop, asks the usual ones here. */
  onlyHere?: boolean
  /** Product pages of an earlier audit. */
  known?: readonly string[] | undefined
  /** `PAGES_WAIT_MS` unless given. */
  pagesWaitMs?: number | undefined
}

/**
 * Product pages are chosen from all that was listed, but do not wait longer than this for further
 * pages of a slow catalog.
 */
const PAGES_WAIT_MS = 3_000

/**
 * Gathers the evidence asked for, and what it depends on. Each request starts as soon as the
 * answers that it depends on are there. A site that does not answer over https is asked nothing
 * more. Pages are asked for in the names of AI agents only with `agents`. `onDone` is
 * called for each piece of evidence that is there.
 */
export async function gatherEvidence(
  session: AuditSession,
  {
    domain,
    agents = false,
    walk = null,
    whole = null,
    onlyHere = false,
    known = [],
    pagesWaitMs = PAGES_WAIT_MS,
  }: Gathering,
  wanted: ReadonlySet<EvidenceKey>,
  now: () => Date,
  onDone: (key: EvidenceKey) => void = () => {},
): Promise<Partial<SealedEvidence>> {
  const origin = `https://${domain}`
  // Started together, so that a healthy site costs one round trip and not three.
  const begin = () => ({
    homePage: probePage(session, `${origin}/`),
    manifest: probeManifest(session, domain),
    robots: session.request({ url: `${origin}/robots.txt`, maxBytes: BODY_CAPS.manifest }),
  })
  const signed = begin()
  const signature = await comparePage(session, (await signed.homePage).fetched)
  const isRefused = signature !== undefined && session.signedAs() === null
  const { homePage, manifest, robots } = isRefused ? begin() : signed

  const site = homePage.then(async ({ fetched }) =>
    probeSite(session, domain, await anyAnswer(fetched, [robots, manifest]), signature),
  )
  if ((await site).https.kind === 'no_answer') return { site: await site }

  const leading = manifest.then((seen) => (onlyHere ? ofThisShop(seen, domain) : seen))
  const catalogEndpoint = leading.then((seen) => findEndpoint(seen, domain, 'product_catalog'))
  const checkoutEndpoint = leading.then((seen) => findEndpoint(seen, domain, 'checkout'))
  // The catalog and the rules about services speak to one session of an MCP service.
  const ucpStore = manifest.then((seen) => openUcpStore(session, seen))
  const catalog = once(async (): Promise<OpenCatalog> => {
    const official = await ucpStore
    return official === null
      ? openSpecCatalog(session, await catalogEndpoint, await leading)
      : openOfficialCatalog(session, { ...official, homePage: await homePage })
  })

  const probeItsFeed = async () =>
    probeFeed(session, { domain, origin, homePage: await homePage, robots: await robots })
  // The products that it lists are pages to read; for them alone it is not asked for.
  const feed = wanted.has('feed') ? probeItsFeed() : null

  const productPages = once(async () => {
    const site = {
      domain,
      homePage: await homePage,
      robots: await robots,
      catalog: await listedInTime(session, await catalog(), pagesWaitMs),
      feed,
      known,
    }
    const seen = await probeProductPages(session, site)
    const [first] = seen
    const isCompared = signature !== undefined || first === undefined
    if (isCompared || !seen.every(({ fetched }) => isShut(fetched))) return seen
    const compared = await comparePage(session, first.fetched)
    const [again = first, ...more] =
      compared && session.signedAs() === null ? await probeProductPages(session, site) : seen
    return [{ ...again, ...(compared && { signature: compared }) }, ...more]
  })

  // A store without UCP may sell over ACP, which its own check looks at more closely.
  const isAboutSelling = (['manifest', 'catalog', 'checkout'] as const).some((key) =>
    wanted.has(key),
  )
  const announced =
    isAboutSelling && !wanted.has('acp')
      ? manifest.then((seen) => (isWithoutUcp(seen) ? probeAcpSales(session, domain) : null))
      : null

  // Probes that share an answer await the same promise, so that nothing is requested twice.
  const probes: { [K in EvidenceKey]: () => Promise<SealedEvidence[K]> } = {
    site: () => site,
    homePage: async () => withoutWall(await homePage),
    manifest: () => manifest,
    robots: () => robots,
    walk: async () => walk,
    pagesWalk: async () => walk?.pages ?? null,
    feed: () => feed ?? probeItsFeed(),
    catalog: async () => (await catalog()).more(),
    checkout: async () => probeCheckout(session, await checkoutEndpoint, await catalog(), now),
    productPages,
    ucp: async () => probeUcp(session, await manifest, await ucpStore),
    signatureDirectory: () =>
      requestJson(session, { url: origin + DIRECTORY_PATH, maxBytes: BODY_CAPS.manifest }),
    acp: async () => probeAcp(session, domain, await manifest, { overMcp: true }),
    access: async () =>
      agents
        ? probeAccess(session, { domain, robots: await robots, productPages: await productPages() })
        : NOT_ASKED,
  }
  const gathered: Partial<SealedEvidence> = {}
  const keep = async <K extends EvidenceKey>(key: K) => {
    gathered[key] = await probes[key]()
    onDone(key)
  }
  await Promise.all([...wanted].map(keep))
  const acp = await announced
  if (acp) gathered.acp = acp
  await (await ucpStore)?.close()
  if (whole !== null && gathered.catalog) {
    gathered.catalog = await withWhole(gathered.catalog, await catalog(), whole)
  }
  return gathered
}

/** A manifest without what leads to another shop. */
function ofThisShop(manifest: ManifestSeen, domain: string): ManifestSeen {
  const kept = <Seen extends JsonSeen>(seen: Seen): Seen =>
    seen.json?.ok
      ? { ...seen, json: { ok: true, value: withoutOtherShop(seen.json.value, domain) } }
      : seen
  return { ...kept(manifest), www: kept(manifest.www) }
}

// Unspecified: where the home page leads to a login, or to a page that asks for a consent, an age
// or a country, that page is not judged in its place: the rules of the home page say where it
// leads.
function withoutWall(seen: PageSeen<SealedPage>): PageSeen<SealedPage> {
  const { fetched } = seen
  if (fetched.kind !== 'answer' || fetched.redirects.length === 0) return seen
  return isWall(fetched.final_url)
    ? {
        ...seen,
        fetched: { kind: 'not_asked', reason: `it leads to ${fetched.final_url}` },
        page: null,
      }
    : seen
}

/** There is certainly no manifest, on the domain itself or on www. */
const isWithoutUcp = (manifest: ManifestSeen): boolean =>
  presenceOf(manifest.fetched).is === 'absent' && !isOnWww(manifest)

/** What a catalog lists, as far as it is known in time. */
const listedInTime = (
  { after }: AuditSession,
  { dialect, first, listed }: OpenCatalog,
  waitMs: number,
): Promise<ListedPages> =>
  new Promise((resolve, reject) => {
    const cancel = after(waitMs, () => resolve({ dialect, first, next: [] }))
    listed().then(resolve, reject).finally(cancel)
  })

/** Adds all pages; a catalog that does not list anything has none. */
async function withWhole(
  seen: CatalogSeen,
  { reader }: OpenCatalog,
  { session, reading }: NonNullable<Gathering['whole']>,
): Promise<CatalogSeen> {
  if (reader === null || dialectOf(seen).presenceOf(seen.first).is !== 'present') return seen
  const pages = reader(session)
  const whole = await readWhole(seen, pages, reading)
  await pages.close()
  return { ...seen, whole }
}

/**
 * The home page, or what else of the site answered: the home page alone may be slow or too large.
 */
async function anyAnswer(
  homePage: Fetched,
  others: readonly Promise<Fetched | ManifestSeen>[],
): Promise<Fetched> {
  if (homePage.kind === 'answer') return homePage
  const seen = await Promise.all(others)
  const fetched = seen.map((each) => ('fetched' in each ? each.fetched : each))
  return fetched.find(({ kind }) => kind === 'answer') ?? homePage
}

/** What our signature changes at a page that is refused; nothing is asked of others. */
async function comparePage(
  session: AuditSession,
  fetched: Fetched,
): Promise<SignatureSeen | undefined> {
  if (fetched.kind !== 'answer' || !isShut(fetched)) return undefined
  const { signature } = await alsoUnsigned(session, { fetched, json: null }, async () => {
    const unsigned = await probePage(unsignedSession(session), fetched.url)
    return { fetched: unsigned.fetched, json: null }
  })
  return signature
}

/**
 * The site itself. http is asked only where https is silent, to tell a store without https from one
 * that is down.
 */
async function probeSite(
  session: AuditSession,
  domain: string,
  https: Fetched,
  signature: SignatureSeen | undefined,
): Promise<Site> {
  const http: Fetched =
    https.kind === 'answer'
      ? { kind: 'not_asked', reason: 'https answered' }
      : await session.request({
          url: `http://${domain}/`,
          maxBytes: BODY_CAPS.manifest,
          // A redirect to https, which does not respond, still shows that http responds.
          redirect: 'manual',
        })
  const label = getDomainWithoutSuffix(domain) ?? domain
  return { domain, label, https, http, ...(signature && { signature }) }
}
