import type { Withhold } from '../../../shared/walk/masking/masking.ts'
import type { Opening } from '../../../shared/walk/operation.ts'
import {
  deleteWalkSession,
  insertWalkSession,
  leaseLeftOpen,
  nameWalkSession,
  type WalkSessionRow,
} from '../../db/audit/walk-sessions.ts'
import type { WalkName } from '../../db/audit/walks.ts'
import type { Db } from '../../db/connect.ts'
import type { Ledger, OpenEntry } from './ledger.ts'
import type { RouteAddress } from './route-address.ts'

/**
 * The ledger of one walk in the database. Every note gets this walk's id, and loses its secrets.
 */
export const ledgerOf = (db: Db, { domain, id }: WalkName, withhold: Withhold): Ledger => ({
  opening: ({ key, opening, route, session, since }) =>
    insertWalkSession(db, {
      domain,
      key,
      walk_id: id,
      opening: withhold(opening),
      route: withhold(route),
      session,
      since: new Date(since),
    }),
  opened: (key, session) => nameWalkSession(db, { domain, key }, session),
  closed: (key) => deleteWalkSession(db, { domain, key }),
})

/** The ledger of sessions left open, over several domains, for the sweep that cancels them. */
export function ledgerOfLeftOpen(db: Db, entries: readonly OpenEntry[]): Pick<Ledger, 'closed'> {
  const domains = new Map(entries.map(({ key, domain }) => [key, domain]))
  return {
    closed: (key) => deleteWalkSession(db, { key, domain: domains.get(key) ?? '' }),
  }
}

/**
 * Sessions left open by dead walks, leased to this sweep. In random order, so that those that
 * cannot be cancelled do not block the others.
 */
export const leaseEntries = async (db: Db, now: Date): Promise<OpenEntry[]> =>
  (await leaseLeftOpen(db, now))
    .map((row) => ({ entry: entryOf(row), rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)

const entryOf = ({ walk_id, opening, route, since, ...row }: WalkSessionRow): OpenEntry => ({
  walk: walk_id,
  domain: row.domain,
  key: row.key,
  session: row.session,
  opening: asOpening(opening),
  route: asRoute(route),
  since: since.toISOString(),
})

/** Only `opening` above writes this column. */
const asOpening = (stored: unknown) => stored as Opening

/** Only `opening` above writes this column. */
const asRoute = (stored: unknown) => stored as RouteAddress
