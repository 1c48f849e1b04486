import type { JSX } from 'preact'
import { Field } from '../../../../shared/view/form/Field.tsx'
import { useSite } from '../../site.tsx'

export interface WatchFormProps {
  /** As it was typed. */
  typed?: string | undefined
  /** Its error. */
  problem?: string | undefined
  /** The domains of the key that are not watched yet, to choose from. */
  domains: readonly string[]
}

/** The form that watches a domain; it asks for nothing else. */
export function WatchForm({ typed = '', problem, domains }: WatchFormProps): JSX.Element {
  const { path } = useSite()
  return (
    <form method="post" action={path('/watches')} class="inline-form">
      <Field id="domain" label="Domain" error={problem}>
        {(attributes) => (
          <>
            <input
              {...attributes}
              name="domain"
              list="unwatched"
              defaultValue={typed}
              required
              maxLength={2000}
              autocomplete="off"
              spellcheck={false}
              placeholder={domains[0] ?? 'shop.example'}
            />
            <datalist id="unwatched">
              {domains.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <button type="submit" class="button button-primary">
        Watch it
      </button>
    </form>
  )
}
