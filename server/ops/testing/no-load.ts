import type { EngineLoad } from '../../audit/engine.ts'
import type { WalksLoad } from '../../audit/walk/jobs.ts'
import type { WatchFigures } from '../../db/watch/figures.ts'
import type { WatchesLoad } from '../../watch/scheduler.ts'

/** An idle engine. */
export const NO_LOAD: EngineLoad = {
  slots: {
    key: { running: 0, waiting: 0, slots: 8 },
    stranger: { running: 0, waiting: 0, slots: 4 },
    watch: { running: 0, waiting: 0, slots: 4 },
  },
  judges: {
    workers: 0,
    waiting: 0,
    most: 2,
    tasks: { done: 0, time: 0, memory: 0, failed: 0, starved: 0 },
  },
}

/** No walks. */
export const NO_WALKS: WalksLoad = {
  running: 0,
  waiting: 0,
  slots: 4,
  outcomes: { ended: 0, cancelled: 0, stopped: 0, failed: 0 },
  leftOpen: 0,
}

/** No watches. */
export const NO_CHECKS: WatchesLoad = {
  running: 0,
  slots: 4,
  ends: { seen: 0, unseen: 0, failed: 0, lost: 0 },
  late: 0,
  missed: 0,
}

export const NO_WATCHES: WatchFigures = {
  watches: { active: 0, paused: 0 },
  due: 0,
  queueAge: 0,
  digestAge: 0,
  deliveries: { due: 0, dueAge: 0, failing: 0 },
  channels: { working: 0, failing: 0, off: 0 },
  incidents: { gap: 0, unseen: 0, signal: 0 },
}
