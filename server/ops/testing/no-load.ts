import type { EngineLoad } from '../../audit/engine.ts'
import type { WalksLoad } from '../../audit/walk/jobs.ts'

/** An engine that nobody asks anything. */
export const NO_LOAD: EngineLoad = {
  places: {
    key: { running: 0, waiting: 0, places: 8 },
    stranger: { running: 0, waiting: 0, places: 4 },
    watch: { running: 0, waiting: 0, places: 4 },
  },
  judges: {
    workers: 0,
    waiting: 0,
    most: 2,
    tasks: { done: 0, time: 0, memory: 0, failed: 0 },
  },
}

/** Nobody walks. */
export const NO_WALKS: WalksLoad = {
  running: 0,
  waiting: 0,
  places: 4,
  outcomes: { ended: 0, cancelled: 0, stopped: 0, failed: 0 },
  leftOpen: 0,
}
