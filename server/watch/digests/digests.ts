import { repeat } from '../../process/repeat.ts'
import { type DigestsDeps, sendDigests } from './send-digests.ts'

/** Time between two searches for due digests. */
const PAUSE_MS = 15_000

/** Starts the digests of this process, which shares them with the other replicas. */
export const runDigests = (deps: DigestsDeps) =>
  repeat({
    everyMs: PAUSE_MS,
    work: (signal) => sendDigests(deps, signal),
    onError: (err) => deps.log.error({ err }, 'digests could not be written'),
  })
