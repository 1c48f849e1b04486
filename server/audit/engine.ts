import pLimit from 'p-limit'
import { linksTo } from '../../shared/audit/gap-links.ts'
import type { Deps } from '../app.ts'
import type { Config } from '../config.ts'
import { ApiError } from '../http/errors.ts'
import { auditDomain, DomainUnreadable } from './audit-domain.ts'
import { createFetcher } from './probe/fetch/fetch.ts'
import type { Session } from './probe/fetch/session.ts'
import { probePage } from './probe/pages.ts'
import { validateUrl } from './validate-manifest.ts'

/** How our requests name themselves: a store's owner can read who asks, and write to us. */
export const userAgentOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): string =>
  `Aisle/1.0 (+${baseUrl})`

// One audit holds some megabytes of other people's pages: so many are in memory at once.
const MAX_AT_ONCE = 6
const MAX_WAITING = 30

/** What the API asks the network for. */
export interface Engine extends Pick<Deps, 'audit' | 'validateManifest' | 'readPage'> {
  close: () => Promise<void>
}

/** The engine as the API runs it: a domain that cannot be reached is the caller's to correct. */
export function createEngine(
  config: Pick<Config, 'baseUrl' | 'testHosts'>,
  now: () => Date,
): Engine {
  const fetcher = createFetcher({ userAgent: userAgentOf(config), testHosts: config.testHosts })
  const limit = pLimit(MAX_AT_ONCE)
  const admit = <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= MAX_WAITING) {
      const message = 'Too many audits are under way. Try again in a few seconds.'
      throw new ApiError(503, 'busy', message, { headers: { 'Retry-After': '10' } })
    }
    return limit(work)
  }
  const links = linksTo(config.baseUrl)
  const admitSession = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    admit(async () => {
      const session = fetcher.open()
      try {
        return await work(session)
      } finally {
        await session.close()
      }
    })
  return {
    audit: async (request) => {
      try {
        return await admit(() => auditDomain(request, { fetcher, now, links }))
      } catch (error) {
        if (!(error instanceof DomainUnreadable)) throw error
        const detail = { field: 'domain', code: 'endpoint_unreachable', message: error.message }
        throw new ApiError(422, error.code, error.message, { details: [detail] })
      }
    },
    validateManifest: (url) => admitSession((session) => validateUrl(session, url)),
    readPage: (url) => admitSession((session) => probePage(session, url)),
    close: () => fetcher.close(),
  }
}
