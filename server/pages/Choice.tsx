import type { JSX } from 'preact'

interface ChoiceProps {
  name: string
  label: string
  /** The label of the empty choice; left out if one is always chosen. */
  all?: string
  value: string | null | undefined
  choices: readonly (readonly [value: string, label: string])[]
}

/** A select in the row of a form that is sent with GET. */
export const Choice = ({ name, label, all, value, choices }: ChoiceProps): JSX.Element => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {all !== undefined && <option value="">{all}</option>}
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice} selected={choice === value}>
          {text}
        </option>
      ))}
    </select>
  </div>
)
