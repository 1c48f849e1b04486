import { repeat } from '../../repeat.ts'
import { type SignalsDeps, searchSignals } from './search-signals.ts'

/** Between two searches for what is due: signals of a watch are searched for once an hour. */
const PAUSE_MS = 10_000

/** Begins the signals of this process, which it shares with the other replicas. */
export const runSignals = (deps: SignalsDeps) =>
  repeat({
    everyMs: PAUSE_MS,
    work: async () => ((await searchSignals(deps)).isDone ? 'done' : 'more'),
    onError: (err) => deps.log.error({ err }, 'signals could not be searched for'),
  })
