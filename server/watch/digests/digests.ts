import { createLoop, type Loop } from '../loop.ts'
import { type DigestsDeps, sendDigests } from './send-digests.ts'

/** Between two searches for what is due. */
const PAUSE_MS = 15_000

/** The digests of this process, which it shares with the other replicas. */
export const createDigests = (deps: DigestsDeps): Loop =>
  createLoop({
    everyMs: PAUSE_MS,
    work: async (signal) => {
      await sendDigests(deps, signal)
      return true
    },
    log: deps.log,
    failure: 'digests could not be written',
  })
