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

/**
 * Counts a request against its key's quota, in the database, so that replicas count together. Sets
 * the rate-limit headers (draft-ietf-httpapi-ratelimit-headers and X-RateLimit-*) and throws 429
 * when the quota is used up.
 */
export function limitRequests(db: Db, { name, requests, seconds }: Quota): CountRequest {
  const limiter = new RateLimiterDrizzle({
    storeClient: db,
    schema: rate_limits,
    keyPrefix: name,
    points: requests,
    duration: seconds,
    // The sweep of the table does (`server/db/retention/kept.ts`).
    clearExpiredByTimeout: false,
  })
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
