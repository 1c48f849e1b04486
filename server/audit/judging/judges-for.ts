import type { Judges } from './judges.ts'

// Unspecified: an audit, a validation or the reading of a page has ten seconds of the workers'
// time; what it would read after that is not read. The pages of an honest store take a tenth of it,
// and a feed is read for six seconds at most.
const MOST_MS = 10_000

/** The judges for one audit, or another work of a caller, who shares them with all others. */
export const judgesFor = (judges: Judges, caller: object, mostMs: number = MOST_MS): Judges => {
  const account = { caller: JSON.stringify(caller), mostMs, tookMs: 0 }
  return { ...judges, run: (task, input) => judges.run(task, input, account) }
}
