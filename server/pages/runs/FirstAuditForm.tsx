import type { JSX } from 'preact'
import { Field } from '../../../shared/view/form/Field.tsx'
import { useSite } from '../site.tsx'

export interface FirstAuditFormProps {
  /** As it was typed or pasted. */
  typed?: string
  problem?: string | undefined
}

/** One field: an address, and an audit of its domain without a sign-in. */
export function FirstAuditForm({ typed = '', problem }: FirstAuditFormProps): JSX.Element {
  const { path } = useSite()
  return (
    <form method="post" action={path('/runs')} class="inline-form first-audit no-print">
      <Field id="domain" label="Address of the store" error={problem}>
        {(attributes) => (
          <input
            {...attributes}
            name="domain"
            defaultValue={typed}
            placeholder="shop.example"
            required
            maxLength={2000}
            inputMode="url"
            autocomplete="url"
            autocapitalize="off"
            spellcheck={false}
          />
        )}
      </Field>
      <button type="submit" class="button button-primary">
        Audit this store
      </button>
    </form>
  )
}
