/**
 * Does the work again and again until it is stopped, and keeps no process alive for it. A beat that
 * is due while the one before still works is left out: while the database is slow, statements must
 * not pile up.
 */
export function beat(
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
