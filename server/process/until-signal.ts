import { type Printable, printable, printableError } from '../../shared/web/text/printable.ts'
import { STDERR } from './output.ts'
import { STOP_TIMES } from './stop-times.ts'

const PARENT_MS = 500

/** A program that runs until it is stopped. */
export interface Stoppable {
  /** Resolves if it cannot go on, with what to do about it. */
  failed: Promise<string>
  /** `announced`: proxies get time to notice. */
  stop: (announced?: boolean) => Promise<void>
  /** How long `stop` may take, in milliseconds. */
  graceMs: number
}

/** Called on the way. */
export interface Told<Program> {
  started: (program: Program) => unknown
  stopping: (reason: string) => void
  /** Something kept it from ending cleanly. */
  failed: (error: unknown) => void
}

/**
 * Runs a program until SIGTERM or SIGINT, then stops it in order and exits 0. A second signal does
 * not wait: exit 1, like a failed start, a fatal error or a stop that takes too long. `env` tells
 * whether npm started us; the signal of `start` aborts its waiting.
 */
export async function runUntilSignal<Program extends Stoppable>(
  env: Record<string, string | undefined>,
  start: (signal: AbortSignal) => Promise<Program>,
  told: Told<Program>,
): Promise<void> {
  const leaving = new AbortController()
  const starting = start(leaving.signal)
  let graceMs = STOP_TIMES.graceMs
  let stopping = false
  // With Ctrl-C there is no proxy in front, and a person waits.
  const stop = async (reason: string, announced: boolean) => {
    if (stopping) process.exit(1)
    stopping = true
    leaving.abort()
    told.stopping(reason)
    setTimeout(() => {
      told.failed(new Error(`It has not stopped within ${graceMs / 1000} seconds.`))
      process.exit(1)
    }, graceMs)
    try {
      await (await starting).stop(announced)
      process.exit(0)
    } catch (error) {
      if (isAbort(error)) process.exit(0)
      told.failed(error)
      process.exit(1)
    }
  }
  process.on('SIGTERM', (signal) => stop(signal, true))
  process.on('SIGINT', (signal) => stop(signal, false))
  if (env.npm_lifecycle_event) onceParentIsGone(() => stopping || stop('npm is gone', false))

  try {
    const program = await starting
    graceMs = program.graceMs
    await told.started(program)
    // A supervisor restarts it.
    end(printable`${await program.failed}`)
  } catch (error) {
    if (isAbort(error)) return
    end(printableError(error))
  }
}

/** The start was aborted by a signal. */
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
