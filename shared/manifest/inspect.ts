import { normaliseDomain } from '../web/address/domain.ts'
import { isSameSite, isUnder } from '../web/address/same-site.ts'
import { field, isRecord, shown } from '../web/json/json.ts'
import {
  boolean,
  type FieldRule,
  fieldFault,
  inspectEndpoint,
  literal,
  type ManifestError,
  methods,
  optional,
  strings,
} from './fields.ts'

/** The result of an inspection: errors make a manifest invalid, warnings do not. */
export interface Inspection {
  errors: ManifestError[]
  /** What agents cannot do with this manifest although it is valid. */
  warnings: string[]
}

/**
 * The spec's requirements of one capability: whether it must be declared, and a rule for each of
 * its fields.
 */
interface Capability {
  required: boolean
  fields: Record<string, FieldRule>
}

/** Spec, Manifest. "A valid published manifest declares both product_catalog and checkout." */
export const CAPABILITIES: Record<string, Capability> = {
  product_catalog: {
    required: true,
    fields: {
      // Each rule follows the row of its field in the spec's table.
      endpoint: inspectEndpoint,
      format: literal('json', 'invalid_value'),
      version: literal('1.0', 'invalid_version'),
      supports_search: optional(boolean),
      supports_filters: optional(strings),
    },
  },
  checkout: {
    required: true,
    fields: {
      endpoint: inspectEndpoint,
      supported_methods: methods('POST'),
      requires_authentication: boolean,
      version: literal('1.0', 'invalid_version'),
      supported_payment_methods: optional(strings),
    },
  },
  shipping: {
    required: false,
    fields: { endpoint: inspectEndpoint, supported_methods: methods('POST') },
  },
  orders: {
    required: false,
    fields: { endpoint: inspectEndpoint, supported_methods: methods('GET', 'POST') },
  },
}

/**
 * Judges a manifest of the spec's `version: "1.0"` (spec, Manifest) without any request; never
 * throws. `domain` is the host where it was found; leave it out if that is unknown. Fields that the
 * spec does not name are ignored.
 */
export function inspectManifest(manifest: unknown, domain?: string): Inspection {
  if (!isRecord(manifest)) {
    return {
      errors: [{ field: '$', ...fieldFault('invalid_type', 'Must be a JSON object.') }],
      warnings: [],
    }
  }
  const errors: ManifestError[] = []
  const inspect = (where: string, value: unknown, rule: FieldRule) => {
    // An absent field is passed as `undefined`; its rule decides whether it may be absent.
    const found = rule(value)
    if (found !== null) errors.push({ field: where, ...found })
  }
  const capabilities = field(manifest, 'capabilities')
  inspect('version', field(manifest, 'version'), literal('1.0', 'invalid_version'))
  inspect('domain', field(manifest, 'domain'), domainRule(domain))
  inspect('capabilities', capabilities, capabilitiesRule)
  if (isRecord(capabilities)) {
    for (const [name, capability] of Object.entries(CAPABILITIES)) {
      const path = `capabilities.${name}`
      const value = field(capabilities, name)
      inspect(path, value, capabilityRule(capability))
      // Field findings for something that is not an object would only repeat that finding.
      if (!isRecord(value)) continue
      for (const [key, rule] of Object.entries(capability.fields)) {
        inspect(`${path}.${key}`, field(value, key), rule)
      }
    }
  }
  return { errors, warnings: warningsOf(manifest) }
}

/** `www.` names the same store. */
const withoutWww = (domain: string) => domain.replace(/^www\./, '')

/**
 * The manifest's `domain` must name the host that serves it, or agents would take it for another
 * store's manifest.
 */
const domainRule =
  (expected: string | undefined): FieldRule =>
  (value) => {
    if (value === undefined)
      return fieldFault('required', 'Give the domain that the manifest belongs to.')
    if (typeof value !== 'string') {
      return fieldFault('invalid_type', `Must be a string, is ${shown(value)}.`)
    }
    const read = normaliseDomain(value)
    if ('problem' in read) return fieldFault('invalid_value', read.problem)
    // Unspecified: a domain with `www.` and the one without are one store: either may be named.
    return expected === undefined || withoutWww(read.domain) === withoutWww(expected)
      ? null
      : fieldFault('domain_mismatch', `Must be ${expected}, is ${read.domain}.`)
  }

/** A list is refused here: it belongs to the first official version of UCP. */
const capabilitiesRule: FieldRule = (value) => {
  if (value === undefined) return fieldFault('required', 'Declare product_catalog and checkout.')
  return isRecord(value)
    ? null
    : fieldFault(
        'invalid_type',
        `Must be an object with one key per capability, is ${shown(value)}.`,
      )
}

/** Whether the capability is present and an object; its fields have their own rules. */
const capabilityRule =
  ({ required }: Capability): FieldRule =>
  (value) => {
    if (value === undefined) {
      return required ? fieldFault('required', 'A published manifest must declare it.') : null
    }
    return isRecord(value)
      ? null
      : fieldFault('invalid_type', `Must be an object, is ${shown(value)}.`)
  }

/**
 * What an agent cannot do although the manifest is valid. Spec, Manifest validation, names search
 * and shipping; the others follow the same pattern.
 */
const WARNINGS: readonly ((manifest: Record<string, unknown>) => string | null)[] = [
  (manifest) =>
    field(manifest, 'generated_at') === undefined
      ? null
      : 'generated_at is still in the file: remove it, so that the file stays the same across deployments.',
  (manifest) => {
    const search = at(manifest, 'product_catalog', 'supports_search')
    if (search === true) return null
    const said = search === false ? 'declared as not supported' : 'undeclared'
    return `Search is ${said}: agents will browse the catalog, not search it.`
  },
  whereAbsent(
    'Filters are undeclared: agents will not narrow the catalog by category or price.',
    'product_catalog',
    'supports_filters',
  ),
  whereAbsent(
    'Payment methods are undeclared: agents cannot tell a buyer how to pay.',
    'checkout',
    'supported_payment_methods',
  ),
  (manifest) =>
    requiresAccount(manifest)
      ? 'The checkout requires authentication: agents without an account cannot buy.'
      : null,
  whereAbsent(
    'Shipping is undeclared: agents cannot price shipping before the checkout.',
    'shipping',
  ),
  whereAbsent(
    'Orders are undeclared: agents cannot tell a buyer the status of an order.',
    'orders',
  ),
]

function whereAbsent(text: string, capability: string, key?: string) {
  return (manifest: unknown): string | null =>
    at(manifest, capability, key) === undefined ? text : null
}

/** Whether the manifest says that the checkout is only for those who have an account. */
export const requiresAccount = (manifest: unknown): boolean =>
  at(manifest, 'checkout', 'requires_authentication') === true

/** A capability, or one of its fields, not validated. */
function at(manifest: unknown, capability: string, key?: string): unknown {
  const found = field(field(manifest, 'capabilities'), capability)
  return key === undefined ? found : field(found, key)
}

function warningsOf(manifest: Record<string, unknown>): string[] {
  const warnings = WARNINGS.flatMap((warn) => warn(manifest) ?? [])
  return [...warnings, ...foreignEndpoints(manifest)]
}

/**
 * Warnings for endpoints on another domain than the manifest's. Not an error, because platforms
 * commonly use their own host, but a foreign host could divert orders.
 */
export function foreignEndpoints(manifest: unknown): string[] {
  const domain = field(manifest, 'domain')
  if (typeof domain !== 'string') return []
  const read = normaliseDomain(domain)
  const own = 'domain' in read ? read.domain : domain
  return Object.keys(CAPABILITIES).flatMap((name) => {
    const endpoint = endpointOf(manifest, name)
    const host = endpoint === null ? null : new URL(endpoint).hostname
    return host === null || isUnder(host, own.toLowerCase())
      ? []
      : [
          `capabilities.${name}.endpoint is on ${host}, not on ${domain}: make sure that this host is yours.`,
        ]
  })
}

/**
 * The endpoint that a manifest gives for a capability if it may be requested: an absolute https
 * URL. Otherwise null.
 */
export function endpointOf(manifest: unknown, capability: string): string | null {
  const endpoint = at(manifest, capability, 'endpoint')
  return typeof endpoint === 'string' && inspectEndpoint(endpoint) === null ? endpoint : null
}

/** What the manifest declares for a capability, not validated. */
export const declared = (manifest: unknown, capability: string): unknown => at(manifest, capability)

/** The parts of a manifest that name another shop than the one that serves it. */
interface OtherShop {
  domain: string
  /** The capabilities whose endpoints are at the other shop. */
  capabilities: string[]
}

/**
 * The other shop in the `domain` of a manifest of the specification: the manifest is a copy.
 * Another host of the same shop, such as staging, does not count.
 */
export function otherShopOf(document: unknown, domain: string): OtherShop | null {
  const said = field(document, 'domain')
  const read = typeof said === 'string' ? normaliseDomain(said) : null
  if (read === null || !('domain' in read) || isSameSite(read.domain, domain)) return null
  const capabilities = field(document, 'capabilities')
  const names = isRecord(capabilities) ? Object.keys(capabilities) : []
  const isThere = (name: string): boolean => {
    const endpoint = endpointOf(document, name)
    const host = endpoint === null ? null : new URL(endpoint).hostname
    return host !== null && isSameSite(host, read.domain) && !isSameSite(host, domain)
  }
  return { domain: read.domain, capabilities: names.filter(isThere) }
}

/** The same manifest without the capabilities whose endpoints are at the other shop. */
export function withoutOtherShop(document: unknown, domain: string): unknown {
  const other = otherShopOf(document, domain)
  const capabilities = field(document, 'capabilities')
  if (other === null || !isRecord(document) || !isRecord(capabilities)) return document
  const foreign = new Set(other.capabilities)
  const own = Object.entries(capabilities).filter(([name]) => !foreign.has(name))
  return { ...document, capabilities: Object.fromEntries(own) }
}
