import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { walkIdentityOf } from '../../audit/identity.ts'
import { createFetcher } from '../../audit/probe/fetch/fetch.ts'
import { cancelLeftOpen } from '../../audit/walk/cancel-left-open.ts'
import type { WalkDeps } from '../../audit/walk/order.ts'
import { walkDomain } from '../../audit/walk/walk-domain.ts'
import type { Config } from '../../config.ts'
import type { Signer } from '../../signatures/signer.ts'
import type { WalkCommandDeps } from './walk.ts'
import { openFileLedger } from './walk-ledger.ts'

/** What a walk from this machine needs: the network, and notes of what is open under DATA_DIR. */
export function openWalkNetwork(
  { baseUrl, testHosts, dataDir }: Pick<Config, 'baseUrl' | 'testHosts' | 'dataDir'>,
  {
    signer,
    judges,
    ...browsing
  }: Pick<WalkDeps, 'judges' | 'handOver' | 'walkPages'> & { signer: Signer | null },
): Pick<WalkCommandDeps, 'walk' | 'sweep' | 'openLedger'> & { close: () => Promise<void> } {
  const fetcher = createFetcher({ ...walkIdentityOf(baseUrl), testHosts, signer })
  const shared = { fetcher, judges, now: () => new Date(), newId: randomUUID }
  return {
    walk: (order, hooks) => walkDomain(order, { ...shared, ...browsing, ...hooks }),
    async sweep(ledger, { domain, agentKey, access = null }) {
      const left = await ledger.leftOpen()
      const [here, elsewhere] = [true, false].map((isHere) =>
        left.filter((entry) => (entry.domain === domain) === isHere),
      )
      const sweepOf = (entries = left, key?: string) =>
        cancelLeftOpen(entries, {
          ...shared,
          ledger,
          openAccess: async (of) => (of === domain ? access : null),
          ...(key !== undefined && { agentKey: key }),
        })
      // Only this store gets the key that it issued.
      return (await sweepOf(here, agentKey)) + (await sweepOf(elsewhere))
    },
    openLedger: (domain) => openFileLedger(join(dataDir, 'walks'), domain),
    close: () => fetcher.close(),
  }
}
