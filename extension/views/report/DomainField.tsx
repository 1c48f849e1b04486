import { Field } from '../../../shared/view/form/Field.tsx'

interface DomainFieldProps {
  /** Empty: the domain has to be typed. */
  options: readonly string[]
  domain: string
  onChoose: (domain: string) => void
  onType: (text: string) => void
  /** Requests the report of what was typed. */
  onEnter: () => void
}

/** The storefront of the report: chosen from the known ones, else typed. */
export function DomainField({ options, domain, onChoose, onType, onEnter }: DomainFieldProps) {
  return (
    <Field
      id="report-domain"
      label="Domain"
      {...(options.length === 0 && { hint: 'Enter the domain of your store.' })}
    >
      {(attributes) =>
        options.length === 0 ? (
          <input
            {...attributes}
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={domain}
            onInput={({ currentTarget }) => onType(currentTarget.value)}
            onKeyDown={({ key, isComposing }) => {
              if (key === 'Enter' && !isComposing) onEnter()
            }}
          />
        ) : (
          <select
            {...attributes}
            value={domain}
            onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          >
            {options.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </select>
        )
      }
    </Field>
  )
}
