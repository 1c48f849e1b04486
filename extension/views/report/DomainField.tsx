import { Field } from '../../../shared/view/form/Field.tsx'
import { useApp } from '../app/app-state.ts'

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
  const { text } = useApp()
  return (
    <Field
      id="report-domain"
      label={text('report_domain')}
      {...(options.length === 0 && { hint: text('report_domain_text') })}
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
