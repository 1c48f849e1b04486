/**
 * Concurrent calls with the same key share one run and its outcome, errors included. Nothing is
 * kept after the run. Its signal aborts when all callers have left; one without a signal never
 * does.
 */
export function coalesce<Input, Output>(
  keyOf: (input: Input) => string,
  run: (input: Input, signal: AbortSignal) => Promise<Output>,
): (input: Input, caller?: AbortSignal) => Promise<Output> {
  const running = new Map<string, Run<Output>>()

  const start = (key: string, input: Input): Run<Output> => {
    const controller = new AbortController()
    const end = () => {
      if (running.get(key) === started) running.delete(key)
    }
    const started: Run<Output> = {
      callers: 0,
      outcome: run(input, controller.signal).finally(end),
      leave: () => {
        started.callers -= 1
        if (started.callers > 0) return
        // A run that ends without an outcome takes no further callers.
        end()
        controller.abort()
      },
    }
    running.set(key, started)
    return started
  }

  return (input, caller) => {
    const key = keyOf(input)
    const joined = running.get(key) ?? start(key, input)
    joined.callers += 1
    if (caller?.aborted) joined.leave()
    else caller?.addEventListener('abort', joined.leave, { once: true })
    return joined.outcome
  }
}

interface Run<Output> {
  callers: number
  outcome: Promise<Output>
  leave: () => void
}
