import { setTimeout as sleep } from 'node:timers/promises'

/** What `work` comes to, or `late` does after so many milliseconds; `work` then goes on unheard. */
export async function withDeadline<T>(
  ms: number,
  work: Promise<T>,
  late: () => T | Promise<T>,
): Promise<T> {
  const timer = new AbortController()
  const passed = sleep(ms, undefined, { ref: false, signal: timer.signal })
  try {
    return await Promise.race([work, passed.then(late)])
  } finally {
    timer.abort()
  }
}
