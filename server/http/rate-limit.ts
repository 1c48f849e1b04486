import type { Context } from 'hono'
import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../db/connect.ts'
import { rate_limits } from '../db/tables.ts'
import type { ServerEnv } from './env.ts'
import { ApiError } from './errors.ts'

/**
 * How many requests a key has in a window of so many seconds. `name` stands in the headers and in
 * the stored counters.
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

// Unspecified: a key may ask for 20 walks per hour: each sends up to 60 requests per intent to a store.
export const WALK_QUOTA: Quota = { name: 'walk', requests: 20, seconds: 3600 }

/** Counts a request, and throws 429 when the quota is used up. */
export type CountRequest = (c: Context<ServerEnv>) => Promise<void>

// Unspecified: who has no key may have five audits made per day and network, thirty from networks that
// are neighbours; all of them together six per hour of one site, so that nobody is flooded through us.
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

/** A quota of those who have no key, counted in the database as well. */
export function countBy(db: Db, quota: Quota): Counter {
  const limiter = limiterOf(db, quota)
  return {
    take: async (key) => {
      const { used, reset } = await consume(limiter, key)
      return used <= quota.requests ? null : reset
    },
    giveBack: async (key) => {
      await limiter.reward(key, 1)
    },
  }
}

const limiterOf = (db: Db, { name, requests, seconds }: Quota): RateLimiterDrizzle =>
  new RateLimiterDrizzle({
    storeClient: db,
    schema: rate_limits,
    keyPrefix: name,
    points: requests,
    duration: seconds,
    // The sweep of the table does (`server/db/retention/kept.ts`).
    clearExpiredByTimeout: false,
  })

/**
 * Counts a request against its key's quota, in the database, so that replicas count together. Sets
 * the rate-limit headers (draft-ietf-httpapi-ratelimit-headers and X-RateLimit-*) and throws 429
 * when the quota is used up.
 */
export function limitRequests(db: Db, quota: Quota): CountRequest {
  const { name, requests, seconds } = quota
  const limiter = limiterOf(db, quota)
  return async (c) => {
    const { used, left, reset } = await consume(limiter, c.var.key.id)
    c.header('RateLimit-Policy', `"${name}";q=${requests};w=${seconds}`)
    c.header('RateLimit', `"${name}";r=${left};t=${reset}`)
    c.header('X-RateLimit-Limit', String(requests))
    c.header('X-RateLimit-Remaining', String(left))
    c.header('X-RateLimit-Reset', String(reset))
    if (used <= requests) return
    throw new ApiError(
      429,
      'rate_limited',
      `This key has used its ${requests} requests per ${seconds / 60} minutes. Try again in ${reset} seconds.`,
      { headers: { 'Retry-After': String(reset) } },
    )
  }
}

/** The limiter rejects with the same numbers that it resolves with. `reset` is in seconds. */
async function consume(limiter: RateLimiterDrizzle, key: string) {
  const state = await limiter.consume(key).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal
    throw refusal
  })
  return {
    used: state.consumedPoints,
    left: state.remainingPoints,
    // At least 1: a client told to wait 0 seconds would ask again in the same window.
    reset: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
  }
}
