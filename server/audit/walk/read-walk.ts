import { isWalkOver, type WalkListed } from '../../../shared/walk/stored-walk.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { transcriptOf } from '../../../shared/walk/transcript-of-events.ts'
import { listWalkEvents, readTranscript, type WalkLine } from '../../db/audit/walks.ts'
import type { Db } from '../../db/connect.ts'
import { walkHead } from './jobs.ts'

/**
 * Base of a walk's addresses. A reader with a link has other addresses than the holder of a key.
 */
type WalkAddresses = Pick<WalkListed, 'url' | 'events_url'>

/** The addresses below one of a walk. */
export const addressesBelow = (url: string): WalkAddresses => ({ url, events_url: `${url}/events` })

/** A stored walk as the API shows it. */
export const listedWalk = (row: WalkLine, addresses: WalkAddresses): WalkListed => ({
  id: row.id,
  domain: row.domain,
  mode: row.mode,
  intents: row.intents,
  dialects: row.dialects,
  state: row.state,
  stopped: row.stopped,
  asked_at: row.asked_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  ended_at: row.ended_at?.toISOString() ?? null,
  summary: row.summary,
  ...addresses,
})

/** The transcript of a walk up to now. */
export async function transcriptSoFar(db: Db, row: WalkLine): Promise<Transcript> {
  const whole = isWalkOver(row.state) ? await readTranscript(db, row) : null
  if (whole !== null) return whole
  const events = await listWalkEvents(db, row)
  return transcriptOf(
    walkHead(row),
    events.map(({ event }) => event),
    null,
  )
}
