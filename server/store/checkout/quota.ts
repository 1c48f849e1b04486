import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../../db/connect.ts'
import { store_rate_limits } from '../db/tables.ts'
import type { StoreDeps } from './deps.ts'

/** Unspecified: a buyer may create sixty checkouts in an hour, more than anybody needs. */
export const CHECKOUT_QUOTA: StoreDeps['quota'] = { requests: 60, seconds: 3600 }

/**
 * Unspecified: a platform of the official dialects, which buys for many, may open one session a second
 * over an hour.
 */
export const PLATFORM_QUOTA: StoreDeps['quota'] = { requests: 3600, seconds: 3600 }

/** Counts a checkout of a buyer: the seconds to wait when there were too many, else null. */
export type CountCheckout = (buyer: string) => Promise<number | null>

/** Counts a buyer's checkouts in the database, so that replicas count together. */
export function countCheckouts(db: Db, { requests, seconds }: StoreDeps['quota']): CountCheckout {
  const limiter = new RateLimiterDrizzle({
    storeClient: db,
    schema: store_rate_limits,
    keyPrefix: 'checkout',
    points: requests,
    duration: seconds,
    // The sweep of the table does (`ops/kept.ts`).
    clearExpiredByTimeout: false,
  })
  return async (buyer) => {
    try {
      await limiter.consume(buyer)
      return null
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
    }
  }
}
