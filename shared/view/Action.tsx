import type { JSX } from 'preact'

/** A link (`href`) or a button (`onAct`); a link may open a new tab, which a panel needs. */
export interface ActionProps {
  label: string
  href?: string | undefined
  onAct?: (() => void) | undefined
  newTab?: boolean | undefined
  primary?: boolean | undefined
}

export function Action({ label, href, onAct, newTab, primary }: ActionProps): JSX.Element {
  const look = primary ? 'button button-primary' : 'button'
  if (href === undefined) {
    return (
      <button type="button" class={look} onClick={onAct}>
        {label}
      </button>
    )
  }
  return (
    <a class={look} href={href} onClick={onAct} {...(newTab ? NEW_TAB : {})}>
      {label}
    </a>
  )
}

/** The opened page gets no handle on ours, even where `_blank` alone would give it one. */
export const NEW_TAB = { target: '_blank', rel: 'noopener' } as const
