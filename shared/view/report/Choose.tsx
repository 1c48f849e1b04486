import type { ComponentChildren, JSX } from 'preact'
import type { Picker, ReportChoice } from './choice.ts'

interface ChooseProps {
  picker: Picker
  change: Partial<ReportChoice>
  /** The id of the element to return to. */
  place?: string | undefined
  class?: string | undefined
  /** Whether this is the selected one of several. */
  isCurrent?: boolean | undefined
  children: ComponentChildren
}

/** A link or a button that changes the view of the report; plain words if it cannot. */
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
