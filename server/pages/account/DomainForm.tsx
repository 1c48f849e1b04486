import type { JSX } from 'preact'
import { Field } from '../../../shared/view/Field.tsx'

export interface DomainFormProps {
  /** Where the form leads, by GET, with the parameter `domain`. */
  action: string
  domain: string
  /** To choose from; without any, a name can be typed. */
  domains: readonly string[]
}

export function DomainForm({ action, domain, domains }: DomainFormProps): JSX.Element {
  return (
    <form method="get" action={action} class="inline-form no-print">
      <Field id="domain" label="Domain">
        {(attributes) =>
          domains.length === 0 ? (
            <input {...attributes} name="domain" defaultValue={domain} required maxLength={253} />
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
