interface LiveRegionProps {
  text: string
  /** Only for those who cannot see what changed. */
  hidden?: boolean
}

/** What is said when something was done. Always in the page, so that it is heard. */
export const LiveRegion = ({ text, hidden = false }: LiveRegionProps) => (
  <p class={hidden ? 'sr-only' : 'said'} role="status">
    {text}
  </p>
)
