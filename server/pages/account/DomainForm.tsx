import type { JSX } from 'preact'
import { Field } from '../../../shared/view/form/Field.tsx'

export interface DomainFormProps {
  /** The target of the form, by GET, with the parameter `domain`. */
  action: string
  domain: string
  /** The domains to choose from. */
  domains: readonly string[]
  /** Another name can be typed. */
  canType: boolean
  /** The error of the domain. */
  problem?: string | undefined
}

/** Empty if there is nothing to choose. */
export function DomainForm({
  action,
  domain,
  domains,
  canType,
  problem,
}: DomainFormProps): JSX.Element | null {
  const isChoice = canType || domains.some((each) => each !== domain)
  if (!isChoice) return null
  return (
    <form method="get" action={action} class="inline-form no-print">
      <Field id="domain" label="Domain" error={problem}>
        {(attributes) =>
          canType ? (
            <>
              <input
                {...attributes}
                name="domain"
                list="domains"
                defaultValue={domain}
                required
                maxLength={2000}
                autocomplete="off"
                spellcheck={false}
              />
              <datalist id="domains">
                {domains.map((each) => (
                  <option key={each} value={each} />
                ))}
              </datalist>
            </>
          ) : (
            <select {...attributes} name="domain">
              {domains.map((each) => (
                <option key={each} value={each} selected={each === domain}>
                  {each}
                </option>
              ))}
            </select>
          )
        }
      </Field>
      <button type="submit" class="button">
        Show
      </button>
    </form>
  )
}
