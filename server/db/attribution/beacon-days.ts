import { and, eq, gt, inArray, min, sql as query } from 'drizzle-orm'
import type { SetAside } from '../../../shared/attribution/report.ts'
import type { Db } from '../connect.ts'
import type { AtShard } from '../sharding/shards.ts'
import { beacon_days } from './tables.ts'

/** What was counted of one property and day, to be added to what is stored. */
export type BeaconDayRow = typeof beacon_days.$inferInsert

/** Names a row. */
export type BeaconDayKey = Pick<BeaconDayRow, 'domain' | 'day' | 'property_id'>

/**
 * What is stored of these days of one shard, as one text per row; see `nameOfDay`. Others are left
 * out.
 */
export async function findAdmitted(
  at: AtShard,
  asked: readonly BeaconDayKey[],
): Promise<Map<string, number>> {
  const rows = await at<BeaconDayKey & { admitted: string | number }>(
    `select found.domain, found.day::text as day, found.property_id, found.admitted
    from jsonb_to_recordset($1::jsonb) as asked(domain text, day date, property_id text)
    join beacon_days found using (domain, day, property_id)`,
    [JSON.stringify(asked)],
  )
  return admittedOf(rows)
}

/**
 * Adds counts to their days of one shard, each given once; gives how many all replicas have let
 * through on them. Rows are written in key order, so that replicas wait for each other, but cannot
 * deadlock.
 */
export async function addBeaconDays(
  at: AtShard,
  rows: readonly BeaconDayRow[],
): Promise<Map<string, number>> {
  const written = await at<BeaconDayKey & { admitted: string | number }>(
    `insert into beacon_days as kept
      (domain, day, property_id, admitted, over_address, over_network, over_property)
    select domain, day, property_id, admitted, over_address, over_network, over_property
    from jsonb_to_recordset($1::jsonb) as given(
      domain text, day date, property_id text,
      admitted bigint, over_address bigint, over_network bigint, over_property bigint
    ) order by domain, day, property_id
    on conflict (domain, day, property_id) do update set
      admitted = kept.admitted + excluded.admitted,
      over_address = kept.over_address + excluded.over_address,
      over_network = kept.over_network + excluded.over_network,
      over_property = kept.over_property + excluded.over_property
    returning domain, day::text as day, property_id, admitted`,
    [JSON.stringify(rows)],
  )
  return admittedOf(written)
}

/** A row's key in one text: none of its parts holds a space. */
export const nameOfDay = ({ domain, day, property_id }: BeaconDayKey): string =>
  `${domain} ${day} ${property_id}`

/** Bigints leave one Postgres as text. */
const admittedOf = (rows: readonly (BeaconDayKey & { admitted: string | number })[]) =>
  new Map(rows.map((row) => [nameOfDay(row), Number(row.admitted)]))

/** The days of a domain on which something was set aside, over all its properties, oldest first. */
export async function readSetAside(
  db: Db,
  { domain, start, end }: { domain: string; start: string; end: string },
): Promise<SetAside[]> {
  const rows = await db.execute<Record<keyof SetAside, string>>(query`
    select day::text as date, sum(over_address + over_network + over_property) as sessions,
      sum(over_address) as by_address, sum(over_network) as by_network,
      sum(over_property) as by_property
    from beacon_days
    where domain = ${domain} and day between ${start}::date and ${end}::date
      and over_address + over_network + over_property > 0
    group by day order by day`)
  return rows.map(({ date, ...sums }) => ({
    date,
    sessions: Number(sums.sessions),
    by_address: Number(sums.by_address),
    by_network: Number(sums.by_network),
    by_property: Number(sums.by_property),
  }))
}

/**
 * The first day on which each of these properties of a domain had a visit that was let through, as
 * stored.
 */
export async function findFirstVisits(
  db: Db,
  domain: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ id: beacon_days.property_id, day: min(beacon_days.day) })
    .from(beacon_days)
    .where(
      and(
        eq(beacon_days.domain, domain),
        inArray(beacon_days.property_id, [...ids]),
        gt(beacon_days.admitted, 0),
      ),
    )
    .groupBy(beacon_days.property_id)
  return new Map(rows.flatMap(({ id, day }) => (day === null ? [] : [[id, day] as const])))
}
