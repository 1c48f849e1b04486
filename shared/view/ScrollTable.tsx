import type { ComponentChildren, JSX } from 'preact'

interface ScrollTableProps {
  label: string
  /** A table, which may be wider than the page. */
  children: ComponentChildren
}

/** Content that scrolls sideways, also by keyboard. */
export const ScrollTable = ({ label, children }: ScrollTableProps): JSX.Element => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
  <section class="table-scroll" tabIndex={0} aria-label={label}>
    {children}
  </section>
)
