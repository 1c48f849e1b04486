import type { Log } from './log.ts'
import type { Service } from './serve.ts'

const PARENT_MS = 500

/**
 * Runs a service until SIGTERM or SIGINT, then stops it in order and exits 0. A second signal does
 * not wait: exit 1, as when the service does not start. `env` tells whether npm runs us.
 */
export async function runService(
  log: Log,
  env: Record<string, string | undefined>,
  start: () => Promise<Service>,
): Promise<void> {
  const starting = start()
  let stopping = false
  const stop = async (reason: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ reason }, 'stopping')
    try {
      await (await starting).stop()
      process.exit(0)
    } catch (err) {
      log.error({ err }, 'did not stop in order')
      process.exit(1)
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (env.npm_lifecycle_event) onceParentIsGone(() => stopping || stop('npm is gone'))

  try {
    const { port, firstKey } = await starting
    log.info({ port }, 'listening')
    if (firstKey) process.stdout.write(`The operator's API key, shown this once: ${firstKey}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

/** npm passes a signal to the shell between us, and the shell dies of it without a word to us. */
function onceParentIsGone(act: () => unknown): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, PARENT_MS)
  timer.unref()
}
