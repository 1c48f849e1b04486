import * as z from 'zod'
import { shown } from '../web/json/json.ts'

/** The errors that an inspection of a manifest can report: a closed list, part of the API. */
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

/**
 * One fault of a document. `field` is a dotted path such as `capabilities.checkout.endpoint` (spec,
 * Manifest validation); `$` is the document itself.
 */
export const ManifestError = z.object({
  field: z.string(),
  /** For programs: the kind of mistake. */
  code: ManifestErrorCode,
  /** For people: what is there, and what should be. */
  message: z.string(),
  /** Our own requirement, in addition to the official JSON Schema of the version. */
  ours: z.literal(true).optional(),
})
export type ManifestError = z.infer<typeof ManifestError>

export type FieldFault = Pick<ManifestError, 'code' | 'message'>

/** The fault of one field's value, if any; `undefined` is an absent field. */
export type FieldRule = (value: unknown) => FieldFault | null

export const fieldFault = (code: ManifestErrorCode, message: string): FieldFault => ({
  code,
  message,
})

/**
 * An absolute https URL without user info: an address that agents may be sent to. The scheme is
 * checked before parsing, because `URL.parse` repairs `https:shop.example`.
 */
export const inspectEndpoint: FieldRule = (value) => {
  if (value === undefined) return fieldFault('required', 'Give the full URL.')
  if (typeof value !== 'string') {
    return fieldFault('invalid_type', `Must be a URL as a string, is ${shown(value)}.`)
  }
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? URL.parse(value) : null
  if (url === null || url.hostname === '') {
    return fieldFault('invalid_url', `Must be an absolute URL, is ${shown(value)}.`)
  }
  if (url.protocol !== 'https:') {
    return fieldFault('not_https', `Must be an https URL, is ${shown(value)}.`)
  }
  if (url.username !== '' || url.password !== '') {
    return fieldFault('invalid_url', 'Must not contain a user name or a password.')
  }
  return null
}

/** The only string that a field may have; `wrong` is the code for any other value. */
export const literal =
  (wanted: string, wrong: ManifestErrorCode): FieldRule =>
  (value) => {
    if (value === undefined) return fieldFault('required', `Must be "${wanted}".`)
    return value === wanted ? null : fieldFault(wrong, `Must be "${wanted}", is ${shown(value)}.`)
  }

/** An optional field; null is a value like any other, and judged. */
export const optional =
  (rule: FieldRule): FieldRule =>
  (value) =>
    value === undefined ? null : rule(value)

/** true or false; strings such as "true" are a common mistake. */
export const boolean: FieldRule = (value) => {
  if (value === undefined) return fieldFault('required', 'Must be true or false.')
  return typeof value === 'boolean'
    ? null
    : fieldFault('invalid_type', `Must be true or false, is ${shown(value)}.`)
}

/** A list of non-empty strings. The list itself may be empty. */
export const strings: FieldRule = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
    ? null
    : fieldFault('invalid_type', `Must be a list of strings, is ${shown(value)}.`)

/** Exactly these HTTP methods, in any order (spec, Manifest: `supported_methods`). */
export const methods =
  (...wanted: string[]): FieldRule =>
  (value) => {
    const expected = `Must be ${JSON.stringify(wanted)}`
    if (value === undefined) return fieldFault('required', `${expected}.`)
    if (!Array.isArray(value)) return fieldFault('invalid_type', `${expected}, is ${shown(value)}.`)
    const same = value.length === wanted.length && wanted.every((method) => value.includes(method))
    return same ? null : fieldFault('invalid_value', `${expected}, is ${shown(value)}.`)
  }
