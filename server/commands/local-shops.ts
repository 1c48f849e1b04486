import { localShopPort } from '../../shared/web/address/local-shop.ts'
import { printable } from '../../shared/web/text/printable.ts'
import type { TestHost } from '../audit/probe/fetch/test-hosts.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'

/**
 * Opens those of the domains that are shops on this machine, for a fetcher that reads `testHosts`.
 * Returns what closes them. Throws a CommandError where nothing answers.
 */
export async function openLocalShops(
  domains: readonly string[],
  testHosts: TestHost[],
  terminal: Terminal,
): Promise<() => Promise<void>> {
  const ports = domains.map(localShopPort).filter((port) => port !== null)
  if (ports.length === 0) return async () => {}
  // Most runs have none, and a server is loaded for them.
  const { createLocalShops, LocalShopAway } = await import('../audit/probe/fetch/local-shops.ts')
  const shops = createLocalShops(testHosts)
  try {
    for (const port of ports) {
      const domain = await shops.open(port)
      terminal.remark(printable`${domain} stands for http://localhost:${port}.`)
    }
  } catch (error) {
    await shops.close()
    if (!(error instanceof LocalShopAway)) throw error
    throw new CommandError(printable`${error.message}`, { code: 'domain_unreachable' })
  }
  return shops.close
}
