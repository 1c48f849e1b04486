import type { ComponentChildren, JSX } from 'preact'
import type { Picker, ReportChoice } from './choice.ts'

interface ChooseProps {
  picker: Picker
  change: Partial<ReportChoice>
  /** The id of what the reader looks at, which a link leads back to. */
  place?: string | undefined
  class?: string | undefined
  /** Whether this is the choice of several that is shown. */
  isCurrent?: boolean | undefined
  children: ComponentChildren
}

/** A link or a button that shows the report in another way; only its words where it cannot. */
export function Choose(props: ChooseProps): JSX.Element {
  const { picker, change, place, isCurrent, children } = props
  const { hrefOf, onPick } = picker
  if (hrefOf !== undefined) {
    return (
      <a class={props.class} href={hrefOf(change, place)} aria-current={isCurrent}>
        {children}
      </a>
    )
  }
  if (onPick !== undefined) {
    return (
      <button
        type="button"
        class={props.class ?? 'link-button'}
        aria-pressed={isCurrent}
        onClick={() => onPick(change)}
      >
        {children}
      </button>
    )
  }
  return <span class={props.class}>{children}</span>
}
