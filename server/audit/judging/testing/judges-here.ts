import { NO_LOAD } from '../../../ops/testing/no-load.ts'
import type { Judges } from '../judges.ts'
import { runTask } from '../tasks.ts'

/** Judges in this thread, without a worker's start; copies as a worker would. */
export const JUDGES_HERE: Judges = {
  run: async (task, input) => ({
    done: structuredClone(await runTask(task, structuredClone(input))),
  }),
  close: async () => {},
  load: () => NO_LOAD.judges,
}
