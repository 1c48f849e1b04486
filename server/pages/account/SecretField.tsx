import type { ComponentChildren, JSX } from 'preact'
import { Field } from '../../../shared/view/form/Field.tsx'

interface SecretFieldProps {
  name: string
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  optional?: boolean
  /** The browser does not send the form without it. */
  required?: boolean
}

/** A field whose text the browser neither shows nor remembers. */
export const SecretField = ({
  name,
  required = false,
  ...field
}: SecretFieldProps): JSX.Element => (
  <Field id={name} {...field}>
    {(attributes) => (
      <input
        {...attributes}
        name={name}
        type="password"
        maxLength={2000}
        required={required}
        autocomplete="off"
        spellcheck={false}
      />
    )}
  </Field>
)
