import { useEffect, useState } from 'preact/hooks'

/** The part of a storage item (https://wxt.dev/storage) that a view needs. */
interface Stored<T> {
  getValue(): Promise<T>
  watch(heard: (value: T) => void): () => void
}

/** What storage holds, kept up to date with what other windows write; null until it was read. */
export function useStored<T>(item: Stored<T>): T | null {
  const [value, setValue] = useState<T | null>(null)
  useEffect(() => {
    let isCurrent = true
    const unwatch = item.watch((changed) => setValue(() => changed))
    void item.getValue().then((stored) => {
      if (isCurrent) setValue(() => stored)
    })
    return () => {
      isCurrent = false
      unwatch()
    }
  }, [item])
  return value
}
