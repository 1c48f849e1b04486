import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import Tinypool from 'tinypool'
import type { Inputs, Output, TaskName } from './tasks.ts'

/** What was asked was done, or it went over what one task may use. */
export type Judged<K extends TaskName> = { done: Output<K> } | { exceeded: string }

/** Where strangers' documents are read and judged. */
export interface Judges {
  /** Resolves in any case. The bytes of the input are moved, not copied: they are gone here. */
  run<K extends TaskName>(task: K, input: Inputs[K]): Promise<Judged<K>>
  close(): Promise<void>
}

/** Some ten times what the largest honest page takes here, on a machine with other work to do. */
const MAX_MS = 5_000

/**
 * Megabytes of objects that a worker may hold. The largest document that is read takes 30; with more
 * workers than this, six audits of hostile stores would take the memory of a small container.
 */
const MAX_HEAP_MB = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }

/** At least two, so that one hostile document does not stop all others. */
const MAX_WORKERS = Math.max(2, Math.min(4, availableParallelism() - 1))

/** A worker that has had nothing to do is ended: it holds some ten megabytes. */
const IDLE_MS = 30_000

/** A bundle of its own: below the folder of the bundle that this is in, or the last one made. */
const workerFile = (): string => {
  const places = [
    './judging/worker.js',
    '../judging/worker.js',
    '../../../dist/judging/worker.js',
  ].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  const found = places.find(existsSync)
  if (found === undefined) throw new Error(`The judging worker is missing: ${places.join(', ')}.`)
  return found
}

/**
 * A small pool of worker threads, started when there is work. A task that takes too long or too much
 * memory costs its worker and no other task; the next one gets a new worker.
 */
export function createJudges({ maxMs = MAX_MS, worker = workerFile() } = {}): Judges {
  const pool = new Tinypool({
    filename: worker,
    minThreads: 0,
    maxThreads: MAX_WORKERS,
    idleTimeout: IDLE_MS,
    resourceLimits: MAX_HEAP_MB,
  })
  // A worker that ends between two tasks. The next task gets another.
  pool.on('error', () => {})
  // The pool counts a task's time from when it is queued, and only running ones should be timed.
  const limit = pLimit(MAX_WORKERS)
  return {
    run: (task, input) =>
      limit(async () => {
        const late = AbortSignal.timeout(maxMs)
        try {
          const done = await pool.run(
            { task, input },
            { signal: late, transferList: buffersOf(input) },
          )
          return { done }
        } catch (error) {
          if (late.aborted) return { exceeded: `it took more than ${maxMs / 1000} s` }
          if (isOutOfMemory(error)) return { exceeded: 'it took too much memory' }
          return { exceeded: 'reading it failed' }
        }
      }),
    close: () => pool.destroy(),
  }
}

/**
 * What is moved to the worker. The pool's types take the last overload of `postMessage`, and the pool
 * the list (https://nodejs.org/api/worker_threads.html#portpostmessagevalue-transferlist).
 */
const buffersOf = (input: object) =>
  ('bytes' in input && input.bytes instanceof Uint8Array ? [input.bytes.buffer] : []) as object

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
