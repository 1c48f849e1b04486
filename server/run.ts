import { type Printable, printable, printableError } from '../shared/web/printable.ts'
import type { Log } from './log.ts'
import { STDERR, STDOUT } from './output.ts'
import type { Service } from './serve.ts'

const PARENT_MS = 500

/**
 * Runs a service until SIGTERM or SIGINT, then stops it in order and exits 0. A second signal does
 * not wait: exit 1, as when the service does not start or cannot go on. `env` tells whether npm started us.
 */
export async function runService(
  log: Log,
  env: Record<string, string | undefined>,
  start: (signal: AbortSignal) => Promise<Service>,
): Promise<void> {
  const leaving = new AbortController()
  const starting = start(leaving.signal)
  let stopping = false
  const stop = async (reason: string) => {
    if (stopping) process.exit(1)
    stopping = true
    leaving.abort()
    log.info({ reason }, 'stopping')
    try {
      await (await starting).stop()
      process.exit(0)
    } catch (err) {
      if (isAbort(err)) process.exit(0)
      log.error({ err }, 'shutdown failed')
      process.exit(1)
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (env.npm_lifecycle_event) onceParentIsGone(() => stopping || stop('npm is gone'))

  try {
    const { port, metricsPort, firstKey, failed } = await starting
    log.info({ port, ...(metricsPort !== null && { metrics_port: metricsPort }) }, 'listening')
    if (firstKey) STDOUT.line(printable`The operator's API key (shown only once): ${firstKey}`)
    // A supervisor starts it again.
    end(printable`${await failed}`)
  } catch (error) {
    if (isAbort(error)) return
    end(printableError(error))
  }
}

/** The start was given up because it was told to stop. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

function end(why: Printable): never {
  STDERR.line(why)
  process.exit(1)
}

/** npm sends a signal to the shell between us, which exits without passing it on. */
function onceParentIsGone(act: () => unknown): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, PARENT_MS)
  timer.unref()
}
