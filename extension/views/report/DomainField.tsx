import { Field } from '../../../shared/view/form/Field.tsx'
import { useApp } from '../app/app-state.ts'

interface DomainFieldProps {
  /** Empty: the domain has to be typed. */
  options: readonly string[]
  domain: string
  onChoose: (domain: string) => void
}

export function DomainField({ options, domain, onChoose }: DomainFieldProps) {
  const { say } = useApp()
  return (
    <Field
      id="report-domain"
      label={say('report_domain')}
      {...(options.length === 0 && { hint: say('report_domain_text') })}
    >
      {(attributes) =>
        options.length === 0 ? (
          <input
            {...attributes}
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={domain}
            onInput={({ currentTarget }) => onChoose(currentTarget.value)}
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
