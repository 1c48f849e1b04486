import { createContext, Script } from 'node:vm'
import type { Judges, TaskResult } from './judges.ts'
import { ofThisThread } from './processor-time.ts'
import { runTask, type TaskInputs, type TaskName } from './tasks.ts'

/** Bytes of a document that is read here: more than most pages have. */
const MAX_BYTES = 256 * 1024

/**
 * Milliseconds, some ten times what the largest honest document of that size takes on a machine
 * that is busy with other work: then, of all times, a worker would take as much again.
 */
const MAX_MS = 2_000

/**
 * Judges for a process that lives for one audit or walk: what is small is done in this thread,
 * since a worker takes as much CPU to start as all of it, and twenty megabytes. A task that takes
 * too long is stopped by V8, as in a worker. It is then done in one, with the limits of
 * `createJudges`, and so is all that follows: nothing is judged differently here. For a server they
 * would not do: a hostile page holds up this thread.
 */
export function createJudgesAtHand({
  maxMs = MAX_MS,
  perform = runTask,
  elsewhere = startWorkers,
}: {
  maxMs?: number
  perform?: typeof runTask
  elsewhere?: () => Promise<Judges>
} = {}): Judges {
  const within = createDeadline(maxMs)
  let starting: Promise<Judges> | null = null
  let workers: Judges | null = null
  let done = 0

  const attempt = <K extends TaskName>(task: K, input: TaskInputs[K]): TaskResult<K> | null => {
    if (starting !== null || sizeOf(input) > MAX_BYTES) return null
    const began = ofThisThread()
    try {
      const done = within(() => perform(task, input))
      // What is awaited has no deadline here.
      return done instanceof Promise ? null : { done, tookMs: ofThisThread() - began }
    } catch {
      // Too slow, or nested deeper than this thread's stack: a worker's is larger.
      return null
    }
  }

  return {
    async run(task, input, account) {
      const result = attempt(task, input)
      if (result !== null) {
        done += 1
        return result
      }
      starting ??= elsewhere()
      workers = await starting
      return workers.run(task, input, account)
    },
    close: async () => (await starting)?.close(),
    load() {
      const load = workers?.load() ?? { workers: 0, waiting: 0, most: 1, tasks: NONE }
      return { ...load, tasks: { ...load.tasks, done: load.tasks.done + done } }
    },
  }
}

/** Most audits need none, nor what starts them. */
const startWorkers = async () => (await import('./judges.ts')).createJudges()

const NONE = { done: 0, time: 0, memory: 0, failed: 0, starved: 0 }

/** What else a task takes was made of such documents, and is as small. */
function sizeOf(input: TaskInputs[TaskName]): number {
  if ('bytes' in input) return input.bytes.length
  return 'text' in input ? input.text.length : 0
}

/** Calls functions that V8 ends with an exception when their time is over, wherever they are. */
function createDeadline(timeout: number) {
  const called: { call: () => void } = { call: () => {} }
  const context = createContext(called)
  // The deadline is that of a script, also for what it calls: a function of the context outside.
  const script = new Script('call()')
  return <Done>(work: () => Done): Done => {
    let result: { done: Done } | null = null
    called.call = () => {
      result = { done: work() }
    }
    script.runInContext(context, { timeout })
    return doneOf(result)
  }
}

function doneOf<Done>(result: { done: Done } | null): Done {
  if (result === null) throw new Error('The script did not call.')
  return result.done
}
