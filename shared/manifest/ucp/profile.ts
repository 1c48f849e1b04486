import { CART, CHECKOUT } from '../../protocols/ucp/names.ts'
import { SHOPPING, UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { field, isRecord, shown } from '../../web/json/json.ts'
import {
  type Dialect,
  isNewerProfile,
  KNOWN_VERSIONS,
  lacksEnvelope,
  nearMiss,
  newerWords,
  recogniseDialect,
  unknownVersion,
} from '../dialect.ts'
import type { ManifestError } from '../fields.ts'
import { endpointOf, type Inspection, inspectManifest, requiresAccount } from '../inspect.ts'
import { collectFindings, type Findings, mustBe } from './findings.ts'
import { findPrivateKeys } from './keys.ts'
import { type ProfileOffer, readProfileOffer, type ServiceEntry } from './offer.ts'
import { divideErrors } from './overlooked.ts'
import { type Context, inspectOffer, inspectSupportedVersions, usableEndpoint } from './rules.ts'
import { inspectShape } from './shape.ts'

/** The verdict on a document: its faults, and what it means for agents. */
export interface ProfileInspection extends Inspection {
  dialect: Dialect
  /** Whether an agent that follows the protocol can start a purchase, and why. */
  shoppable: boolean
  shoppable_reason: string
  /** The same for agents that overlook faults of form. */
  read: Reading
  /** `endpoint` is null if the transport has none, or agents must not be sent to it. */
  services: { service: string; transport: string; endpoint: string | null }[]
  /** All that is declared, once each, whether or not agents will use it. */
  capabilities: string[]
  /** Declared, but dropped by agents, once each. */
  dropped: string[]
  /** The warnings that say why, in the order of the document. */
  drop_warnings: string[]
}

/**
 * The verdict of agents that treat null as absent and go by the form of a profile. Most do,
 * although the schema refuses both.
 */
export interface Reading extends Shoppability {
  /** The errors that they overlook. */
  overlooked: ManifestError[]
  /** All other errors. */
  errors: ManifestError[]
}

/**
 * Judges any document under `/.well-known/ucp` by the rules of its dialect, without any request.
 * Never throws; lists at most a hundred errors and says if there are more. Official profiles are
 * judged by their version, because each has its own schema.
 */
export function inspectAny(document: unknown, context: Context = {}): ProfileInspection {
  const dialect = recogniseDialect(document)
  if (UCP.isKnown(dialect)) return inspectProfile(document, context)
  if (dialect !== '1.0') return inspectUnknown(document, context)
  const inspection = inspectManifest(document, context.domain)
  const offer = offerOfManifest(document, inspection)
  return { dialect, ...inspection, ...offer, read: asItStands(inspection.errors, offer) }
}

/**
 * Judges an official profile by the JSON Schema of its version and by our own rules. Errors beyond
 * the schema carry `ours`; all warnings are ours.
 */
export function inspectProfile(document: unknown, context: Context = {}): ProfileInspection {
  const version = field(field(document, 'ucp'), 'version')
  if (!UCP.isKnown(version)) return inspectUnknown(document, context)
  const findings = collectFindings()
  inspectShape(document, version, findings)
  const { overlooked, serious } = divideErrors(document, version, findings.errors)
  const ofShape = findings.errors.length
  // The offer is read from invalid profiles too, so that the merchant sees all findings together.
  const offer = readProfileOffer(document, version)
  const kept = inspectOffer(document, version, offer, context, findings)
  const errors = [...serious, ...findings.errors.slice(ofShape)]
  return {
    dialect: version,
    errors: findings.errors,
    warnings: findings.warnings,
    ...shoppability(offer, kept, version, findings.errors),
    read: { overlooked, errors, ...shoppability(offer, kept, version, errors) },
    services: offer.services.map((entry) => ({
      service: entry.name,
      transport: entry.transport,
      endpoint: usableEndpoint(entry),
    })),
    capabilities: [...new Set(offer.capabilities.map(({ name }) => name))],
    dropped: droppedOf(offer, kept),
    drop_warnings: findings.drops,
  }
}

/**
 * The declared names that agents drop, once each; for a service that stays, its dropped transports.
 */
function droppedOf(offer: ProfileOffer, kept: ProfileOffer): string[] {
  const names = (part: keyof ProfileOffer) => {
    const stays = new Set(kept[part].map(({ name }) => name))
    return offer[part].map(({ name }) => name).filter((name) => !stays.has(name))
  }
  const gone = new Set([...names('services'), ...names('capabilities'), ...names('handlers')])
  const over = ({ name, transport }: ServiceEntry) => `${name} over ${transport}`
  const transports = new Set(kept.services.map(over))
  const dropped = offer.services
    .filter((entry) => !gone.has(entry.name) && !transports.has(over(entry)))
    .map(over)
  return [...new Set([...gone, ...dropped])]
}

type Shoppability = Pick<ProfileInspection, 'shoppable' | 'shoppable_reason'>

/** The result if nothing is overlooked. */
const asItStands = (
  errors: ManifestError[],
  { shoppable, shoppable_reason }: Shoppability,
): Reading => ({ overlooked: [], errors, shoppable, shoppable_reason })

const no = (shoppable_reason: string): Shoppability => ({ shoppable: false, shoppable_reason })
const yes = (shoppable_reason: string): Shoppability => ({ shoppable: true, shoppable_reason })

/** An official profile, or a document that claims to be one of an unknown version. */
export const isOfficial = (document: unknown): boolean => {
  const dialect = recogniseDialect(document)
  return UCP.isKnown(dialect) || (dialect === 'unknown' && field(document, 'ucp') !== undefined)
}

/** Whether a profile hands buyers over: agents fill a cart, and there is no checkout for them. */
export const handsOver = (capabilities: readonly string[]): boolean =>
  capabilities.includes(CART) && !capabilities.includes(CHECKOUT)

/**
 * Whether agents can start a purchase: the profile is valid, offers a checkout, or else a cart that
 * leads its buyer to one, and reaches it over a transport that agents use. A profile with errors
 * never is, so that the two verdicts cannot contradict each other.
 */
function shoppability(
  declaredOffer: ProfileOffer,
  kept: ProfileOffer,
  version: UcpVersion,
  errors: readonly ManifestError[],
): Shoppability {
  const [first] = errors
  if (first?.code === 'private_key')
    return no(
      `It publishes a private key, by which anyone can sign as the store: see ${first.field}.`,
    )
  if (first !== undefined)
    return no(`Agents reject a profile that violates version ${version}: see ${first.field}.`)
  const { services, capabilities } = declaredOffer
  // An empty profile is valid: the schema requires the maps, but no entries.
  if (services.length === 0 && capabilities.length === 0) {
    return no('The profile is empty: it offers neither a service nor a capability.')
  }
  // Unspecified: a cart alone is a way to buy, as Google's cart transfer is: its buyer pays in the
  // store. Version 2026-01-23 and before have no carts.
  const isHandOver = UCP.of(version).hasCatalog && handsOver(capabilities.map(({ name }) => name))
  const needed = isHandOver ? CART : CHECKOUT
  if (!capabilities.some(({ name }) => name === needed)) return no(`${needed} is not offered.`)
  if (!kept.capabilities.some(({ name }) => name === needed)) {
    return no(`${needed} is declared in a way that makes agents drop it: see the warnings.`)
  }
  const transports = kept.services
    .filter((entry) => entry.name === SHOPPING && usableEndpoint(entry) !== null)
    .map(({ transport }) => transport)
  if (transports.length === 0) {
    return no(`${SHOPPING} has no rest, mcp or a2a endpoint that agents can use.`)
  }
  const over = [...new Set(transports)].join(', ')
  return yes(
    isHandOver
      ? `Agents fill a cart over ${over}, and its buyer pays in the store: ${CHECKOUT} is not offered.`
      : `Agents reach the checkout over ${over}.`,
  )
}

/** The same verdict for the manifest of the spec, whose capabilities are its services. */
function offerOfManifest(
  manifest: unknown,
  { errors }: Inspection,
): Omit<ProfileInspection, 'dialect' | 'read' | keyof Inspection> {
  const capabilities = field(manifest, 'capabilities')
  const names = isRecord(capabilities) ? Object.keys(capabilities) : []
  const services = ['product_catalog', 'checkout', 'shipping', 'orders']
    .filter((name) => isRecord(field(capabilities, name)))
    .map((name) => ({ service: name, transport: 'rest', endpoint: endpointOf(manifest, name) }))
  return {
    ...shoppabilityOfManifest(manifest, errors),
    services,
    capabilities: names,
    dropped: [],
    drop_warnings: [],
  }
}

/** For the manifest of the spec, whose one checkout endpoint decides. */
function shoppabilityOfManifest(
  manifest: unknown,
  [first]: readonly ManifestError[],
): Shoppability {
  if (endpointOf(manifest, 'checkout') === null)
    return no('It has no checkout endpoint over https.')
  if (requiresAccount(manifest))
    return no('The checkout requires authentication, which agents do not have.')
  return first === undefined
    ? yes('Agents check out at capabilities.checkout.endpoint.')
    : no(`Agents cannot rely on a manifest with errors: see ${first.field}.`)
}

/** A document that does not resemble an official profile is judged as the manifest of the spec. */
function inspectUnknown(document: unknown, { domain }: Context): ProfileInspection {
  const official = field(document, 'ucp') !== undefined || lacksEnvelope(document)
  const { errors, warnings } =
    official || !isRecord(document) ? inspectEnvelope(document) : inspectManifest(document, domain)
  const known = `Known versions: ${KNOWN_VERSIONS}.`
  const explained = errors.map((error) =>
    ['version', 'ucp.version', 'ucp', '$'].includes(error.field)
      ? { ...error, message: `${error.message} ${known}` }
      : error,
  )
  const refused = no(official ? unknownVersion(document) : 'Agents do not know this version.')
  return {
    dialect: 'unknown',
    errors: explained,
    warnings:
      isRecord(document) && !isNewerProfile(document)
        ? [nearMiss(document), ...warnings]
        : warnings,
    ...refused,
    read: asItStands(explained, refused),
    services: [],
    capabilities: [],
    dropped: [],
    drop_warnings: [],
  }
}

/**
 * For a document that claims to be an official profile of an unknown version: without that
 * version's schema the rest cannot be judged.
 */
function inspectEnvelope(document: unknown): Findings {
  const findings = collectFindings()
  const ucp = field(document, 'ucp')
  const version = field(ucp, 'version')
  if (!isRecord(document)) findings.add([], mustBe('a JSON object', document))
  else if (!isRecord(ucp)) findings.add(['ucp'], mustBe('an object around the version', ucp))
  else if (version === undefined) findings.add(['ucp', 'version'], mustBe('a version', version))
  else if (isNewerProfile(document)) {
    // What does harm in any version is an error; the rest may be valid and is not reported.
    findPrivateKeys(document, findings)
    inspectSupportedVersions(document, {}, findings)
    findings.warn(`The profile is ${newerWords(document)}: its fields were not judged.`)
  } else {
    const message = `Is ${shown(version)}, which is not a version of UCP.`
    findings.add(['ucp', 'version'], { code: 'invalid_version', message })
  }
  return findings
}
