import { readManifestForm } from '../../../../shared/manifest/form.ts'
import { fileText, generateDocument } from '../../../../shared/manifest/generate.ts'
import { UCP_PATHS } from '../../../../shared/protocols/spec/ucp.ts'
import { domainOfAddress } from '../../../../shared/web/address/domain.ts'
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
  /** The file; null while a required field is empty or wrong. */
  file: string | null
  /** What agents will not do with it, though it is valid. */
  notes: string[]
}

/**
 * Validates the form. Empty fields are errors only once the form is `complete`, so that no error
 * appears while someone is still typing.
 */
export function judgeManifestForm(
  get: (name: ManifestField) => unknown,
  complete: boolean,
): ManifestState {
  const values = readValues(MANIFEST_FIELDS, get)
  const read = readManifestForm({
    ...values,
    format: values.format === 'ucp' ? 'ucp' : '1.0',
    supports_search: values.supports_search === 'yes',
  })
  if ('request' in read) {
    const { document, notes } = generateDocument(read.request, new Date(0))
    return { values, errors: {}, file: fileText(document), notes }
  }
  const errors: Partial<Record<ManifestField, string>> = {}
  for (const name of MANIFEST_FIELDS) {
    const message = read.errors[name]
    if (message === undefined) continue
    if (complete || values[name] !== '') errors[name] = messageFor(values[name], message)
  }
  return { values, errors, file: null, notes: [] }
}

/** The empty form: with a domain, the usual addresses of a store. */
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
