import type { Db } from '../../db/connect.ts'
import { countOnce } from '../../db/rate-limits.ts'
import { store_rate_limits } from '../db/tables.ts'
import type { StoreDeps } from './deps.ts'

/** Unspecified: a buyer may create sixty checkouts in an hour, more than anybody needs. */
export const CHECKOUT_QUOTA: StoreDeps['quota'] = { requests: 60, seconds: 3600 }

/**
 * Unspecified: a platform of the official dialects, which buys for many, may open one session a
 * second over an hour.
 */
export const PLATFORM_QUOTA: StoreDeps['quota'] = { requests: 3600, seconds: 3600 }

/** Counts a checkout of a buyer: the seconds to wait if there are too many, else null. */
export type CountCheckout = (buyer: string) => Promise<number | null>

/** Counts a buyer's checkouts in the database, so that replicas count together. */
export function countCheckouts(db: Db, { requests, seconds }: StoreDeps['quota']): CountCheckout {
  return async (buyer) => {
    const { used, reset } = await countOnce(db, store_rate_limits, `checkout:${buyer}`, seconds)
    return used <= requests ? null : reset
  }
}
