import * as z from 'zod'
import { normaliseDomain } from './domain.ts'
import { field, isRecord, shown } from './json.ts'

/** The errors that an inspection of a manifest can name: a closed list, part of the API. */
export const MANIFEST_ERROR_CODES = [
  'required',
  'invalid_type',
  'invalid_value',
  'invalid_version',
  'invalid_url',
  'not_https',
  'domain_mismatch',
  'private_key',
] as const
export const ManifestErrorCode = z.enum(MANIFEST_ERROR_CODES)
export type ManifestErrorCode = z.infer<typeof ManifestErrorCode>

/** `field` is a dotted path such as `capabilities.checkout.endpoint`; `$` is the document itself. */
export const ManifestError = z.object({
  field: z.string(),
  code: ManifestErrorCode,
  message: z.string(),
  /** Demanded by us on top of what the official JSON Schema of the version demands. */
  ours: z.literal(true).optional(),
})
export type ManifestError = z.infer<typeof ManifestError>

export interface Inspection {
  errors: ManifestError[]
  /** What agents will not do with this manifest, though nothing in it is wrong. */
  warnings: string[]
}

type Fault = Pick<ManifestError, 'code' | 'message'>
/** Says what is wrong with one field's value; `undefined` is a field that is not there. */
type FieldRule = (value: unknown) => Fault | null

const fault = (code: ManifestErrorCode, message: string): Fault => ({ code, message })

/** An absolute https URL without user info: where agents may be sent. */
export const inspectEndpoint: FieldRule = (value) => {
  if (value === undefined) return fault('required', 'Give the full URL.')
  if (typeof value !== 'string') {
    return fault('invalid_type', `Must be a URL as a string, is ${shown(value)}.`)
  }
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? URL.parse(value) : null
  if (url === null || url.hostname === '') {
    return fault('invalid_url', `Must be an absolute URL, is ${shown(value)}.`)
  }
  if (url.protocol !== 'https:') {
    return fault('not_https', `Must be an https URL, is ${shown(value)}.`)
  }
  if (url.username !== '' || url.password !== '') {
    return fault('invalid_url', 'Must not carry a user name or a password.')
  }
  return null
}

const literal =
  (wanted: string, wrong: ManifestErrorCode): FieldRule =>
  (value) => {
    if (value === undefined) return fault('required', `Must be "${wanted}".`)
    return value === wanted ? null : fault(wrong, `Must be "${wanted}", is ${shown(value)}.`)
  }

const optional =
  (rule: FieldRule): FieldRule =>
  (value) =>
    value === undefined ? null : rule(value)

const boolean: FieldRule = (value) => {
  if (value === undefined) return fault('required', 'Must be true or false.')
  return typeof value === 'boolean'
    ? null
    : fault('invalid_type', `Must be true or false, is ${shown(value)}.`)
}

const strings: FieldRule = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
    ? null
    : fault('invalid_type', `Must be a list of strings, is ${shown(value)}.`)

const methods =
  (...wanted: string[]): FieldRule =>
  (value) => {
    const expected = `Must be ${JSON.stringify(wanted)}`
    if (value === undefined) return fault('required', `${expected}.`)
    if (!Array.isArray(value)) return fault('invalid_type', `${expected}, is ${shown(value)}.`)
    const same = value.length === wanted.length && wanted.every((method) => value.includes(method))
    return same ? null : fault('invalid_value', `${expected}, is ${shown(value)}.`)
  }

interface Capability {
  required: boolean
  fields: Record<string, FieldRule>
}

/** Spec, Manifest. "A valid published manifest declares both product_catalog and checkout." */
const CAPABILITIES: Record<string, Capability> = {
  product_catalog: {
    required: true,
    fields: {
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
 * Judges a manifest of the spec's `version: "1.0"` without any request. `domain` is where it was
 * found; leave it out when that is unknown.
 */
export function inspectManifest(manifest: unknown, domain?: string): Inspection {
  if (!isRecord(manifest)) {
    return {
      errors: [{ field: '$', ...fault('invalid_type', 'Must be a JSON object.') }],
      warnings: [],
    }
  }
  const errors: ManifestError[] = []
  const inspect = (where: string, value: unknown, rule: FieldRule) => {
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
      if (!isRecord(value)) continue
      for (const [key, rule] of Object.entries(capability.fields)) {
        inspect(`${path}.${key}`, field(value, key), rule)
      }
    }
  }
  return { errors, warnings: warningsOf(manifest) }
}

const withoutWww = (domain: string) => domain.replace(/^www\./, '')

const domainRule =
  (expected: string | undefined): FieldRule =>
  (value) => {
    if (value === undefined) return fault('required', 'Give the domain the manifest belongs to.')
    if (typeof value !== 'string') {
      return fault('invalid_type', `Must be a string, is ${shown(value)}.`)
    }
    const read = normaliseDomain(value)
    if ('problem' in read) return fault('invalid_value', read.problem)
    // Unspecified: www. and the bare name are one store.
    return expected === undefined || withoutWww(read.domain) === withoutWww(expected)
      ? null
      : fault('domain_mismatch', `Says ${read.domain}, but it was read for ${expected}.`)
  }

const capabilitiesRule: FieldRule = (value) => {
  if (value === undefined) return fault('required', 'Declare product_catalog and checkout.')
  return isRecord(value)
    ? null
    : fault('invalid_type', `Must be an object with one key per capability, is ${shown(value)}.`)
}

const capabilityRule =
  ({ required }: Capability): FieldRule =>
  (value) => {
    if (value === undefined) {
      return required ? fault('required', 'A published manifest declares it.') : null
    }
    return isRecord(value) ? null : fault('invalid_type', `Must be an object, is ${shown(value)}.`)
  }

const WARNINGS: { when: (manifest: Record<string, unknown>) => boolean; text: string }[] = [
  {
    when: (manifest) => field(manifest, 'generated_at') !== undefined,
    text: 'generated_at is still in the file: remove it, so that the file stays the same over deployments.',
  },
  {
    when: (manifest) => at(manifest, 'product_catalog', 'supports_search') !== true,
    text: 'Search is undeclared: agents will browse the catalog, not search it.',
  },
  {
    when: (manifest) => at(manifest, 'product_catalog', 'supports_filters') === undefined,
    text: 'Filters are undeclared: agents will not narrow the catalog by category or price.',
  },
  {
    when: (manifest) => at(manifest, 'checkout', 'supported_payment_methods') === undefined,
    text: 'Payment methods are undeclared: agents cannot tell a buyer how they may pay.',
  },
  {
    when: (manifest) => at(manifest, 'checkout', 'requires_authentication') === true,
    text: 'The checkout requires authentication: agents without an account cannot buy.',
  },
  {
    when: (manifest) => at(manifest, 'shipping') === undefined,
    text: 'Shipping is undeclared: agents cannot price shipping before the checkout.',
  },
  {
    when: (manifest) => at(manifest, 'orders') === undefined,
    text: 'Orders are undeclared: agents cannot tell a buyer how an order is doing.',
  },
]

const at = (manifest: unknown, capability: string, key?: string): unknown => {
  const found = field(field(manifest, 'capabilities'), capability)
  return key === undefined ? found : field(found, key)
}

function warningsOf(manifest: Record<string, unknown>): string[] {
  const warnings = WARNINGS.filter(({ when }) => when(manifest)).map(({ text }) => text)
  return [...warnings, ...foreignEndpoints(manifest)]
}

/** A platform's own host is common, a stranger's would be a theft of orders: it is said. */
export function foreignEndpoints(manifest: unknown): string[] {
  const domain = field(manifest, 'domain')
  if (typeof domain !== 'string') return []
  return Object.keys(CAPABILITIES).flatMap((name) => {
    const endpoint = endpointOf(manifest, name)
    const host = endpoint === null ? null : new URL(endpoint).hostname
    return host === null || isOnDomain(host, domain)
      ? []
      : [`capabilities.${name}.endpoint is on ${host}, not on ${domain}: make sure it is yours.`]
  })
}

const isOnDomain = (host: string, domain: string): boolean => {
  const bare = withoutWww(domain.toLowerCase())
  return host === bare || host.endsWith(`.${bare}`)
}

/** The endpoint that a manifest gives for a capability, when it is one that may be asked. */
export function endpointOf(manifest: unknown, capability: string): string | null {
  const endpoint = at(manifest, capability, 'endpoint')
  return typeof endpoint === 'string' && inspectEndpoint(endpoint) === null ? endpoint : null
}

/** What the manifest declares for a capability, whatever it is worth. */
export const declared = (manifest: unknown, capability: string): unknown => at(manifest, capability)
