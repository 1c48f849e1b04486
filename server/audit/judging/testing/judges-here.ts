import type { Judges } from '../judges.ts'
import { TASKS, type TaskInputs, type TaskName } from '../tasks.ts'

const tasks: { [K in TaskName]: (input: TaskInputs[K]) => ReturnType<(typeof TASKS)[K]> } = TASKS

/** Judges in this thread, without a worker's start; copies as a worker would. */
export const JUDGES_HERE: Judges = {
  run: async (task, input) => ({ done: structuredClone(tasks[task](structuredClone(input))) }),
  close: async () => {},
}
