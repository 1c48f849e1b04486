import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from '../../../shared/testing/wait.ts'

/**
 * Asks again until it holds, as `eventually` does inside tests; `what` is said when it never does.
 */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  ms = PATIENCE_MS,
): Promise<void> {
  const limit = performance.now() + ms
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`It did not happen in time: ${what}.`)
    await sleep(20)
  }
}

/** The status of an answer; 0 without one. */
export const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    async (answer) => {
      await answer.body?.cancel()
      return answer.status
    },
    () => 0,
  )
