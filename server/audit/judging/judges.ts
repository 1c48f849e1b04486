import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { createSlots, type SlotLimits } from '../slots.ts'
import { workerFile } from '../worker-file.ts'
import type { Answered } from './answer-tasks.ts'
import { movedTo } from './moved.ts'
import { beforeTask, ofProcess, ofWorker } from './processor-time.ts'
import type { TaskInputs, TaskName, TaskOutput } from './tasks.ts'

/**
 * A task went over what it may use. `ours` says nothing about the store: we failed, or, `starved`,
 * could not give it the time that it may take.
 */
export interface Exceeded {
  exceeded: string
  ours?: 'failed' | 'starved'
}

/** `tookMs`: milliseconds of processor. */
export type TaskResult<K extends TaskName> = ({ done: TaskOutput<K> } | Exceeded) & {
  tookMs?: number
}

/** Whose work a task is part of (`judgesFor`). */
export interface JudgingAccount {
  /** Callers take turns. */
  caller: string
  /** Milliseconds of processor that its tasks may take; after them, nothing more is read. */
  mostMs: number
  /** What they took so far. */
  tookMs: number
}

/** Where strangers' documents are read and judged. */
export interface Judges {
  /**
   * Resolves in any case. The bytes of the input (`movedTo`) are moved, not copied: they are gone
   * here.
   */
  run<K extends TaskName>(
    task: K,
    input: TaskInputs[K],
    account?: JudgingAccount,
  ): Promise<TaskResult<K>>
  close(): Promise<void>
  load(): JudgesLoad
}

/** Why a task was given up; `starved`: the machine left its worker too little processor. */
type Ended = 'time' | 'memory' | 'failed' | 'starved'

/** The workers that live and the tasks that wait for one now, and what became of all before. */
export interface JudgesLoad {
  workers: number
  waiting: number
  most: number
  tasks: Readonly<Record<'done' | Ended, number>>
}

interface JudgesOptions {
  /** Milliseconds of processor that a task may take. */
  maxMs?: number
  /** Milliseconds on the clock. */
  longestMs?: number
  /** The worker's program. */
  file?: string
  /** Called with the error that ended a task; the task's caller learns only that reading failed. */
  onFailed?: (error: unknown, task: TaskName) => void
}

/**
 * Of processor: a store gets the same result on a busy machine. Some ten times what the largest
 * honest page takes.
 */
const MAX_MS = 5_000

/**
 * For a worker that gets no processor, or waits for ever. Where it gets a hundredth of one, it
 * still has time for an honest page.
 */
const LONGEST_MS = 5 * 60_000

/** How often a task that takes long is asked what it has taken. */
const ASK_MS = 500

/** A worker that does not answer is given up once all threads have taken four times its limit. */
const UNANSWERED_TIMES = 4

/**
 * Megabytes of objects that a worker may hold. The largest document that is read takes 30; with
 * more, audits of hostile stores would take the memory of a small container.
 */
const MAX_HEAP = { maxOldGenerationSizeMb: 36, stackSizeMb: 4 }

/**
 * For young objects, of which the service itself has many more. With less, much of what reads a
 * large page is copied before it can be forgotten, which takes a fifth of the time. A flag of the
 * process goes before a worker's limits; V8 reads it when a worker starts, and of this thread no
 * more.
 */
const YOUNG = '--max-semi-space-size=8'

/**
 * One core is left for answers to the API. A hostile document delays others by at most its
 * deadline; a second worker on two cores would take as much memory as six audits may.
 */
const MAX_WORKERS = Math.max(1, Math.min(4, availableParallelism() - 1))

/** They go to the callers in turn. An audit has few tasks that wait. */
const WORKER_LIMITS: SlotLimits = {
  slots: MAX_WORKERS,
  kept: 0,
  waiting: Number.POSITIVE_INFINITY,
  waitingInAll: Number.POSITIVE_INFINITY,
}

/** For tasks that are never cancelled. */
const NEVER = new AbortController().signal

/** A worker that has had nothing to do is ended: it holds some thirty megabytes. */
const IDLE_MS = 10_000

/**
 * A task waits so long, in milliseconds, while this thread is busy for more than this part of its
 * time: even on a core of its own, a worker takes some of the others' speed.
 */
const BUSY_WAIT_MS = 100
const BUSY = 0.5
/** Milliseconds over which that is seen: an audit alone keeps the thread busy for moments. */
const WINDOW_MS = 200

/** Lets the answers to the API go first, as long as there are many. */
function createTurns() {
  let since = performance.now()
  let mark = performance.eventLoopUtilization()
  let isBusy = false
  return async () => {
    if (performance.now() - since >= WINDOW_MS) {
      isBusy = performance.eventLoopUtilization(mark).utilization > BUSY
      since = performance.now()
      mark = performance.eventLoopUtilization()
    }
    if (isBusy) await sleep(BUSY_WAIT_MS)
  }
}

/**
 * A few worker threads, started when there is work. A task that takes too much time or memory
 * costs its worker and no other task; the next one gets a new worker. Libraries that keep such
 * pools start their workers from a file of their own, which a bundle does not have, and count a
 * task's time from when it is queued.
 */
export function createJudges({
  maxMs = MAX_MS,
  longestMs = LONGEST_MS,
  file = workerFile('judging-worker'),
  onFailed = () => {},
}: JudgesOptions = {}): Judges {
  const slots = createSlots(WORKER_LIMITS)
  const turn = createTurns()
  const all = new Set<Worker>()
  /** Those that have nothing to do, each with what ends it; what rested last is taken first. */
  const idle = new Map<Worker, NodeJS.Timeout>()
  /** Milliseconds of processor that each had taken when it was last done with a task. */
  const usedMs = new WeakMap<Worker, number>()
  const tasks = { done: 0, time: 0, memory: 0, failed: 0, starved: 0 }

  const rouse = (worker: Worker) => {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
  }

  const end = (worker: Worker) => {
    all.delete(worker)
    rouse(worker)
    return worker.terminate()
  }

  const start = (): Worker => {
    setFlagsFromString(YOUNG)
    const worker = new Worker(file, { resourceLimits: MAX_HEAP })
    all.add(worker)
    // Without a listener, the error of a worker would be one of this process.
    worker.on('error', () => end(worker))
    worker.on('exit', () => end(worker))
    return worker
  }

  const rest = (worker: Worker) => {
    // Nothing waits for it: the process may end.
    worker.unref()
    idle.set(worker, setTimeout(() => end(worker), IDLE_MS).unref())
  }

  const take = (): Worker => {
    const worker = [...idle.keys()].at(-1) ?? start()
    rouse(worker)
    return worker
  }

  const runIn = <K extends TaskName>(worker: Worker, task: K, input: TaskInputs[K]) =>
    new Promise<TaskResult<K>>((resolve) => {
      const before = beforeTask(usedMs.get(worker) ?? 0)
      const until = performance.now() + longestMs
      let tookMs = 0
      let isOver = false
      /** What all threads had taken when the question was asked that is not answered yet. */
      let askedAt: number | null = null
      const settle = (judged: TaskResult<K>, isWell: boolean, became: keyof typeof tasks) => {
        if (isOver) return
        isOver = true
        clearInterval(asking)
        tasks[became] += 1
        worker.off('message', onDone).off('messageerror', fail)
        worker.off('error', onError).off('exit', onExit)
        if (isWell) {
          rest(worker)
          resolve({ ...judged, tookMs })
          return
        }
        // Its memory is given back before the next worker takes some.
        const over = () => resolve({ ...judged, tookMs })
        end(worker).then(over, over)
      }
      const onDone = ({ done, large, usedMs: used }: Answered & { done: TaskOutput<K> }) => {
        tookMs = used - before
        usedMs.set(worker, used)
        settle({ done }, !large, 'done')
      }
      const fail = (error: unknown) => {
        onFailed(error, task)
        // What is nested too deep for a thread is the document's own.
        const ours = error instanceof RangeError ? {} : { ours: 'failed' as const }
        settle({ exceeded: FAILED, ...ours }, false, 'failed')
      }
      const onError = (error: unknown) =>
        isOutOfMemory(error)
          ? settle({ exceeded: 'it took too much memory' }, false, 'memory')
          : fail(error)
      const onExit = (code: unknown) => fail(new Error(`The judging worker ended with ${code}.`))
      const ask = async () => {
        if (performance.now() > until) {
          settle({ exceeded: STARVED, ours: 'starved' }, false, 'starved')
        } else if (askedAt === null) {
          askedAt = ofProcess()
          const used = await ofWorker(worker).catch(() => null)
          askedAt = null
          // The task may be over since, and the worker do another; one that ended says so itself.
          if (used !== null && !isOver) tookMs = used - before
        }
        // Within one call of V8 it does not answer: what all threads took is an upper bound.
        const unansweredMs = askedAt === null ? 0 : ofProcess() - askedAt
        const isLate = tookMs > maxMs || unansweredMs > UNANSWERED_TIMES * maxMs
        if (isLate) settle({ exceeded: `it took more than ${maxMs / 1000} s` }, false, 'time')
      }
      const asking = setInterval(ask, ASK_MS)
      worker.on('message', onDone).on('messageerror', fail)
      worker.on('error', onError).on('exit', onExit)
      worker.ref()
      try {
        worker.postMessage({ task, input }, movedTo(input))
      } catch (error) {
        // What is nested too deep for this thread cannot be copied.
        fail(error)
      }
    })

  return {
    run: (task, input, account = anybody()) =>
      slots.run(account.caller, NEVER, async () => {
        if (isUsedUp(account, task)) return { exceeded: overText(account) }
        await turn()
        const result = await runIn(take(), task, input)
        account.tookMs += result.tookMs ?? 0
        return result
      }),
    close: async () => {
      await Promise.all([...all].map(end))
    },
    load: () => ({ workers: all.size, waiting: slots.load().waiting, most: MAX_WORKERS, tasks }),
  }
}

const FAILED = 'reading it failed'
const STARVED = 'the machine of this audit was too busy to read it'

const anybody = (): JudgingAccount => ({ caller: '', mostMs: Number.POSITIVE_INFINITY, tookMs: 0 })

/**
 * What was read is judged in any case: it is one task, and without it all others were for nothing.
 */
const isUsedUp = ({ tookMs, mostMs }: JudgingAccount, task: TaskName): boolean =>
  tookMs >= mostMs && task !== 'judge'

const overText = ({ mostMs }: JudgingAccount): string =>
  `it took more than ${mostMs / 1000} s together with what was read before`

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

// Unspecified: an audit, a validation or the reading of a page has ten seconds of the workers'
// time; what it would read after that is not read. The pages of an honest store take a tenth of it,
// and a feed is read for six seconds at most.
const MOST_MS = 10_000

/** The judges for one audit, or another work of a caller, who shares them with all others. */
export const judgesFor = (judges: Judges, caller: object, mostMs: number = MOST_MS): Judges => {
  const account = { caller: JSON.stringify(caller), mostMs, tookMs: 0 }
  return { ...judges, run: (task, input) => judges.run(task, input, account) }
}
