import { getHeapStatistics } from 'node:v8'
import type { MessagePort } from 'node:worker_threads'
import { movedBack } from './moved.ts'
import { ofThisThread } from './processor-time.ts'
import { runTask, type TaskInputs, type TaskName } from './tasks.ts'

/**
 * Bytes, of which young objects may have 16 MiB. V8 gives memory back late; a new worker costs less
 * than a document that needs so much.
 */
const LARGE_HEAP = 52 * 1024 * 1024

/** What a worker answers. */
export interface Answered {
  done: unknown
  /** It holds so much memory that it should end. */
  large: boolean
  /** Milliseconds of processor that it has had since it was started. */
  usedMs: number
}

/** A task with its input: what `createJudges` sends to a worker. */
type Sent<K extends TaskName = TaskName> = { [T in K]: { task: T; input: TaskInputs[T] } }[K]

/**
 * Does one task after the other. `before` may do something else with one first: tests misbehave.
 */
export function answerTasks(port: MessagePort, before: (sent: Sent) => void = () => {}): void {
  port.on('message', async (sent: Sent) => {
    before(sent)
    const done = await runTask(sent.task, sent.input)
    const large = getHeapStatistics().total_heap_size > LARGE_HEAP
    port.postMessage({ done, large, usedMs: ofThisThread() } satisfies Answered, movedBack(done))
  })
}
