import { fileText } from '../../../../shared/manifest/generate.ts'
import { buildManifest, ManifestRequest } from '../../../../shared/manifest/manifest.ts'
import { buildProfile } from '../../../../shared/manifest/ucp/build.ts'
import { inspectAny } from '../../../../shared/manifest/ucp/profile.ts'
import { UCP_PATHS } from '../../../../shared/protocols/ucp.ts'
import { domainOfAddress, pastedDomain } from '../../../../shared/web/domain.ts'
import { type FormState, formRecord, readValues } from '../form-fields.tsx'

const MANIFEST_FIELDS = [
  'format',
  'domain',
  'catalog_endpoint',
  'checkout_endpoint',
  'shipping_endpoint',
  'orders_endpoint',
  'supports_search',
  'supports_filters',
  'supported_payment_methods',
] as const
type ManifestField = (typeof MANIFEST_FIELDS)[number]

export interface ManifestState extends FormState<ManifestField> {
  /** The file; null while a field that it needs is empty or wrong. */
  file: string | null
  /** What agents will not do with it, though nothing in it is wrong. */
  notes: string[]
}

/**
 * Validates the form. Empty fields are errors only once the form is `complete`, so that no error
 * appears while somebody is still typing.
 */
export function judgeManifestForm(
  get: (name: ManifestField) => unknown,
  complete: boolean,
): ManifestState {
  const values = readValues(MANIFEST_FIELDS, get)
  const read = ManifestRequest.safeParse(requestOf(values))
  if (read.success) return { values, errors: {}, ...writeFile(read.data) }
  const errors: Partial<Record<ManifestField, string>> = {}
  for (const { path, message } of read.error.issues) {
    const name = MANIFEST_FIELDS.find((each) => each === path[0])
    if (name === undefined || errors[name] !== undefined) continue
    if (complete || values[name] !== '') errors[name] = messageFor(values[name], message)
  }
  return { values, errors, file: null, notes: [] }
}

/** The form before anything was typed: with a domain, the addresses that a store usually has. */
export function startManifestForm(domain: string | undefined): ManifestState {
  const read = domain === undefined ? null : domainOfAddress(domain.slice(0, 1000))
  const known = read !== null && 'domain' in read ? read.domain : null
  const values: Partial<Record<ManifestField, string>> = {
    format: '1.0',
    ...(known !== null && {
      domain: known,
      catalog_endpoint: `https://${known}${UCP_PATHS.catalog}`,
      checkout_endpoint: `https://${known}${UCP_PATHS.checkout}`,
    }),
  }
  if (known !== null) return judgeManifestForm((name) => values[name], false)
  const blank = formRecord(MANIFEST_FIELDS, (name) => values[name] ?? '')
  return { values: blank, errors: {}, file: null, notes: [] }
}

const messageFor = (value: string, message: string): string =>
  value === '' ? 'Fill this in.' : message

function requestOf(values: Record<ManifestField, string>): unknown {
  const { format, domain, catalog_endpoint, checkout_endpoint, supports_search } = values
  const { shipping_endpoint, orders_endpoint } = values
  const filters = listOf(values.supports_filters)
  const methods = listOf(values.supported_payment_methods)
  return {
    format: format === 'ucp' ? 'ucp' : '1.0',
    domain: pastedDomain(domain),
    catalog_endpoint,
    checkout_endpoint,
    ...(shipping_endpoint !== '' && { shipping_endpoint }),
    ...(orders_endpoint !== '' && { orders_endpoint }),
    ...(supports_search === 'yes' && { supports_search: true }),
    ...(filters.length > 0 && { supports_filters: filters }),
    ...(methods.length > 0 && { supported_payment_methods: methods }),
  }
}

const listOf = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The document as it is published: without `generated_at`. */
function writeFile(request: ManifestRequest): Pick<ManifestState, 'file' | 'notes'> {
  if (request.format === 'ucp') {
    const { profile, warnings } = buildProfile(request)
    return { file: fileText(profile), notes: warnings }
  }
  const { generated_at, ...manifest } = buildManifest(request, new Date(0))
  const { warnings } = inspectAny(manifest, { domain: request.domain })
  return { file: fileText(manifest), notes: warnings }
}
