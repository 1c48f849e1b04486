import type { PageSeen } from '../../../shared/audit/evidence.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { type AuditSession, requestRead } from './session.ts'

/** Reads one HTML page. A page under an error status is not read: it is not the page asked for. */
export async function probePage(session: AuditSession, url: string): Promise<PageSeen> {
  const headers = { accept: 'text/html,application/xhtml+xml' }
  const asked = { url, headers, maxBytes: BODY_CAPS.page }
  const { fetched, read } = await requestRead(session, asked, 'page')
  if (fetched.kind !== 'answer' || read === null) return { fetched, page: null }
  const isPage = fetched.status >= 200 && fetched.status < 300
  return {
    fetched: { ...fetched, body: read.excerpt },
    page: isPage ? read.page : null,
    ...(read.platform !== null && { platform: read.platform }),
  }
}
