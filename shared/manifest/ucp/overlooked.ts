import { field, isRecord } from '../../web/json.ts'
import type { UcpVersion } from '../dialect.ts'
import type { ManifestError } from '../fields.ts'
import { collectFindings } from './findings.ts'
import { hasPrivatePart } from './keys.ts'
import { inspectShape } from './shape.ts'

/** What the schema refuses, told apart by whether agents read on. */
interface ReadErrors {
  /** Agents read on: the document departs from the schema in its form alone. */
  overlooked: ManifestError[]
  /** Everything else, as an agent finds it that overlooks those. */
  serious: ManifestError[]
}

/**
 * Divides what the schema of the version finds (`errors`, by `inspectShape`). Two departures change
 * nothing of what is said:
 *
 * - null where a member should be left out, which generators write that know no other way; readers
 *   made by the official SDKs take one for the other.
 * - registries in a profile of 2026-01-11: UCP's own text had the old version over the new form
 *   until
 *   2026-01-23 was cut (docs/specification/overview.md at cee2b72c), and agents read by the form.
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
  if (version !== '2026-01-11' || !isRecord(services)) return version
  const each = Object.values(services)
  const isNew = each.some(Array.isArray) || isRecord(capabilities)
  return isNew && !each.some(isRecord) && !Array.isArray(capabilities) ? '2026-01-23' : version
}

/**
 * The document without members that are null, where UCP names the members: what stands in a
 * configuration is for others to read, and a name in a registry may not stand for nothing. Goes no
 * deeper, whatever the document.
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

/** A private member is one even where it is null. */
const keys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((key) => (isRecord(key) && hasPrivatePart(key) ? key : bare(key)))
    : value
