import type { Log } from './log.ts'

type Close = (announced?: boolean) => unknown

/** What is closed at the end of a program, the last that was opened first. */
export interface Closing {
  /**
   * `begun: 'early'`: it begins to end before anything is waited for, and is waited for in its
   * turn.
   */
  later: (close: Close, options?: { begun: 'early' }) => void
  /**
   * Closes all of it, and resolves to the number of failures, which are logged and do not stop the
   * rest.
   */
  all: (announced?: boolean) => Promise<number>
}

/** `log` gets what could not be closed. */
export function createClosing(log: Pick<Log, 'error'>): Closing {
  const turns: { close: Close; isBegunEarly: boolean }[] = []
  return {
    later: (close, options) =>
      void turns.unshift({ close, isBegunEarly: options?.begun === 'early' }),
    async all(announced) {
      let failures = 0
      const run = async (close: Close) => {
        try {
          await close(announced)
        } catch (err) {
          failures += 1
          log.error({ err }, 'something could not be closed')
        }
      }
      const waits = turns.splice(0).map(({ close, isBegunEarly }) => {
        const begun = isBegunEarly ? run(close) : null
        return () => begun ?? run(close)
      })
      for (const wait of waits) await wait()
      return failures
    },
  }
}
