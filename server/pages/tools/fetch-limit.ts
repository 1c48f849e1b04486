import type { Context } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { clientAddress, networkOf } from '../../http/client-address.ts'
import type { ServerEnv } from '../../http/env.ts'
import { rateLimited } from '../../http/rate-limit.ts'
import type { PageDeps } from '../site.tsx'

const MINUTES = 10
const PER_ADDRESS = 20
const IN_ALL = 300

// Unspecified: visitors without a key may make us fetch something 20 times per address, and 300
// times in all, in ten minutes. It is kept in memory, because it protects this process and is not a
// quota.

/** Counts a request that makes us fetch something; throws 429 beyond 20 per address, 300 in all. */
export function limitFetches({ trustedProxies }: Pick<PageDeps, 'trustedProxies'>) {
  const duration = MINUTES * 60
  const perAddress = new RateLimiterMemory({ points: PER_ADDRESS, duration })
  const inAll = new RateLimiterMemory({ points: IN_ALL, duration })
  return async (c: Context<ServerEnv>): Promise<void> => {
    // The address first: a client over its own limit must not use up the shared one.
    await take(perAddress, networkOf(clientAddress(c, trustedProxies)), 'Your limit')
    await take(inAll, 'all', 'The shared limit')
  }
}

async function take(limiter: RateLimiterMemory, key: string, which: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
    throw rateLimited(
      `${which} of checks per ${MINUTES} minutes is used up. Try again in ${seconds} seconds, or use the API with a key.`,
      seconds,
    )
  }
}
