import type { Sql } from 'postgres'
import { FOR_A_PERSON, OVER } from '../../../shared/attribution/fetches/kept.ts'
import { shardsOf } from '../sharding/shards.ts'
import type { fetch_days } from './tables.ts'

type DayRow = typeof fetch_days.$inferSelect

/** A request of an agent, as it is added to the sums. */
export interface NewFetch extends Omit<DayRow, 'domain' | 'fetches' | 'last_at'> {
  /** Milliseconds UTC. */
  at: number
  /** Tells it from all others of its hour, and is the same when it comes again. */
  hash: bigint
}

/** What became of requests. */
interface AddedFetches {
  stored: number
  /** They were in the sums already. */
  repeated: number
  /** Their hour has as many as it may have. */
  over: number
}

const HOUR_MS = 3_600_000

// Unspecified: of one hour of a domain 250,000 requests of agents are counted, and of a day, of
// what is read for people and of the rest, verified and not, 5,000 rows each are kept by path.
const MOST_OF_HOUR = 250_000
const MOST_ROWS = 5000

/** How much of a day is kept by path: a person waits for it or not, verified or not. */
const GROUP = `verified = 'verified', purpose in (${FOR_A_PERSON.map((each) => `'${each}'`).join(', ')})`
const KEY = 'day, agent, purpose, verified, path, status'
const COLUMNS = `domain, ${KEY}, surface, operator, fetches, last_at`
const ADDED = `on conflict (domain, ${KEY}) do update set
  fetches = kept.fetches + excluded.fetches, last_at = greatest(kept.last_at, excluded.last_at)`

/**
 * Adds requests to the sums of a domain, each once however often it comes: what is in them is
 * noted in the same transaction. So a file may come again, in parts, in any order, or after a kill.
 */
export async function addFetches(
  sql: Sql,
  domain: string,
  fetches: readonly NewFetch[],
  { mostOfHour = MOST_OF_HOUR, mostRows = MOST_ROWS } = {},
): Promise<AddedFetches> {
  if (fetches.length === 0) return { stored: 0, repeated: 0, over: 0 }
  return sql.begin(async (tx) => {
    // One at a time of a domain: what is noted of an hour is read, and written as a whole.
    await tx`select pg_advisory_xact_lock(hashtext('fetches'), hashtext(${domain}))`
    const at = shardsOf(sql).at([domain], tx)
    const byHour = Map.groupBy(fetches, (each) => Math.floor(each.at / HOUR_MS))
    const kept = await at<{ hour: string | number; hashes: string }>(
      `select extract(epoch from hour)::bigint as hour, encode(hashes, 'base64') as hashes
      from fetch_hours where domain = $1 and hour in (
        select to_timestamp(asked::bigint) from jsonb_array_elements_text($2::jsonb) as asked)`,
      [domain, JSON.stringify([...byHour.keys()].map((hour) => hour * 3600))],
    )
    const noted = new Map(kept.map(({ hour, hashes }) => [Number(hour) / 3600, readHashes(hashes)]))
    const added: NewFetch[] = []
    const hours: { hour: number; hashes: string; over: number }[] = []
    let over = 0
    for (const [hour, ofHour] of byHour) {
      const before = noted.get(hour) ?? new BigUint64Array()
      const fresh = new Map<bigint, NewFetch>()
      for (const each of ofHour) if (!holds(before, each.hash)) fresh.set(each.hash, each)
      const room = Math.max(0, mostOfHour - before.length)
      // By their hashes, so that the order in which they come decides as little as can be.
      const taken = [...fresh].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, room)
      const left = fresh.size - taken.length
      if (fresh.size === 0) continue
      over += left
      for (const [, each] of taken) added.push(each)
      const hashes = merged(
        before,
        taken.map(([hash]) => hash),
      )
      hours.push({ hour: hour * 3600, hashes, over: left })
    }
    if (hours.length > 0) {
      await at(
        `insert into fetch_hours as kept (domain, hour, hashes, over)
        select $1::text, to_timestamp(hour), decode(hashes, 'base64'), over
        from jsonb_to_recordset($2::jsonb) as given(hour bigint, hashes text, over integer)
        on conflict (domain, hour) do update
          set hashes = excluded.hashes, over = kept.over + excluded.over
        returning over`,
        [domain, JSON.stringify(hours)],
      )
    }
    if (added.length > 0) {
      const written = await at<{ day: string; is_new: boolean }>(
        `insert into fetch_days as kept (${COLUMNS})
        select $1::text, ${KEY}, surface, operator, fetches, last_at
        from jsonb_to_recordset($2::jsonb) as given(day date, agent text, purpose text,
          verified text, path text, status smallint, surface text, operator text, fetches bigint,
          last_at timestamptz)
        ${ADDED}
        returning day::text as day, kept.xmax = 0 as is_new`,
        [domain, JSON.stringify(summed(added))],
      )
      const grown = new Set(written.flatMap(({ day, is_new }) => (is_new ? [day] : [])))
      for (const day of grown) await foldDay(at, { domain, day, mostRows })
    }
    return { stored: added.length, repeated: fetches.length - added.length - over, over }
  })
}

/**
 * Counts together what a day has over its bound. Which paths those are does not depend on the order
 * in which they came: the first ones by a hash stay, so one that is out never comes back.
 */
async function foldDay(
  at: ReturnType<ReturnType<typeof shardsOf>['at']>,
  { domain, day, mostRows }: { domain: string; day: string; mostRows: number },
): Promise<void> {
  const [most] = await at<{ rows: number }>(
    `select count(*)::int as rows from fetch_days kept
    where domain = $1 and day = $2::date and path <> '${OVER}'
    group by ${GROUP} order by 1 desc limit 1`,
    [domain, day],
  )
  if (most === undefined || most.rows <= mostRows) return
  await at(
    `with placed as materialized (
      select *, row_number() over (
        partition by ${GROUP} order by md5(path), agent, purpose, verified, status) as place
      from fetch_days where domain = $1 and day = $2::date and path <> '${OVER}'
    ), gone as (
      delete from fetch_days kept using placed surplus
      where kept.domain = $1 and kept.day = $2::date and place > $3::int
        and kept.agent = surplus.agent and kept.purpose = surplus.purpose
        and kept.verified = surplus.verified and kept.path = surplus.path and kept.status = surplus.status
      returning kept.*
    )
    insert into fetch_days as kept (${COLUMNS})
    select domain, day, agent, purpose, verified, '${OVER}', status, max(surface), max(operator),
      sum(fetches), max(last_at)
    from gone group by domain, day, agent, purpose, verified, status
    ${ADDED}
    returning status`,
    [domain, day, mostRows],
  )
}

/** Forgets all that is kept of a domain's logs. Resolves to the number of rows. */
export async function forgetFetches(sql: Sql, domain: string): Promise<number> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('fetches'), hashtext(${domain}))`
    const at = shardsOf(sql).at([domain], tx)
    const days = await at(`delete from fetch_days where domain = $1 returning status`, [domain])
    const hours = await at(`delete from fetch_hours where domain = $1 returning over`, [domain])
    return days.length + hours.length
  })
}

/** One row for each that differs, in the order of keys. */
function summed(fetches: readonly NewFetch[]): unknown[] {
  const rows = new Map<string, Omit<NewFetch, 'hash'> & { fetches: number }>()
  for (const { hash: _, ...each } of fetches) {
    const { day, agent, purpose, verified, path, status } = each
    const key = [day, agent, purpose, verified, path, status].join('\n')
    const row = rows.get(key)
    if (row === undefined) rows.set(key, { ...each, fetches: 1 })
    else {
      row.fetches += 1
      row.at = Math.max(row.at, each.at)
    }
  }
  return [...rows.values()].map(({ at, ...row }) => ({
    ...row,
    last_at: new Date(at).toISOString(),
  }))
}

/** As they are stored: eight bytes each, the lowest first, as the platforms of Node have them. */
const readHashes = (base64: string): BigUint64Array =>
  new BigUint64Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer)

function holds(sorted: BigUint64Array, hash: bigint): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0n) < hash) low = middle + 1
    else high = middle
  }
  return sorted[low] === hash
}

function merged(before: BigUint64Array, more: readonly bigint[]): string {
  const all = new BigUint64Array(before.length + more.length)
  all.set(before)
  all.set(more, before.length)
  all.sort()
  return Buffer.from(all.buffer).toString('base64')
}
