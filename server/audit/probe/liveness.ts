import { reachabilityOf } from '../../../shared/manifest/validation.ts'
import type { Fetched } from '../../../shared/web/http/fetched.ts'
import type { AuditSession } from './session.ts'

/** Enough of a body to tell a page from data. */
export const GLIMPSE_BYTES = 64 * 1024

/**
 * Asks an endpoint that is made for POST whether it is there, by safe requests alone: OPTIONS, and
 * GET where a server does not know OPTIONS. The answer that shows most life counts.
 */
export async function askLiveness(session: AuditSession, url: string): Promise<Fetched> {
  const ask = (method: 'OPTIONS' | 'GET') =>
    session.request({
      method,
      url,
      headers: { accept: 'application/json' },
      maxBytes: GLIMPSE_BYTES,
    })
  const options = await ask('OPTIONS')
  if (
    options.kind !== 'answer' ||
    reachabilityOf(options, { mayLackResource: true }) !== 'unreachable'
  )
    return options
  const get = await ask('GET')
  return get.kind === 'answer' ? get : options
}
