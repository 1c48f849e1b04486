import type { PageSeen } from '../../../shared/audit/evidence.ts'
import { readPage } from '../../../shared/markup/page.ts'
import { BODY_CAPS } from './fetch/request.ts'
import type { FetchSession } from './fetch/session.ts'

/** Reads one HTML page. A page under an error status is not read: it is not the page asked for. */
export async function probePage(session: FetchSession, url: string): Promise<PageSeen> {
  const fetched = await session.request({
    url,
    headers: { accept: 'text/html,application/xhtml+xml' },
    maxBytes: BODY_CAPS.page,
  })
  const isPage = fetched.kind === 'answer' && fetched.status >= 200 && fetched.status < 300
  return {
    fetched,
    page: isPage ? readPage(fetched.body, fetched.final_url, !fetched.truncated) : null,
  }
}
