/** Exit codes of a command that a signal ends, like in shells: 128 plus its number. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const

/** npm and npx pass on a signal that the terminal has sent already. */
const REPEATED_WITHIN_MS = 1000

/**
 * Resolves with the exit code at the first SIGINT or SIGTERM, which then does not end the process:
 * the caller does, once everything is closed. Another one more than a second later ends it.
 */
export function signalled(): Promise<number> {
  return new Promise((resolve) => {
    for (const [signal, code] of Object.entries(CODES)) {
      const listener = () => {
        resolve(code)
        setTimeout(() => process.off(signal, listener), REPEATED_WITHIN_MS).unref()
      }
      process.on(signal, listener)
    }
  })
}
