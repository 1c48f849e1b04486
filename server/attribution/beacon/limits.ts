import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { networkOf } from '../../http/client-address.ts'
import { ApiError } from '../../http/errors.ts'

const PER_ADDRESS = 60
const BURST = 120
const BURST_SECONDS = 10
const PER_PROPERTY = 300

export interface BeaconLimits {
  /** Null where the address is not known: all such share one limit. Both throw 429. */
  countAddress: (address: string | null) => Promise<void>
  countProperty: (id: string) => Promise<void>
}

/**
 * Per address 60 a second, once in ten seconds 120; per property 300. Kept in memory, as they
 * protect this process and are nobody's quota. A second's or ten's addresses are all that is held.
 */
export function createBeaconLimits(): BeaconLimits {
  const address = new BurstyRateLimiter(
    new RateLimiterMemory({ points: PER_ADDRESS, duration: 1 }),
    new RateLimiterMemory({ points: BURST - PER_ADDRESS, duration: BURST_SECONDS }),
  )
  const property = new RateLimiterMemory({ points: PER_PROPERTY, duration: 1 })
  return {
    countAddress: (from) => count(address, networkOf(from), 'This address sends'),
    countProperty: (id) => count(property, id, 'This property receives'),
  }
}

async function count(
  limiter: Pick<RateLimiterMemory, 'consume'>,
  key: string,
  who: string,
): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    throw new ApiError(
      429,
      'rate_limited',
      `${who} more sessions a second than are taken. Try again in a second.`,
      { headers: { 'Retry-After': '1' } },
    )
  }
}
