import type { MessagePort } from 'node:worker_threads'
import { TASKS, type TaskInputs, type TaskName } from './tasks.ts'

/** A task with its input: what `createJudges` sends to a worker. */
type Sent<K extends TaskName = TaskName> = { [T in K]: { task: T; input: TaskInputs[T] } }[K]

function run<K extends TaskName>({ task, input }: { task: K; input: TaskInputs[K] }) {
  const tasks: { [T in TaskName]: (input: TaskInputs[T]) => unknown } = TASKS
  return tasks[task](input)
}

/** Does one task after the other. `before` may do something else with one first: tests misbehave. */
export function answerTasks(port: MessagePort, before: (sent: Sent) => void = () => {}): void {
  port.on('message', (sent: Sent) => {
    before(sent)
    port.postMessage({ done: run(sent) })
  })
}
