import type { EngineLoad } from '../../audit/engine.ts'

/** An engine that nobody asks anything. */
export const NO_LOAD: EngineLoad = {
  places: {
    key: { running: 0, waiting: 0, places: 8 },
    stranger: { running: 0, waiting: 0, places: 4 },
  },
  judges: {
    workers: 0,
    waiting: 0,
    most: 2,
    tasks: { done: 0, time: 0, memory: 0, failed: 0 },
  },
}
