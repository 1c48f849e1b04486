import type { ComponentChildren, JSX } from 'preact'

/** The attributes that connect an input with its label, hint and error. */
interface FieldAttributes {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

interface FieldProps {
  /** Unique in the document. */
  id: string
  label: string
  hint?: ComponentChildren
  /** What is wrong and how to fix it. */
  error?: string | undefined
  optional?: boolean | undefined
  /** The input, select or textarea: `{(attributes) => <input {...attributes} name="x" />}`. */
  children: (attributes: FieldAttributes) => JSX.Element
}

/**
 * A label, a hint and an error around one input. The input refers to both, so that screen readers
 * read them with it (https://www.w3.org/WAI/WCAG22/Techniques/aria/ARIA21).
 */
export function Field({ id, label, hint, error, optional, children }: FieldProps): JSX.Element {
  const describedBy = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ].join(' ')
  return (
    <div class={error === undefined ? 'field' : 'field has-error'}>
      <label for={id}>
        {label}
        {optional && <span class="quiet"> (optional)</span>}
      </label>
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
        ...(error === undefined ? {} : { 'aria-invalid': true as const }),
      })}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
