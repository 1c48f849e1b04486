import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

// Answers to the API go before audits. Of a process id, Linux takes a thread's as well
// (setpriority(2), "C library/kernel differences"); elsewhere it would be the whole process.

const BELOW = constants.priority.PRIORITY_BELOW_NORMAL
const THREADS = '/proc/self/task'

/** As Node 24 and later name the threads that compile and collect garbage for all others. */
const HELPER = 'node-V8Worker'

/** Lets the threads of the API go before this one. */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(0, BELOW)
}

/**
 * The same for the helper threads of this process: during audits most of their work is for audits,
 * and would take a quarter of two cores from events. What they do not get to, a thread does itself.
 */
export function helpersGiveWay(): void {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync(THREADS)) {
    try {
      if (readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trim() !== HELPER) continue
      setPriority(Number(thread), BELOW)
    } catch {
      // A thread may end meanwhile, and a sandbox may not allow it: it is only slower then.
    }
  }
}
