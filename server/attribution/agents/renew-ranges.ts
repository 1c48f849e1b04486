import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import type { Fetched } from '../../../shared/web/http/fetched.ts'
import { dayOf } from '../../../shared/web/moment.ts'
import { keepRanges, readRanges } from '../../db/attribution/agent-ranges.ts'
import type { Db } from '../../db/connect.ts'
import { BUILT_IN_COPIES, PUBLISHED_LISTS, type RangeCopy } from './published-lists.ts'

/** What is held of one list. */
export interface HeldList {
  list: string
  operator: string
  url: string
  /** The day of the newest copy; null: none is held. */
  since: string | null
  /** How many addresses and ranges it has. */
  ranges: number
  /** How many copies are held. */
  copies: number
}

/** What became of one list. */
export interface RenewedList extends HeldList {
  outcome: 'renewed' | 'unchanged' | 'failed' | 'by_hand'
  /** Why it failed. */
  problem: string | null
}

/** Lists have a few hundred ranges, and this many at most. */
const MOST_RANGES = 20_000

/** A range of an operator's agents is no larger than these, so that no list can name everybody. */
const SHORTEST = { ipv4: 12, ipv6: 24 }

/** The newest copies of all lists, and how many there are. */
export async function listRanges(db: Db): Promise<HeldList[]> {
  const copies = await allCopies(db)
  return PUBLISHED_LISTS.map(({ id, operator, url }) => {
    const own = copies.filter(({ list }) => list === id)
    const newest = own.at(-1)
    return {
      ...{ list: id, operator, url, since: newest?.since ?? null },
      ...{ ranges: newest?.prefixes.length ?? 0, copies: own.length },
    }
  })
}

/** Reads all lists from their operators, and keeps those that have changed under today's date. */
export async function renewRanges({
  db,
  now,
  read,
}: {
  db: Db
  now: () => Date
  /** Asks for a list: a public host, as few bytes as a list has. */
  read: (url: string) => Promise<Fetched>
}): Promise<RenewedList[]> {
  const copies = await allCopies(db)
  const done: RenewedList[] = []
  for (const held of await listRanges(db)) {
    const isPage = PUBLISHED_LISTS.some(({ id, isPage: page }) => id === held.list && page)
    const found = isPage ? null : prefixesIn(await read(held.url))
    if (found === null || 'problem' in found) {
      const outcome = found === null ? 'by_hand' : 'failed'
      done.push({ ...held, outcome, problem: found?.problem ?? null })
      continue
    }
    const { prefixes } = found
    const newest = copies.findLast(({ list }) => list === held.list)
    const isSame = newest !== undefined && [...newest.prefixes].sort().join() === prefixes.join()
    if (!isSame) await keepRanges(db, { list: held.list, since: dayOf(now().getTime()), prefixes })
    done.push({ ...held, outcome: isSame ? 'unchanged' : 'renewed', problem: null })
  }
  const after = new Map((await listRanges(db)).map((held) => [held.list, held]))
  return done.map((each) => ({ ...each, ...after.get(each.list) }))
}

const allCopies = async (db: Db): Promise<RangeCopy[]> =>
  [...BUILT_IN_COPIES, ...(await readRanges(db))].sort((a, b) => (a.since < b.since ? -1 : 1))

/** The form that Google gave its lists, and the others took over. */
const Published = z.object({
  prefixes: z
    .array(z.object({ ipv4Prefix: z.string().optional(), ipv6Prefix: z.string().optional() }))
    .min(1)
    .max(MOST_RANGES),
})

/** The ranges of a list, sorted; or why it cannot be used. */
function prefixesIn(fetched: Fetched): { prefixes: string[] } | { problem: string } {
  if (fetched.kind !== 'answer') return { problem: 'it did not answer' }
  if (fetched.status !== 200) return { problem: `it answered with status ${fetched.status}` }
  const read = fetched.truncated ? undefined : Published.safeParse(parsed(fetched.body)).data
  if (read === undefined) return { problem: 'it is not a list of prefixes' }
  const prefixes = read.prefixes.flatMap(({ ipv4Prefix, ipv6Prefix }) =>
    [ipv4Prefix, ipv6Prefix].filter((each) => each !== undefined),
  )
  const wrong = prefixes.find((prefix) => !isRange(prefix))
  if (wrong !== undefined)
    return { problem: `it has a range that cannot be: ${wrong.slice(0, 50)}` }
  return { prefixes: [...new Set(prefixes.map((each) => each.replace(/\/32$/, '')))].sort() }
}

function isRange(prefix: string): boolean {
  const [address = '', length = ''] = prefix.split('/')
  if (!ipaddr.isValid(address)) return false
  const range = ipaddr.isValidCIDR(prefix) ? Number(length) : length === '' ? 128 : -1
  const read = ipaddr.parse(address)
  return read.range() === 'unicast' && range >= SHORTEST[read.kind()]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
