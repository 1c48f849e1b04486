import { createLoop, type Loop } from '../loop.ts'
import { type SignalsDeps, searchSignals } from './search-signals.ts'

/** Between two searches for what is due: signals of a watch are searched for once an hour. */
const PAUSE_MS = 10_000

/** The signals of this process, which it shares with the other replicas. */
export const createSignals = (deps: SignalsDeps): Loop =>
  createLoop({
    everyMs: PAUSE_MS,
    work: async () => (await searchSignals(deps)).isDone,
    log: deps.log,
    failure: 'signals could not be searched for',
  })
