import type { ComponentChildren, JSX } from 'preact'
import { Field } from '../../../shared/view/form/Field.tsx'

/** The values of a form and their errors, by the names of its fields. */
export interface FormState<Name extends string> {
  values: Readonly<Record<Name, string>>
  errors: Readonly<Partial<Record<Name, string>>>
}

interface Common<Name extends string> {
  name: Name
  label: string
  hint?: ComponentChildren
  form: FormState<Name>
  /** The name, unless a page has it in several forms. */
  id?: string
}

/** Every field but a required one is marked as optional. */
interface TextFieldProps<Name extends string> extends Common<Name> {
  required?: boolean
  /** Which keyboard a phone should offer. */
  inputMode?: 'url' | 'decimal' | 'numeric'
  autocomplete?: string
}

export function TextField<Name extends string>(props: TextFieldProps<Name>): JSX.Element {
  const { name, id = name, label, hint, form, required = false } = props
  const { inputMode, autocomplete = 'off' } = props
  return (
    <Field id={id} label={label} hint={hint} error={form.errors[name]} optional={!required}>
      {(attributes) => (
        <input
          {...attributes}
          name={name}
          type="text"
          value={form.values[name]}
          maxLength={2000}
          autocomplete={autocomplete}
          spellcheck={false}
          {...(inputMode === undefined ? {} : { inputMode })}
          {...(required ? { 'aria-required': true } : {})}
        />
      )}
    </Field>
  )
}

export function AreaField<Name extends string>(
  props: Common<Name> & { required?: boolean; rows?: number },
): JSX.Element {
  const { name, id = name, label, hint, form, required = false, rows = 4 } = props
  return (
    <Field id={id} label={label} hint={hint} error={form.errors[name]} optional={!required}>
      {(attributes) => (
        <textarea
          {...attributes}
          name={name}
          rows={rows}
          value={form.values[name]}
          autocomplete="off"
          spellcheck={false}
        />
      )}
    </Field>
  )
}

export function ChoiceField<Name extends string>(
  props: Common<Name> & { choices: readonly (readonly [value: string, label: string])[] },
): JSX.Element {
  const { name, label, hint, form, choices } = props
  return (
    <Field id={name} label={label} hint={hint} error={form.errors[name]}>
      {(attributes) => (
        <select {...attributes} name={name} value={form.values[name]}>
          {choices.map(([value, text]) => (
            <option key={value} value={value} selected={value === form.values[name]}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Its value is `yes` or nothing, as a browser sends a checkbox. */
export function CheckField<Name extends string>({
  name,
  label,
  form,
}: Omit<Common<Name>, 'hint'>): JSX.Element {
  return (
    <label class="check field">
      <input type="checkbox" name={name} value="yes" checked={form.values[name] === 'yes'} />
      {label}
    </label>
  )
}

/** The values of the fields from any input: trimmed, and empty if missing. */
export function readValues<Name extends string>(
  names: readonly Name[],
  get: (name: Name) => unknown,
  maxLength = 5000,
): Record<Name, string> {
  return formRecord(names, (name) => {
    const value = get(name)
    return typeof value === 'string' ? value.trim().slice(0, maxLength) : ''
  })
}

/** Guarantees one entry per name. */
export function formRecord<Name extends string, T>(
  names: readonly Name[],
  make: (name: Name) => T,
): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>
}
