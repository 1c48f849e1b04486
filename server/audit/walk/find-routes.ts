import {
  isNewerProfile,
  nearMiss,
  newerWords,
  recogniseDialect,
} from '../../../shared/manifest/dialect.ts'
import { endpointOf } from '../../../shared/manifest/inspect.ts'
import { sharedCapabilities } from '../../../shared/manifest/ucp/agent-profile.ts'
import { readProfileOffer } from '../../../shared/manifest/ucp/offer.ts'
import { handsOver } from '../../../shared/manifest/ucp/profile.ts'
import { CHECKOUT, PERMALINK } from '../../../shared/protocols/ucp/names.ts'
import { SHOPPING, UCP } from '../../../shared/protocols/ucp/versions.ts'
import { protocolOf, WALK_DIALECTS, type WalkDialectName } from '../../../shared/walk/dialect.ts'
import { listedNames } from '../../../shared/walk/verdict.ts'
import { withoutEndSlashes } from '../../../shared/web/address/uri.ts'
import { describeFetch } from '../../../shared/web/http/fetched.ts'
import { jsonOf, presenceOf } from '../../../shared/web/http/presence.ts'
import { field, isRecord, listIn } from '../../../shared/web/json/json.ts'
import { isServed, probeAcp } from '../probe/acp.ts'
import { findEndpoint, probeManifest } from '../probe/manifest.ts'
import type { AuditSession } from '../probe/session.ts'
import { openUcpStore, serviceOf, type UcpStore } from '../probe/ucp.ts'
import { type Consent, createConsent } from './consent.ts'
import { officialAcpRoute, type RoutesFound } from './find-acp.ts'
import type { RouteAddress } from './route-address.ts'

/** The routes of a store, in the order of `WALK_DIALECTS`. */
export interface StoreRoutes {
  routes: RouteAddress[]
  /** Routes at hosts that have not agreed to it, which are left alone, each with the reason. */
  elsewhere: { address: RouteAddress; why: string }[]
  /** The wanted protocols without a route, with the reason in sentences. */
  missing: { protocol: 'UCP' | 'ACP'; why: string }[]
  manifest: Awaited<ReturnType<typeof probeManifest>>
  /** Its official profile, if it has a readable one. */
  ucp: UcpStore | null
  /** Why there is no route, in sentences; null if there is one. */
  nothing: string | null
  /** Whether a page is at a host that sells for the domain. */
  consent: Consent
}

/** What to look for. */
interface Looking {
  /** Only these dialects: a store is asked for ACP only if it is among them. */
  wanted?: readonly WalkDialectName[] | undefined
  /** Whether there is a key for endpoints that refuse strangers. */
  hasKey?: boolean
  /** Whether the caller's key is for a host, which then need not name the domain. */
  isNamed?: ((host: string) => boolean) | undefined
  /** Counts a walk at a host. A sentence where the host has had too many, else null. */
  countAt?: ((host: string) => Promise<string | null>) | undefined
}

/**
 * Finds the dialects over which a purchase can be made, as an audit does: nothing is created. Each
 * route has a version that can be walked.
 */
export async function findRoutes(
  session: AuditSession,
  domain: string,
  { wanted = WALK_DIALECTS, hasKey = false, isNamed, countAt = async () => null }: Looking = {},
): Promise<StoreRoutes> {
  const manifest = await probeManifest(session, domain)
  const ucp = await openUcpStore(session, manifest)
  const consent = createConsent(session, domain, isNamed)
  const isWanted = (protocol: string) => wanted.some((name) => protocolOf(name) === protocol)
  const ofUcp = ucp === null ? specUcpRoute(domain, manifest) : ucpRoutes(ucp)
  const ofAcp = isWanted('acp')
    ? await acpRoutes(session, domain, { manifest, hasKey, consent })
    : null
  const found = ofAcp === null ? [ofUcp] : [ofUcp, ofAcp]
  const missing: StoreRoutes['missing'] = []
  if (isWanted('ucp') && ofUcp.routes.length === 0)
    missing.push({ protocol: 'UCP', why: ofUcp.why })
  if (ofAcp?.routes.length === 0) missing.push({ protocol: 'ACP', why: ofAcp.why })
  const all = found.flatMap(({ routes }) => routes)
  const wantedRoutes = WALK_DIALECTS.flatMap((name) =>
    wanted.includes(name) ? all.filter(({ dialect }) => dialect === name) : [],
  )
  const room = new Map<string, Promise<string | null>>()
  const roomAt = (host: string): Promise<string | null> => {
    const known = room.get(host) ?? countAt(host)
    room.set(host, known)
    return known
  }
  const [routes, elsewhere]: [RouteAddress[], StoreRoutes['elsewhere']] = [[], []]
  for (const address of wantedRoutes) {
    const { endpoint, orders } = address
    const why =
      (await consent(endpoint)) ??
      (orders === null ? null : await consent(orders)) ??
      (await roomAt(new URL(endpoint).host))
    if (why === null) routes.push(address)
    else elsewhere.push({ address, why })
  }
  const nothing =
    routes.length > 0
      ? null
      : elsewhere.length > 0
        ? `None of the checkouts that ${domain} names can be walked.`
        : nothingOf(domain, found)
  const open = ucp && (await agreed(ucp, consent))
  return { routes, elsewhere, missing, manifest, ucp: open, nothing, consent }
}

/** The store without the services of hosts that have not agreed: its catalog is not read there. */
async function agreed(ucp: UcpStore, consent: Consent): Promise<UcpStore> {
  const { services } = ucp.profile
  const refusals = await Promise.all(
    services.map(({ endpoint }) => (endpoint === null ? null : consent(endpoint))),
  )
  const agreeing = services.filter((_, at) => refusals[at] === null)
  return { ...ucp, profile: { ...ucp.profile, services: agreeing } }
}

/** Why nothing is walked, in sentences. */
function nothingOf(domain: string, found: readonly RoutesFound[]): string {
  if (found.some(({ routes }) => routes.length > 0)) {
    return `${domain} speaks none of the protocols that were asked for.`
  }
  const why = found.map((each) => each.why).join(' ')
  return `No checkout that can be walked was found on ${domain}. ${why}`
}

type Manifest = StoreRoutes['manifest']

const NOTHING_MORE = { version: null, capabilities: [], orders: null } as const

const none = (why: string): RoutesFound => ({ routes: [], why })

/** The specification's UCP, or why neither it nor official UCP can be walked. */
function specUcpRoute(domain: string, manifest: Manifest): RoutesFound {
  const document = jsonOf(manifest)
  if (recogniseDialect(document) !== '1.0') return none(whyNoProfile(manifest, document))
  const endpoint = findEndpoint(manifest, domain, 'checkout')
  if ('reason' in endpoint) return none(`Of the UCP manifest's checkout, ${endpoint.reason}.`)
  if (!endpoint.url.startsWith('https:')) {
    return none('The UCP manifest has its checkout at an address without https.')
  }
  const orders = endpointOf(document, 'orders')
  const route = { ...NOTHING_MORE, dialect: 'spec_ucp', endpoint: endpoint.url, orders } as const
  return { routes: [route], why: '' }
}

function whyNoProfile({ fetched }: Manifest, document: unknown): string {
  const { is } = presenceOf(fetched)
  if (is !== 'present') {
    const what = is === 'unknown' ? 'The UCP profile could not be read' : 'No UCP profile was found'
    return `${what}: ${describeFetch(fetched)}.`
  }
  if (!isRecord(document)) return 'The UCP profile cannot be read: it is not a JSON object.'
  return isNewerProfile(document)
    ? `The profile is ${newerWords(document)}; walks speak ${listedNames(UCP.walked)}.`
    : `The UCP profile is of no known version: ${nearMiss(document)}`
}

/** A cart leads its buyer to the store, where there is no checkout for agents. */
const canBuy = ({ dialect, capabilities }: UcpStore['profile']): boolean =>
  capabilities.includes(CHECKOUT) ||
  (handsOver(capabilities) && UCP.isKnown(dialect) && UCP.of(dialect).hasCatalog)

function ucpRoutes({ profile, document }: UcpStore): RoutesFound {
  const { dialect: version } = profile
  const handlers = UCP.isKnown(version)
    ? readProfileOffer(document, version).handlers.flatMap(({ id }) =>
        typeof id === 'string' && id !== '' ? [id] : [],
      )
    : []
  const permalink = permalinkIn(document)
  const routes = (['rest', 'mcp'] as const).flatMap((transport): RouteAddress[] => {
    const endpoint = serviceOf(profile, transport)
    return endpoint === null
      ? []
      : [
          {
            dialect: `ucp_${transport}`,
            endpoint,
            version,
            capabilities: sharedCapabilities(profile.capabilities),
            ...(handlers.length > 0 && { handlers }),
            ...(permalink !== null && { permalink }),
            orders: null,
          },
        ]
  })
  const whys = [
    ...(UCP.isWalked(version)
      ? []
      : [`The profile is of UCP ${version}; walks speak ${listedNames(UCP.walked)}.`]),
    ...(canBuy(profile) ? [] : ['The profile offers neither a checkout nor a cart.']),
    ...(routes.length > 0 ? [] : [whyNoTransport(profile)]),
  ]
  return whys.length === 0 ? { routes, why: '' } : none(whys.join(' '))
}

/** Where the links of a profile that fill a basket begin; null where it has none. */
function permalinkIn(document: unknown): string | null {
  const capabilities = field(field(document, 'ucp'), 'capabilities')
  const [entry] = listIn(field(capabilities, PERMALINK))
  const endpoint = field(field(entry, 'config'), 'endpoint')
  const url = typeof endpoint === 'string' ? URL.parse(endpoint) : null
  return url?.protocol === 'https:' ? withoutEndSlashes(url.href) : null
}

/** The names of transports that a walk does not use. */
const OTHER_TRANSPORTS: Readonly<Record<string, string>> = {
  a2a: 'A2A',
  embedded: 'an embedded page',
}

function whyNoTransport({ services }: UcpStore['profile']): string {
  const names = services
    .filter(({ service }) => service === SHOPPING)
    .flatMap(({ transport }) => OTHER_TRANSPORTS[transport] ?? [])
  return names.length === 0
    ? 'The profile names no address of REST or MCP that agents can use.'
    : `The profile offers its services over ${[...new Set(names)].join(' and ')} alone; walks speak REST and MCP.`
}

/** The routes over the specification's ACP and over official ACP. */
async function acpRoutes(
  session: AuditSession,
  domain: string,
  { manifest, hasKey, consent }: { manifest: Manifest; hasKey: boolean; consent: Consent },
): Promise<RoutesFound> {
  const acp = await probeAcp(session, domain, manifest, {
    mayAsk: async (base) => (await consent(base)) === null,
  })
  const specification = acp.spoken.find(({ dialect }) => dialect === 'specification')
  const isThere = specification !== undefined && isServed(specification)
  const route = { ...NOTHING_MORE, dialect: 'spec_acp', endpoint: `https://${domain}` } as const
  const { routes, why } = officialAcpRoute(acp, hasKey)
  return { routes: [...(isThere ? [route] : []), ...routes], why }
}
