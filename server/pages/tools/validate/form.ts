import { inspectAny } from '../../../../shared/manifest/ucp/profile.ts'
import type { ManifestValidation } from '../../../../shared/manifest/validation.ts'
import { findJsonFault, positionIn } from '../../../../shared/web/json/json-fault.ts'
import { type FormState, readValues } from '../form-fields.tsx'

const VALIDATE_FIELDS = ['url', 'manifest'] as const
type ValidateField = (typeof VALIDATE_FIELDS)[number]

/** The result as shown; `reachability` is empty if nothing was fetched. */
export type Validation = Omit<ManifestValidation, 'errors'> & {
  errors: { field: string; message: string }[]
}

export interface ValidateState extends FormState<ValidateField> {
  validation: Validation | null
}

const MAX_TEXT = 256 * 1024

/** Validates a pasted document. The same in the browser and on the server. */
function validateText(text: string): Validation | { problem: string } {
  if (text.length > MAX_TEXT)
    return { problem: 'This is longer than 256 KiB. Paste a shorter document.' }
  const fault = findJsonFault(text)
  if (fault !== null) {
    const { line, column } = positionIn(text, fault.offset)
    return { problem: `This is not valid JSON: ${fault.reason} at line ${line}, column ${column}.` }
  }
  const { dialect, shoppable, shoppable_reason, errors, warnings } = inspectAny(JSON.parse(text))
  return {
    valid: errors.length === 0,
    dialect,
    shoppable,
    shoppable_reason,
    errors: errors.map(({ field, message }) => ({ field, message })),
    warnings,
    reachability: {},
  }
}

export const startValidateForm = (get: (name: ValidateField) => unknown): ValidateState => ({
  values: readValues(VALIDATE_FIELDS, get, MAX_TEXT + 1),
  errors: {},
  validation: null,
})

/** The form with a pasted document validated. */
export function judgePasted(values: Record<ValidateField, string>): ValidateState {
  const read = validateText(values.manifest)
  return 'problem' in read
    ? { values, errors: { manifest: read.problem }, validation: null }
    : { values, errors: {}, validation: read }
}
