import { type Printable, printable, printableError } from '../shared/web/printable.ts'
import { STDERR } from './output.ts'
import { STOP_TIMES } from './stop-times.ts'

const PARENT_MS = 500

/** What runs until it is told to stop. */
export interface Stoppable {
  /** Resolves when it cannot go on, with what to do about it. */
  failed: Promise<string>
  /** `announced`: proxies are given time to learn of it. */
  stop: (announced?: boolean) => Promise<void>
  /** How long `stop` may take, in milliseconds. */
  graceMs: number
}

/** What is said on the way. */
export interface Told<Program> {
  started: (program: Program) => unknown
  stopping: (reason: string) => void
  /** Something kept it from ending as it should. */
  failed: (error: unknown) => void
}

/**
 * Runs a program until SIGTERM or SIGINT, then stops it in order and exits 0. A second signal does
 * not wait: exit 1, as when it does not start, cannot go on or has not stopped in time. `env` tells
 * whether npm started us; the signal of `start` ends what it waits for.
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
  // Who presses Ctrl-C has no proxy in front, and waits.
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
    // A supervisor starts it again.
    end(printable`${await program.failed}`)
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
