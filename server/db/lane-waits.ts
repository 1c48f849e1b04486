/** Lanes that wait briefly for more items before their next batch, by their key. */
interface LaneWaits {
  /** Ends once `until` items wait, or after `ms` milliseconds, when `onOver` is called. */
  begin: (key: string, until: number) => void
  end: (key: string) => void
  /** How many items the lane needs before its next batch: one unless it is waiting for more. */
  untilOf: (key: string) => number
}

/** A lane waits at most `ms` milliseconds; `onOver` is called when they have passed. */
export function createLaneWaits(ms: number, onOver: () => void): LaneWaits {
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
