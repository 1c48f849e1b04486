import { repeat } from '../../repeat.ts'
import { type DigestsDeps, sendDigests } from './send-digests.ts'

/** Between two searches for what is due. */
const PAUSE_MS = 15_000

/** Begins the digests of this process, which it shares with the other replicas. */
export const runDigests = (deps: DigestsDeps) =>
  repeat({
    everyMs: PAUSE_MS,
    work: (signal) => sendDigests(deps, signal),
    onError: (err) => deps.log.error({ err }, 'digests could not be written'),
  })
