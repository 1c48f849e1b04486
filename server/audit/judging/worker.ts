import { constants, setPriority } from 'node:os'
import { type Inputs, TASKS, type TaskName } from './tasks.ts'

// Of a process id 0, Linux takes the calling thread (setpriority(2), "C library/kernel
// differences"): answers to the API go before audits. Elsewhere it would be the whole process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

/** What the pool calls in each of its workers. */
export function run<K extends TaskName>({ task, input }: { task: K; input: Inputs[K] }) {
  const tasks: { [K in TaskName]: (input: Inputs[K]) => unknown } = TASKS
  return tasks[task](input)
}

export default run
