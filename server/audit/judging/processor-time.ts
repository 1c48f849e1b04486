import type { Worker } from 'node:worker_threads'

const inMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

/** Node 22 knows the time of the whole process alone, which is never less than a thread's. */
type Since24 = { threadCpuUsage?: () => NodeJS.CpuUsage }

/** Milliseconds of processor that all threads of this process have had. */
export const ofProcess = (): number => inMs(process.cpuUsage())

/**
 * What the time of a task is measured from, in a worker that had taken so much at the end of the
 * last.
 */
export const beforeTask = (usedMs: number): number =>
  'threadCpuUsage' in process ? usedMs : ofProcess()

/** Milliseconds of processor that this thread has had. */
export const ofThisThread = (): number =>
  inMs((process as Since24).threadCpuUsage?.() ?? process.cpuUsage())

/** The same of a worker. It answers between two calls of V8, also while it works. */
export const ofWorker = async (worker: Partial<Pick<Worker, 'cpuUsage'>>): Promise<number> =>
  inMs((await worker.cpuUsage?.()) ?? process.cpuUsage())
