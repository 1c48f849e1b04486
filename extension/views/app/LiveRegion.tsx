import { useCallback, useState } from 'preact/hooks'

interface LiveRegionProps {
  text: string
  /** Only for screen readers. */
  hidden?: boolean
}

/**
 * Announces what was done. Always in the page: a region that is added together with its text is not
 * announced (https://developer.mozilla.org/docs/Web/Accessibility/ARIA/Guides/Live_regions).
 */
export const LiveRegion = ({ text, hidden = false }: LiveRegionProps) => (
  <p class={hidden ? 'sr-only' : 'said'} role="status">
    {text}
  </p>
)

/** A sentence for a live region; setting the same sentence again announces it again. */
export function useAnnouncer(): [string, (sentence: string) => void] {
  const [said, setSaid] = useState('')
  const announce = useCallback((sentence: string) => {
    setSaid((before) => (before === sentence ? `${sentence}\u00a0` : sentence))
  }, [])
  return [said, announce]
}
