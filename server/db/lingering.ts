/** Lanes that wait a moment for more items before their next batch begins, by their key. */
interface Lingering {
  /** Ends after `until` items or after `ms` milliseconds, and then calls `onOver`. */
  begin: (key: string, until: number) => void
  end: (key: string) => void
  /** How many items a lane waits for: one where it does not linger. */
  untilOf: (key: string) => number
}

/** `ms`: how long a lane lingers. `onOver` is told when this time is over. */
export function createLingering(ms: number, onOver: () => void): Lingering {
  const lanes = new Map<string, { until: number; timer: NodeJS.Timeout }>()

  function end(key: string) {
    clearTimeout(lanes.get(key)?.timer)
    lanes.delete(key)
  }

  return {
    begin(key, until) {
      end(key)
      const timer = setTimeout(() => {
        end(key)
        onOver()
      }, ms)
      lanes.set(key, { until, timer })
    },
    end,
    untilOf: (key) => lanes.get(key)?.until ?? 1,
  }
}
