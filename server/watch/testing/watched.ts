import { randomUUID } from 'node:crypto'
import { JUDGED_ALL } from '../../../shared/audit/result/testing/judged-all.ts'
import { gradeOf } from '../../../shared/audit/score.ts'
import { PERIOD_MS } from '../../../shared/watch/period.ts'
import type { Db } from '../../db/connect.ts'
import { type IncidentRow, openIncident } from '../../db/watch/incidents.ts'
import { watch_looks } from '../../db/watch/tables.ts'
import { updateWatch, type WatchRow } from '../../db/watch/watches.ts'
import { createWatch } from '../set-up.ts'

/** Watches a domain that was checked just before `now`, and found well. */
export async function watchedDomain(
  db: Db,
  domain: string,
  { now, ...change }: Partial<Omit<WatchRow, 'domain'>> & { now: Date },
): Promise<WatchRow> {
  const maker = { keyId: 'a-test', mayReadReport: true }
  await createWatch({ db, now: () => now }, { domain }, maker)
  const looked_at = new Date(now.getTime() - 5 * 60_000)
  const row = await updateWatch(db, domain, {
    looked_at,
    outcome: 'seen',
    score: 92,
    grade: 'A',
    next_at: new Date(now.getTime() + 25 * 60_000),
    late_at: new Date(now.getTime() + 31 * 60_000),
    ...change,
  })
  if (row === null) throw new Error(`${domain} is not watched`)
  return row
}

/** An incident about a gap that opened two hours before `now`, unless `change` says otherwise. */
export async function hasIncident(
  db: Db,
  domain: string,
  { now, ...change }: Partial<Omit<IncidentRow, 'domain'>> & { now: Date },
): Promise<IncidentRow> {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const row: IncidentRow = {
    domain,
    id: randomUUID(),
    kind: 'gap',
    subject: 'catalog_empty',
    severity: 'critical',
    label: 'The catalog is empty',
    detail: `GET https://${domain}/ucp/catalog has no product, expected at least one.`,
    fix: 'Connect the catalog endpoint to the product data.',
    points: 24,
    changes: [],
    steps: [],
    is_known: false,
    is_told: true,
    well_at: ago(180),
    first_seen_at: ago(121),
    last_seen_at: ago(5),
    opened_at: ago(120),
    closed_at: null,
    ...change,
  }
  const made = await openIncident(db, row)
  if (made === null) throw new Error(`${row.subject} of ${domain} is open already`)
  return made
}

/** Checks with these scores, one in each period up to `now`, the oldest first; null: not seen. */
export async function hasChecks(
  db: Db,
  domain: string,
  {
    now,
    scores,
    period = 'daily',
  }: {
    now: Date
    scores: readonly (number | null)[]
    period?: WatchRow['period']
  },
): Promise<void> {
  const ms = PERIOD_MS[period]
  await db.insert(watch_looks).values(
    scores.map((score, at) => {
      const due = new Date(now.getTime() - (scores.length - at) * ms + ms / 2)
      return {
        domain,
        slot_at: new Date(Math.floor(due.getTime() / ms) * ms),
        look: 0,
        due_at: due,
        started_at: due,
        ended_at: new Date(due.getTime() + 4000),
        outcome: score === null ? ('unseen' as const) : ('seen' as const),
        score,
        grade: score === null ? null : gradeOf(score),
        gaps: [],
        requests: 31,
        judged: JUDGED_ALL,
        why: score === null ? 'The shop answered 403 to every request.' : null,
      }
    }),
  )
}
