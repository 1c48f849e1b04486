import { field, isRecord, shown } from '../../web/json.ts'
import type { UcpVersion } from '../dialect.ts'
import { inspectEndpoint } from '../fields.ts'
import { authorityFault } from './authority.ts'
import { dotted, type Findings } from './findings.ts'
import { findPrivateKeys } from './keys.ts'
import type { CapabilityEntry, ProfileEntry, ProfileOffer, ServiceEntry } from './offer.ts'

/** What is known of a profile beside its content. */
export interface Context {
  /** Host where it was found; leave it out when that is unknown. */
  domain?: string
  /** The profile was reached through the `supported_versions` of another. */
  leaf?: boolean
}

/**
 * What we require beyond the official schema. Returns the part of the offer that agents will use:
 * they drop an entry whose schema or parent is not right, and use the rest, so that this is a
 * warning (UCP overview, Enforcement; Intersection Algorithm).
 */
export function inspectOffer(
  document: unknown,
  version: UcpVersion,
  offer: ProfileOffer,
  context: Context,
  findings: Findings,
): ProfileOffer {
  // Errors, although the schema allows them: both harm everyone who uses the profile.
  findPrivateKeys(document, findings)
  inspectEndpoints(offer.services, context.domain, findings)
  const bound = (entry: ProfileEntry) => isBound(entry, findings)
  const kept: ProfileOffer = {
    services: offer.services.filter(bound),
    capabilities: withoutOrphans(offer.capabilities.filter(bound), findings),
    handlers: offer.handlers.filter(bound),
  }
  inspectKeysField(document, version, findings)
  inspectSupportedVersions(document, context, findings)
  if (kept.services.length > 0 && kept.capabilities.length > 0)
    warnOfLimits(kept, version, findings)
  return kept
}

/**
 * The endpoint that agents can be sent to; null for none, and for one that is not https. An
 * `embedded` service has none to call (UCP source/schemas/service.json).
 */
export const usableEndpoint = ({ transport, endpoint }: ServiceEntry): string | null =>
  transport !== 'embedded' && typeof endpoint === 'string' && inspectEndpoint(endpoint) === null
    ? endpoint
    : null

/**
 * UCP overview, Endpoint Resolution: https, and no slash at the end, because agents append a path.
 * An a2a endpoint is the address of the agent card itself, to which nothing is appended.
 */
function inspectEndpoints(
  services: readonly ServiceEntry[],
  domain: string | undefined,
  findings: Findings,
): void {
  const foreign = new Set<string>()
  for (const { transport, endpoint, path } of services) {
    if (transport === 'embedded' || endpoint === undefined) continue
    const at = [...path, 'endpoint']
    const found = inspectEndpoint(endpoint)
    if (found !== null) {
      findings.add(at, found, 'ours')
      continue
    }
    const url = URL.parse(String(endpoint))
    if (url?.pathname.endsWith('/') && url.pathname !== '/' && transport !== 'a2a') {
      findings.warn(`${dotted(at)} ends in "/": agents that append a path will request "//".`)
    }
    if (url && domain && !isOf(url.hostname, domain)) foreign.add(url.hostname)
  }
  for (const host of foreign) {
    // Platforms commonly use their own host, but a foreign host could divert orders.
    findings.warn(`Orders go to ${host}, not to ${domain}: make sure that this host is yours.`)
  }
}

function isOf(host: string, domain: string): boolean {
  const bare = domain.replace(/^www\./, '')
  return host === bare || host.endsWith(`.${bare}`)
}

/**
 * Whether the owner of the name vouches for its schema; a warning where not. Entries without a
 * schema are bound to nothing.
 */
function isBound({ name, schema }: ProfileEntry, findings: Findings): boolean {
  if (schema === null) return true
  const fault = authorityFault(name, schema.url)
  if (fault !== null) {
    findings.warnOfDrop(
      `${dotted(schema.path)} (${shown(schema.url)}) ${fault}: agents drop ${shown(name)}.`,
    )
  }
  return fault === null
}

/**
 * Keeps the capabilities that extend a root capability, directly or through others (UCP overview,
 * Intersection Algorithm). An extension with several parents needs one of them. Linear in the
 * entries: hostile profiles may chain thousands.
 */
function withoutOrphans(
  capabilities: readonly CapabilityEntry[],
  findings: Findings,
): CapabilityEntry[] {
  const children = new Map<string, CapabilityEntry[]>()
  for (const entry of capabilities) {
    for (const parent of entry.parents ?? []) {
      const known = children.get(parent)
      if (known === undefined) children.set(parent, [entry])
      else known.push(entry)
    }
  }
  const reached = new Set(capabilities.filter(({ parents }) => parents === null))
  const names = new Set<string>()
  // Iterating a Set also visits entries that are added meanwhile, so children of children are
  // reached.
  for (const { name } of reached) {
    if (names.has(name)) continue
    names.add(name)
    for (const child of children.get(name) ?? []) reached.add(child)
  }
  for (const entry of capabilities) {
    if (reached.has(entry)) continue
    const parents = (entry.parents ?? []).slice(0, 5).map(shown).join(' or ') || 'nothing'
    findings.warnOfDrop(
      `${dotted(entry.path)} extends ${parents}, which is not offered: agents drop ${shown(entry.name)}.`,
    )
  }
  return capabilities.filter((entry) => reached.has(entry))
}

/**
 * 2026-08-25 renamed `signing_keys` to `keys`; a store that updates the version alone loses its
 * keys.
 */
function inspectKeysField(document: unknown, version: UcpVersion, findings: Findings): void {
  const [read, ignored] =
    version === '2026-08-25' ? ['keys', 'signing_keys'] : ['signing_keys', 'keys']
  if (field(document, ignored) !== undefined) {
    findings.warn(`${ignored} is ignored in ${version}: agents read keys only from ${read}.`)
  }
}

/** `supported_versions` leads to profiles of other versions; those must not lead further. */
function inspectSupportedVersions(document: unknown, context: Context, findings: Findings): void {
  const versions = field(field(document, 'ucp'), 'supported_versions')
  if (!isRecord(versions)) return
  if (context.leaf) {
    findings.warn('ucp.supported_versions is not allowed in the profile of an older version.')
  }
  for (const [version, url] of Object.entries(versions)) {
    const fault = inspectEndpoint(url)
    if (fault !== null) {
      const at = dotted(['ucp', 'supported_versions', version])
      findings.warn(`${at}: ${fault.message} Agents of that version find no profile.`)
    }
  }
}

/** What a valid profile does not let agents do. Nothing of it is required by UCP. */
function warnOfLimits(offer: ProfileOffer, version: UcpVersion, findings: Findings): void {
  const names = new Set(offer.capabilities.map(({ name }) => name))
  const offers = (name: string) => names.has(`dev.ucp.shopping.${name}`)
  // The catalog capabilities came with 2026-04-08.
  const hasCatalog = version === '2026-04-08' || version === '2026-08-25'
  if (hasCatalog && !offers('catalog.search') && !offers('catalog.lookup')) {
    findings.warn('No catalog is offered: agents know your products only from feeds and pages.')
  }
  if (!offers('fulfillment')) {
    findings.warn('Fulfillment is not offered: agents cannot let a buyer choose how to ship.')
  }
  if (!offers('order')) {
    findings.warn('Orders are not offered: agents cannot tell a buyer the status of an order.')
  }
  if (offer.handlers.length === 0) {
    findings.warn('No payment handler is offered: buyers pay on your own pages.')
  }
}
