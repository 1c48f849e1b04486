import { useEffect, useRef, useState } from 'preact/hooks'

/** The part of a storage item (https://wxt.dev/storage) that a view needs. */
interface Stored<T> {
  getValue(): Promise<T>
  watch(heard: (value: T) => void): () => void
}

/** Calls back when the whole item is deleted, in this window or another. */
export function useDeleted<T extends object>(item: Stored<T>, onDeleted: () => void): void {
  const latest = useRef(onDeleted)
  latest.current = onDeleted
  useEffect(
    () =>
      item.watch((left) => {
        if (Object.keys(left).length === 0) latest.current()
      }),
    [item],
  )
}

/** The value in storage, kept up to date with other windows; null until it was read. */
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
