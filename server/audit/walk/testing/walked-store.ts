import { createStore } from '../../../store/app.ts'
import { auditPlatforms } from '../../../store/testing/platforms.ts'
import { testDeps } from '../../../store/testing/store.ts'
import { fetcherTo } from '../../probe/testing/fetcher.ts'

/**
 * What a store needs that is walked: a walk that is tested makes in seconds what takes minutes
 * elsewhere.
 */
export const walkedDeps = () =>
  testDeps({
    now: () => new Date(),
    quota: { requests: 100_000, seconds: 60 },
    platformQuota: { requests: 100_000, seconds: 60 },
  })

/** Who sends no signature is taken at its word, as on the merchant's own machine. */
export const TRUSTING = { platforms: auditPlatforms, trustsProfiles: true } as const

/**
 * The reference store without a fault, served on loopback under every name that ends in `.example`.
 */
export async function walkedStore() {
  const store = await walkedDeps()
  const app = createStore({ deps: store.deps, faults: [], ...TRUSTING })
  return { ...store, fetcher: await fetcherTo({ fetch: app.fetch }) }
}
