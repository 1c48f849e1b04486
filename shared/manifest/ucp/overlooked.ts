import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { field, isRecord } from '../../web/json/json.ts'
import type { ManifestError } from '../fields.ts'
import { collectFindings } from './findings.ts'
import { hasPrivatePart } from './keys.ts'
import { inspectShape } from './shape.ts'

/** Schema errors, split by whether agents still read the profile. */
interface ReadErrors {
  /** Agents still read it: the document departs from the schema in its form only. */
  overlooked: ManifestError[]
  /** All other errors, as found by an agent that overlooks those. */
  serious: ManifestError[]
}

/**
 * Splits the schema errors of the version (`errors`, by `inspectShape`). Two departures do not
 * change the meaning:
 * - null for an absent member, which some generators write; readers made by the official SDKs treat
 * both the same.
 * - the newer registries in a profile of 2026-01-11: UCP's own text had the old version with the
 * new form until 2026-01-23 was published (docs/specification/overview.md at cee2b72c), and agents
 * read by the form.
 */
export function divideErrors(
  document: unknown,
  version: UcpVersion,
  errors: readonly ManifestError[],
): ReadErrors {
  if (errors.length === 0) return { overlooked: [], serious: [] }
  const findings = collectFindings()
  inspectShape(withoutNulls(document), layoutOf(document, version), findings)
  const serious = new Set(findings.errors.map((error) => error.field))
  return {
    overlooked: errors.filter((error) => !serious.has(error.field)),
    serious: findings.errors,
  }
}

/** The version whose form a profile has, which says where its parts are. */
export function layoutOf(document: unknown, version: UcpVersion): UcpVersion {
  const ucp = field(document, 'ucp')
  const services = field(ucp, 'services')
  const capabilities = field(ucp, 'capabilities')
  if (UCP.of(version).registries === 'maps' || !isRecord(services)) return version
  const each = Object.values(services)
  const isNew = each.some(Array.isArray) || isRecord(capabilities)
  return isNew && !each.some(isRecord) && !Array.isArray(capabilities) ? FIRST_OF_MAPS : version
}

const FIRST_OF_MAPS = UCP.all.find((version) => UCP.of(version).registries === 'maps') ?? UCP.newest

/**
 * The document without null members that UCP defines. Members of a configuration stay, and so do
 * names in a registry, which must have entries. Goes to a fixed depth.
 */
function withoutNulls(document: unknown): unknown {
  const ucp = field(document, 'ucp')
  const payment = field(document, 'payment')
  if (!isRecord(document)) return document
  const parts = {
    ...(isRecord(ucp) && {
      ucp: bare({
        ...ucp,
        ...kept('services', mapped(ucp.services, service)),
        ...kept('capabilities', mapped(ucp.capabilities, entries)),
        ...kept('payment_handlers', mapped(ucp.payment_handlers, entries)),
      }),
    }),
    ...(isRecord(payment) && {
      payment: bare({ ...payment, ...kept('handlers', entries(payment.handlers)) }),
    }),
    ...kept('signing_keys', keys(document.signing_keys)),
    ...kept('keys', keys(document.keys)),
  }
  return bare({ ...document, ...parts })
}

const kept = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value })

const bare = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
    : value

const entries = (value: unknown): unknown => (Array.isArray(value) ? value.map(bare) : value)

/** A map from names; in 2026-01-11, capabilities are a list. */
const mapped = (map: unknown, each: (value: unknown) => unknown): unknown =>
  isRecord(map)
    ? Object.fromEntries(Object.entries(map).map(([name, value]) => [name, each(value)]))
    : entries(map)

/** In 2026-01-11: an object with one for each transport. */
const service = (value: unknown): unknown =>
  Array.isArray(value) ? entries(value) : bare(isRecord(value) ? mapped(value, bare) : value)

/** A private member counts even if it is null. */
const keys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((key) => (isRecord(key) && hasPrivatePart(key) ? key : bare(key)))
    : value
