/**
 * Concurrent calls with the same key share one run and its outcome, errors included. Nothing is
 * kept after the run.
 */
export function coalesce<Input, Output>(
  keyOf: (input: Input) => string,
  run: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  const running = new Map<string, Promise<Output>>()
  return (input) => {
    const key = keyOf(input)
    const joined = running.get(key)
    if (joined) return joined
    const started = run(input).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
