import { repeat } from '../../process/repeat.ts'
import { type SignalsDeps, searchSignals } from './search-signals.ts'

/** Time between two searches for due watches; each watch is judged once an hour. */
const PAUSE_MS = 10_000

/** Starts the signals of this process, which shares them with the other replicas. */
export const runSignals = (deps: SignalsDeps) =>
  repeat({
    everyMs: PAUSE_MS,
    work: async () => ((await searchSignals(deps)).isDone ? 'done' : 'more'),
    onError: (err) => deps.log.error({ err }, 'signals could not be searched for'),
  })
