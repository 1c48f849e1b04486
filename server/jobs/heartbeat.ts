/**
 * Repeats the work until it is stopped, and does not keep the process alive. If the previous call
 * still works, one is skipped: while the database is slow, statements must not pile up.
 */
export function heartbeat(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let isWorking = false
  const timer = setInterval(async () => {
    if (isWorking) return
    isWorking = true
    try {
      await work()
    } catch (error) {
      onError(error)
    } finally {
      isWorking = false
    }
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
