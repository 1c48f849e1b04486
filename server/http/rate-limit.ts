import { hash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { tenantOf } from '../db/access/keys.ts'
import { rate_limits } from '../db/access/tables.ts'
import type { Db } from '../db/connect.ts'
import { countOnce, type UsedOfWindow, uncountOnce } from '../db/rate-limits.ts'
import { ApiError } from './api-error.ts'
import type { ServerEnv } from './env.ts'

/**
 * How many requests a key has in a window of `seconds`. `name` is in the headers and in the stored
 * counters.
 */
export interface Quota {
  name: string
  requests: number
  seconds: number
}

// Unspecified: a window of one hour starts with a key's first request; over the limit, 429 gives
// the seconds until the next window.

/** Spec, Limits: "60 requests per hour" for /api/audit. */
export const AUDIT_QUOTA: Quota = { name: 'audit', requests: 60, seconds: 3600 }

// Unspecified: validating by URL counts against a limit of its own, 600 per hour, since it sends
// requests. An object costs nothing and is not counted.
export const VALIDATE_QUOTA: Quota = { name: 'validate', requests: 600, seconds: 3600 }

// Unspecified: a key may ask for 20 walks per hour: each sends up to 60 requests per intent to a
// store.
export const WALK_QUOTA: Quota = { name: 'walk', requests: 20, seconds: 3600 }

// Unspecified: a key may send lines of logs 36,000 times per hour: drains send a few at a time.
export const FETCHES_QUOTA: Quota = { name: 'fetches', requests: 36_000, seconds: 3600 }

// Unspecified: a key may test channels 60 times per hour, and 20 addresses per hour are asked for
// it whether they want alerts; one address is asked at most three times per day, over all keys.
export const CHANNEL_TEST_QUOTA: Quota = { name: 'channel_test', requests: 60, seconds: 3600 }
export const CONFIRM_QUOTA: Quota = { name: 'confirm_by_key', requests: 20, seconds: 3600 }
export const CONFIRM_ADDRESS_QUOTA: Quota = {
  name: 'confirm_address',
  requests: 3,
  seconds: 86_400,
}

// Unspecified: thirty walks an hour may buy at one host, over all keys, because each walk opens
// dozens of sessions there.
export const WALK_HOST_QUOTA: Quota = { name: 'walk_host', requests: 30, seconds: 3600 }

/** Counts a request, and throws 429 when the quota is used up. */
type CountRequest = (c: Context<ServerEnv>) => Promise<void>

// Unspecified: callers without a key may have five audits made per day and address, and thirty from
// neighbouring addresses; all of them together six per hour of one site, so that they cannot flood
// a site through us.
export const FIRST_AUDIT_QUOTA: Quota = { name: 'first_audit', requests: 5, seconds: 86_400 }
export const FIRST_AUDIT_BLOCK_QUOTA: Quota = {
  ...FIRST_AUDIT_QUOTA,
  name: 'first_audit_block',
  requests: 30,
}
export const FIRST_AUDIT_TARGET_QUOTA: Quota = {
  name: 'first_audit_target',
  requests: 6,
  seconds: 3600,
}

/** Counts by any name. */
export interface Counter {
  /** Seconds until there is room again; null where there was. */
  take: (key: string) => Promise<number | null>
  /** Takes the last one back. */
  giveBack: (key: string) => Promise<void>
}

/**
 * What network addresses are counted by, because a dump holds the counters: hashes. One of an
 * address alone could be found by trying all of IPv4, so each includes the start time of Postgres,
 * which all replicas share and no dump holds, without a secret to set or keep. Counts begin anew
 * when Postgres restarts.
 */
export async function hideAddresses(db: Db): Promise<(address: string) => string> {
  const [row] = await db.execute<{ started: string }>(
    sql`select extract(epoch from pg_postmaster_start_time())::text as started`,
  )
  if (row === undefined) throw new Error('Postgres has not said when it started.')
  return (address) => hash('sha256', `${row.started} ${address}`)
}

/** A quota of those who have no key, counted in the database as well; that of a key, by its id. */
export function countBy(db: Db, { name, requests, seconds }: Quota): Counter {
  return {
    take: async (key) => {
      const { used, reset } = await countOnce(db, rate_limits, `${name}:${key}`, seconds)
      return used <= requests ? null : reset
    },
    giveBack: async (key) => {
      await uncountOnce(db, rate_limits, `${name}:${key}`)
    },
  }
}

/** The answer to who has asked too often. `message` says why, and until when. */
export const rateLimited = (message: string, seconds: number): ApiError =>
  new ApiError(429, 'rate_limited', message, { headers: { 'Retry-After': String(seconds) } })

/**
 * Counts a request against its key's quota, in the database, so that replicas count together. Sets
 * the rate-limit headers (draft-ietf-httpapi-ratelimit-headers and X-RateLimit-*) and throws 429
 * when the quota is used up.
 */
export function limitRequests(db: Db, quota: Quota): CountRequest {
  const { name, requests, seconds } = quota
  return async (c) => {
    const key = `${name}:${tenantOf(c.var.key)}`
    const { used, reset } = await countOnce(db, rate_limits, key, seconds)
    sayUsed(c, quota, { used, reset })
    if (used <= requests) return
    throw rateLimited(
      `This key has used its ${requests} requests per ${seconds / 60} minutes. Try again in ${reset} seconds.`,
      reset,
    )
  }
}

/**
 * Takes back what `limitRequests` has counted for a request, also in the headers: a request that
 * fails for lack of a slot must not cost its caller one.
 */
export function giveRequestBack(db: Db, quota: Quota): CountRequest {
  return async (c) => {
    const used = await uncountOnce(db, rate_limits, `${quota.name}:${tenantOf(c.var.key)}`)
    if (used !== null) sayUsed(c, quota, used)
  }
}

/** Whether nothing was done because all places are taken, or the service stops. */
export const isForLackOfPlace = (error: unknown): boolean =>
  error instanceof ApiError && ['too_many_waiting', 'busy'].includes(error.code)

/** What an answer to a request that was counted says. */
export const RATE_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const
export type RateHeader = (typeof RATE_HEADERS)[number]

function sayUsed(
  c: Context<ServerEnv>,
  { name, requests, seconds }: Quota,
  { used, reset }: UsedOfWindow,
): void {
  const left = Math.max(0, requests - used)
  const said: Record<RateHeader, string> = {
    RateLimit: `"${name}";r=${left};t=${reset}`,
    'RateLimit-Policy': `"${name}";q=${requests};w=${seconds}`,
    'X-RateLimit-Limit': String(requests),
    'X-RateLimit-Remaining': String(left),
    'X-RateLimit-Reset': String(reset),
  }
  for (const header of RATE_HEADERS) c.header(header, said[header])
}
