import type { Worker } from 'node:worker_threads'

const inMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

/*
 * Node 22 knows the time of the whole process alone, which is never less: a task is then given up
 * earlier.
 */
type Since24 = { threadCpuUsage?: () => NodeJS.CpuUsage }

/** Milliseconds of processor that all threads of this process have had. */
export const ofProcess = (): number => inMs(process.cpuUsage())

/** The same of this thread, since it was started. */
export const ofThisThread = (): number =>
  inMs((process as Since24).threadCpuUsage?.() ?? process.cpuUsage())

/** The same of a worker, which need not be idle. */
export const ofWorker = async (worker: Pick<Worker, 'threadId'> & Partial<Worker>) =>
  inMs((await worker.cpuUsage?.()) ?? process.cpuUsage())
