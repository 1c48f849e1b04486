import type { Deps } from './app.ts'
import type { Config } from './config.ts'
import { ApiError } from './errors.ts'
import { auditDomain, DomainUnreachable } from './probe/audit.ts'
import { createFetcher } from './probe/fetch.ts'

/** How our requests name themselves: a store's owner can read who asks, and write to us. */
export const userAgentOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): string =>
  `Aisle/1.0 (+${baseUrl})`

export interface Auditor {
  audit: Deps['audit']
  close: () => Promise<void>
}

/** The engine as the API runs it: a domain that cannot be reached is the caller's to correct. */
export function createAuditor(
  config: Pick<Config, 'baseUrl' | 'testHosts'>,
  now: () => Date,
): Auditor {
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
    close: () => fetcher.close(),
  }
}
