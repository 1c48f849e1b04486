import { SHOPPING, UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { isUnder } from '../../web/address/same-site.ts'
import { isUri } from '../../web/address/uri.ts'
import { field, isRecord, shown } from '../../web/json/json.ts'
import { outdatedVersion } from '../dialect.ts'
import { inspectEndpoint } from '../fields.ts'
import { authorityFault } from './authority.ts'
import { specFindings } from './documentation.ts'
import { dotted, type Findings } from './findings.ts'
import { handlerFaults, isTestOnly } from './handlers.ts'
import { findPrivateKeys } from './keys.ts'
import { nameFindings } from './names.ts'
import type { CapabilityEntry, ProfileEntry, ProfileOffer, ServiceEntry } from './offer.ts'
import { readSigningKeys } from './signing-keys.ts'

/** What is known of a profile besides its content. */
export interface Context {
  /** The host where it was found; leave it out if that is unknown. */
  domain?: string
  /** The profile was reached through the `supported_versions` of another. */
  leaf?: boolean
}

/**
 * Our requirements beyond the official schema. Returns the part of the offer that agents will use:
 * they drop an entry with a wrong schema or parent and use the rest, so that is only a warning (UCP
 * overview, Enforcement; Intersection Algorithm).
 */
export function inspectOffer(
  document: unknown,
  version: UcpVersion,
  offer: ProfileOffer,
  context: Context,
  findings: Findings,
): ProfileOffer {
  // An error, although older schemas allow it: it harms everyone who uses the profile.
  findPrivateKeys(document, findings)
  const isBoundTo = (entry: ProfileEntry) => isBound(entry, findings)
  const isKept = (entry: ProfileEntry) => isBoundTo(entry) && isOfVersion(entry, version, findings)
  const kept: ProfileOffer = {
    services: withoutBadEndpoints(offer.services, context.domain, findings).filter(isKept),
    capabilities: withoutOrphans(offer.capabilities.filter(isKept), findings),
    handlers: offer.handlers.filter(isBoundTo),
  }
  inspectKeys(document, version, findings)
  inspectSupportedVersions(document, context, findings)
  // An old profile that a newer one links to is there for old agents.
  const outdated = context.leaf ? null : outdatedVersion(document, version)
  if (outdated !== null) findings.warn(outdated)
  for (const { text } of nameFindings(offer, version)) findings.warn(text)
  for (const text of specFindings(offer, version)) findings.warn(text)
  for (const fault of handlerFaults(kept.handlers)) findings.warn(fault)
  if (isTestOnly(kept.handlers)) {
    findings.warn('Every payment handler is in test mode: agents cannot pay with real money.')
  }
  if (kept.services.length > 0 && kept.capabilities.length > 0)
    warnOfLimits(kept, version, findings)
  return kept
}

/**
 * The endpoint that agents can be sent to; null if it is missing, not a URI or not https. An
 * `embedded` service has none (UCP source/schemas/service.json).
 */
export const usableEndpoint = ({ transport, endpoint }: ServiceEntry): string | null =>
  transport !== 'embedded' &&
  typeof endpoint === 'string' &&
  isUri(endpoint) &&
  inspectEndpoint(endpoint) === null
    ? endpoint
    : null

/**
 * UCP overview, Endpoint Resolution: https without a trailing slash, because agents append a path.
 * An a2a endpoint is the address of the agent card itself, to which nothing is appended. Agents
 * skip a service that they cannot be sent to, and use the others.
 */
function withoutBadEndpoints(
  services: readonly ServiceEntry[],
  domain: string | undefined,
  findings: Findings,
): ServiceEntry[] {
  const foreign = new Set<string>()
  const bad = new Set<ServiceEntry>()
  for (const service of services) {
    const { name, transport, endpoint, path } = service
    if (transport === 'embedded' || endpoint === undefined) continue
    const at = [...path, 'endpoint']
    const found = inspectEndpoint(endpoint)
    if (found !== null) {
      // An invalid URL is already an error of the schema.
      if (typeof endpoint !== 'string' || !isUri(endpoint)) continue
      bad.add(service)
      findings.warnOfDrop(
        `${dotted(at)}: ${found.message} Agents drop ${shown(name)} over ${transport}.`,
      )
      continue
    }
    const url = URL.parse(String(endpoint))
    if (url?.pathname.endsWith('/') && url.pathname !== '/' && transport !== 'a2a') {
      findings.warn(`${dotted(at)} ends in "/": agents that append a path will request "//".`)
    }
    if (url && domain && !isUnder(url.hostname, domain)) foreign.add(url.hostname)
  }
  for (const host of foreign) {
    // Platforms commonly use their own host, but a foreign host could divert orders.
    findings.warn(`Orders go to ${host}, not to ${domain}: make sure that this host is yours.`)
  }
  return services.filter((service) => !bad.has(service))
}

/**
 * Whether the owner of the name vouches for its schema, with a warning if not. Entries without a
 * schema have no such rule.
 */
function isBound({ name, schema }: ProfileEntry, findings: Findings): boolean {
  if (schema === null) return true
  const fault = authorityFault(name, schema.url)
  if (fault !== null) {
    findings.warnOfDrop(
      `${dotted(schema.path)} (${shown(schema.url)}) ${fault}: agents drop this entry of ${shown(name)}.`,
    )
  }
  return fault === null
}

/**
 * Whether an entry of UCP's own has the version of the profile (UCP overview, Component
 * Versioning); before 2026-08-25, others could be negotiated, and now agents must reject them.
 */
function isOfVersion(entry: ProfileEntry, version: UcpVersion, findings: Findings): boolean {
  const { name, path } = entry
  if (UCP.of(version).mixesVersions || !name.startsWith('dev.ucp.') || entry.version === version)
    return true
  findings.warnOfDrop(
    `${dotted([...path, 'version'])} is ${shown(entry.version)} in a profile of ${version}: agents drop this entry of ${shown(name)}.`,
  )
  return false
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
  // Iterating a Set also visits entries added during the loop, so children of children are reached.
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
 * Keys that agents cannot verify by. 2026-08-25 renamed `signing_keys` to `keys`; a store that
 * updates only the version loses its keys.
 */
function inspectKeys(document: unknown, version: UcpVersion, findings: Findings): void {
  const { faults, misplaced, listed, usable } = readSigningKeys(document, version)
  const { keys: name } = UCP.of(version)
  if (misplaced !== null) {
    findings.warn(`${misplaced} is ignored in ${version}: agents read keys only from ${name}.`)
  }
  for (const fault of faults) findings.warn(fault)
  if (listed > 0 && usable === 0 && faults.length === 0) {
    findings.warn(`${name} has no key that agents can verify signatures by.`)
  }
}

/** `supported_versions` leads to profiles of other versions; those must not lead further. */
export function inspectSupportedVersions(
  document: unknown,
  context: Context,
  findings: Findings,
): void {
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

/** What agents cannot do with a valid profile. UCP requires none of it. */
function warnOfLimits(offer: ProfileOffer, version: UcpVersion, findings: Findings): void {
  const names = new Set(offer.capabilities.map(({ name }) => name))
  const offers = (name: string) => names.has(`${SHOPPING}.${name}`)
  const { hasCatalog } = UCP.of(version)
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
