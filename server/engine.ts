import type { Deps } from './app.ts'
import type { Config } from './config.ts'
import { ApiError } from './errors.ts'
import { auditDomain, DomainUnreachable } from './probe/audit.ts'
import { createFetcher } from './probe/fetch.ts'
import { validateUrl } from './probe/validate-manifest.ts'

/** How our requests name themselves: a store's owner can read who asks, and write to us. */
export const userAgentOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): string =>
  `Aisle/1.0 (+${baseUrl})`

/** What the API asks the network for. */
export interface Engine extends Pick<Deps, 'audit' | 'validateManifest'> {
  close: () => Promise<void>
}

/** The engine as the API runs it: a domain that cannot be reached is the caller's to correct. */
export function createEngine(
  config: Pick<Config, 'baseUrl' | 'testHosts'>,
  now: () => Date,
): Engine {
  const fetcher = createFetcher({ userAgent: userAgentOf(config), testHosts: config.testHosts })
  return {
    audit: async (request) => {
      try {
        return await auditDomain(request, { fetcher, now, fixUrl: () => null })
      } catch (error) {
        if (!(error instanceof DomainUnreachable)) throw error
        const detail = { field: 'domain', code: 'endpoint_unreachable', message: error.message }
        throw new ApiError(422, 'domain_unreachable', error.message, { details: [detail] })
      }
    },
    validateManifest: async (url) => {
      const session = fetcher.open()
      try {
        return await validateUrl(session, url)
      } finally {
        await session.close()
      }
    },
    close: () => fetcher.close(),
  }
}
