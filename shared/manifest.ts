import * as z from 'zod'
import { Domain, normaliseDomain } from './domain.ts'

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
  'too_large',
  'not_json',
  'wrong_content_type',
  'requires_auth',
  'redirected',
  'endpoint_unreachable',
] as const
export const ManifestErrorCode = z.enum(MANIFEST_ERROR_CODES)
export type ManifestErrorCode = z.infer<typeof ManifestErrorCode>

/** `field` is a dotted path such as `capabilities.checkout.endpoint`; `$` is the document itself. */
export const ManifestError = z.object({
  field: z.string(),
  code: ManifestErrorCode,
  message: z.string(),
})
export type ManifestError = z.infer<typeof ManifestError>

export interface Inspection {
  errors: ManifestError[]
  warnings: string[]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads own properties only: `__proto__` in hostile JSON is a key like any other. */
const field = (record: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

/** An absolute https URL, or the code and the sentence that say what is wrong with it. */
export function inspectEndpoint(
  value: unknown,
): { url: string } | { code: ManifestErrorCode; message: string } {
  if (value === undefined) return { code: 'required', message: 'Give the full URL.' }
  if (typeof value !== 'string') {
    return { code: 'invalid_type', message: `Must be a URL as a string, is ${shown(value)}.` }
  }
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? URL.parse(value) : null
  if (url === null || url.hostname === '') {
    return { code: 'invalid_url', message: `Must be an absolute URL, is ${shown(value)}.` }
  }
  if (url.protocol !== 'https:') {
    return { code: 'not_https', message: `Must be an https URL, is ${shown(value)}.` }
  }
  if (url.username !== '' || url.password !== '') {
    return { code: 'invalid_url', message: 'Must not carry a user name or a password.' }
  }
  return { url: url.href }
}

/** The four capabilities of the spec's manifest, and the fields each may carry. */
const CAPABILITIES = ['product_catalog', 'checkout', 'shipping', 'orders'] as const
type Capability = (typeof CAPABILITIES)[number]

const LITERALS: Partial<Record<Capability, Record<string, string>>> = {
  product_catalog: { format: 'json', version: '1.0' },
  checkout: { version: '1.0' },
}
const METHODS: Partial<Record<Capability, string[]>> = {
  checkout: ['POST'],
  shipping: ['POST'],
  orders: ['GET', 'POST'],
}
const STRING_LISTS: Partial<Record<Capability, string[]>> = {
  product_catalog: ['supports_filters'],
  checkout: ['supported_payment_methods'],
}
const BOOLEANS: Partial<Record<Capability, string[]>> = {
  product_catalog: ['supports_search'],
  checkout: ['requires_authentication'],
}

/** The two that "a valid published manifest declares". */
export const REQUIRED_CAPABILITIES = ['product_catalog', 'checkout'] as const

/**
 * Judges a manifest of the spec's `version: "1.0"` without any request. `domain` is where it was
 * found; leave it out when that is unknown.
 */
export function inspectManifest(manifest: unknown, domain?: string): Inspection {
  const errors: ManifestError[] = []
  const warnings: string[] = []
  const report = (where: string, code: ManifestErrorCode, message: string) => {
    errors.push({ field: where, code, message })
  }

  if (!isRecord(manifest)) {
    report('$', 'invalid_type', 'A manifest is a JSON object.')
    return { errors, warnings }
  }

  const version = field(manifest, 'version')
  if (version === undefined) report('version', 'required', 'Give "version": "1.0".')
  else if (version !== '1.0') {
    report('version', 'invalid_version', `Must be the string "1.0", is ${shown(version)}.`)
  }

  inspectDomain(field(manifest, 'domain'), domain, report)

  if (field(manifest, 'generated_at') !== undefined) {
    warnings.push(
      'generated_at is still in the file: remove it, so that the file stays the same over deployments.',
    )
  }

  const capabilities = field(manifest, 'capabilities')
  if (capabilities === undefined) {
    report('capabilities', 'required', 'Declare at least product_catalog and checkout.')
    return { errors, warnings }
  }
  if (!isRecord(capabilities)) {
    report('capabilities', 'invalid_type', 'Must be an object with one key per capability.')
    return { errors, warnings }
  }
  for (const name of CAPABILITIES) inspectCapability(name, field(capabilities, name), report)
  warnings.push(...manifestWarnings(capabilities))
  return { errors, warnings }
}

type Report = (where: string, code: ManifestErrorCode, message: string) => void

function inspectDomain(value: unknown, expected: string | undefined, report: Report): void {
  if (value === undefined) return report('domain', 'required', 'Give the domain it belongs to.')
  if (typeof value !== 'string') {
    return report('domain', 'invalid_type', `Must be a string, is ${shown(value)}.`)
  }
  const read = normaliseDomain(value)
  if ('problem' in read) return report('domain', 'invalid_value', read.problem)
  if (expected !== undefined && read.domain !== expected) {
    report('domain', 'domain_mismatch', `Says ${read.domain}, but it is served by ${expected}.`)
  }
}

function inspectCapability(name: Capability, value: unknown, report: Report): void {
  const path = `capabilities.${name}`
  if (value === undefined) {
    if (REQUIRED_CAPABILITIES.some((required) => required === name)) {
      report(path, 'required', `A published manifest declares ${name}.`)
    }
    return
  }
  if (!isRecord(value)) {
    return report(path, 'invalid_type', `Must be an object, is ${shown(value)}.`)
  }
  const endpoint = inspectEndpoint(field(value, 'endpoint'))
  if ('code' in endpoint) report(`${path}.endpoint`, endpoint.code, endpoint.message)

  for (const [key, literal] of Object.entries(LITERALS[name] ?? {})) {
    const found = field(value, key)
    const wrong = key === 'version' ? 'invalid_version' : 'invalid_value'
    if (found === undefined) report(`${path}.${key}`, 'required', `Give "${key}": "${literal}".`)
    else if (found !== literal) {
      report(`${path}.${key}`, wrong, `Must be "${literal}", is ${shown(found)}.`)
    }
  }
  const methods = METHODS[name]
  if (methods !== undefined)
    inspectMethods(path, field(value, 'supported_methods'), methods, report)
  for (const key of BOOLEANS[name] ?? []) {
    const found = field(value, key)
    if (found === undefined) {
      if (key === 'requires_authentication') {
        report(`${path}.${key}`, 'required', 'Give "requires_authentication": false.')
      }
    } else if (typeof found !== 'boolean') {
      report(`${path}.${key}`, 'invalid_type', `Must be true or false, is ${shown(found)}.`)
    }
  }
  for (const key of STRING_LISTS[name] ?? []) {
    const found = field(value, key)
    const isList = Array.isArray(found) && found.every((item) => typeof item === 'string' && item)
    if (found !== undefined && !isList) {
      report(`${path}.${key}`, 'invalid_type', `Must be a list of strings, is ${shown(found)}.`)
    }
  }
}

function inspectMethods(path: string, found: unknown, wanted: string[], report: Report): void {
  const where = `${path}.supported_methods`
  if (found === undefined) {
    return report(where, 'required', `Give "supported_methods": ${JSON.stringify(wanted)}.`)
  }
  if (!Array.isArray(found)) {
    return report(where, 'invalid_type', `Must be a list, is ${shown(found)}.`)
  }
  const same = found.length === wanted.length && wanted.every((method) => found.includes(method))
  if (!same) {
    report(where, 'invalid_value', `Must be ${JSON.stringify(wanted)}, is ${shown(found)}.`)
  }
}

/** What agents will not do with this manifest, though nothing in it is wrong. */
function manifestWarnings(capabilities: Record<string, unknown>): string[] {
  const warnings: string[] = []
  const catalog = field(capabilities, 'product_catalog')
  if (isRecord(catalog)) {
    if (field(catalog, 'supports_search') !== true) {
      warnings.push('Search support is undeclared: agents will browse the catalog, not search it.')
    }
    if (field(catalog, 'supports_filters') === undefined) {
      warnings.push(
        'Filters are undeclared: agents will not narrow the catalog by category or price.',
      )
    }
  }
  const checkout = field(capabilities, 'checkout')
  if (isRecord(checkout)) {
    if (field(checkout, 'supported_payment_methods') === undefined) {
      warnings.push('Payment methods are undeclared: agents cannot tell a buyer how they may pay.')
    }
    if (field(checkout, 'requires_authentication') === true) {
      warnings.push('The checkout requires authentication: agents without an account cannot buy.')
    }
  }
  if (field(capabilities, 'shipping') === undefined) {
    warnings.push('Shipping is undeclared: agents cannot price shipping before the checkout.')
  }
  if (field(capabilities, 'orders') === undefined) {
    warnings.push('Orders are undeclared: agents cannot tell a buyer the state of an order.')
  }
  return warnings
}

const EndpointUrl = z.string().superRefine((value, context) => {
  const read = inspectEndpoint(value)
  if ('code' in read) context.addIssue({ code: 'custom', message: read.message })
})

/** Body of `POST /api/manifest`. */
export const ManifestRequest = z.strictObject({
  domain: Domain,
  catalog_endpoint: EndpointUrl,
  checkout_endpoint: EndpointUrl,
  shipping_endpoint: EndpointUrl.optional(),
  orders_endpoint: EndpointUrl.optional(),
  supports_search: z.boolean().optional(),
  supports_filters: z.array(z.string().min(1)).optional(),
  supported_payment_methods: z.array(z.string().min(1)).optional(),
})
export type ManifestRequest = z.infer<typeof ManifestRequest>

/** The manifest of the spec: the content of `/.well-known/ucp`. */
export interface Manifest {
  version: '1.0'
  generated_at?: string
  domain: string
  capabilities: {
    product_catalog: {
      endpoint: string
      format: 'json'
      version: '1.0'
      supports_search?: boolean
      supports_filters?: string[]
    }
    checkout: {
      endpoint: string
      supported_methods: ['POST']
      requires_authentication: boolean
      version: '1.0'
      supported_payment_methods?: string[]
    }
    shipping?: { endpoint: string; supported_methods: ['POST'] }
    orders?: { endpoint: string; supported_methods: ['GET', 'POST'] }
  }
}

/** Builds the manifest; `generatedAt` is to be removed before it is published (spec, Manifest). */
export function buildManifest(request: ManifestRequest, generatedAt: Date): Manifest {
  return {
    version: '1.0',
    generated_at: generatedAt.toISOString(),
    domain: request.domain,
    capabilities: {
      product_catalog: {
        endpoint: request.catalog_endpoint,
        format: 'json',
        version: '1.0',
        ...(request.supports_search !== undefined && { supports_search: request.supports_search }),
        ...(request.supports_filters && { supports_filters: request.supports_filters }),
      },
      checkout: {
        endpoint: request.checkout_endpoint,
        supported_methods: ['POST'],
        requires_authentication: false,
        version: '1.0',
        ...(request.supported_payment_methods && {
          supported_payment_methods: request.supported_payment_methods,
        }),
      },
      ...(request.shipping_endpoint && {
        shipping: { endpoint: request.shipping_endpoint, supported_methods: ['POST'] },
      }),
      ...(request.orders_endpoint && {
        orders: { endpoint: request.orders_endpoint, supported_methods: ['GET', 'POST'] },
      }),
    },
  }
}
