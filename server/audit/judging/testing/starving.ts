import type { Judges } from '../judges.ts'
import type { TaskName } from '../tasks.ts'
import { JUDGES_HERE } from './judges-here.ts'

/** Judges of a machine that has no time for some tasks; `n` counts all of them, from 1. */
export function starvingJudges(hasTime: (task: TaskName, n: number) => boolean): Judges {
  let n = 0
  return {
    ...JUDGES_HERE,
    run: async (task, input) => {
      n += 1
      return hasTime(task, n)
        ? JUDGES_HERE.run(task, input)
        : { exceeded: 'the machine of this audit was too busy to read it', ours: 'starved' }
    },
  }
}
