import { useCallback, useState } from 'preact/hooks'

/** A sentence for a live region. Said again, the same sentence is heard again. */
export function useAnnouncer(): [string, (sentence: string) => void] {
  const [said, setSaid] = useState('')
  const announce = useCallback((sentence: string) => {
    setSaid((before) => (before === sentence ? `${sentence}\u00a0` : sentence))
  }, [])
  return [said, announce]
}
