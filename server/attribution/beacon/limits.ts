import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { networkOf } from '../../http/client-address.ts'
import { ApiError } from '../../http/errors.ts'

/** Per second. Many visitors share an address behind a carrier's or an office's network. */
const PER_ADDRESS = 60

/** At once, after a pause: a page that many people open at the same moment. */
const BURST = 120
const BURST_SECONDS = 10

/** Per second: one property must not take the capacity of the others. */
const PER_PROPERTY = 300

/** Limits on the public endpoint, which anyone may call. */
export interface BeaconLimits {
  /** Null for an unknown address: all of those share one limit. Both throw 429. */
  countAddress: (address: string | null) => Promise<void>
  countProperty: (id: string) => Promise<void>
}

/**
 * Per address 60 a second, with a burst of 120 once in ten seconds; per property 300 a second. Kept
 * in memory, because they protect this process and are not a quota. Counters expire after seconds.
 */
export function createBeaconLimits(): BeaconLimits {
  const address = new BurstyRateLimiter(
    new RateLimiterMemory({ points: PER_ADDRESS, duration: 1 }),
    new RateLimiterMemory({ points: BURST - PER_ADDRESS, duration: BURST_SECONDS }),
  )
  const property = new RateLimiterMemory({ points: PER_PROPERTY, duration: 1 })
  return {
    countAddress: (from) => count(address, networkOf(from), 'from this address'),
    countProperty: (id) => count(property, id, 'for this property'),
  }
}

/** Counts a request; throws 429 with Retry-After when there are too many. */
async function count(
  limiter: Pick<RateLimiterMemory, 'consume'>,
  key: string,
  where: string,
): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    throw new ApiError(
      429,
      'rate_limited',
      `Too many sessions per second ${where}. Try again in a second.`,
      { headers: { 'Retry-After': '1' } },
    )
  }
}
