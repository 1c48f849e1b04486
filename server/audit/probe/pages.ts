import type { PageSeen } from '../../../shared/audit/evidence.ts'
import type { NamedAsProduct } from '../../../shared/markup/product-page.ts'
import type { SealedPage } from '../judging/sealed-page.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { type AuditSession, requestRead } from './session.ts'

/**
 * Reads one HTML page. An answer with an error status, or with a bot challenge, is kept without a
 * page. `named` as in `judgeKind`.
 */
export async function probePage(
  session: AuditSession,
  url: string,
  named: NamedAsProduct | null = null,
): Promise<PageSeen<SealedPage>> {
  const headers = { accept: 'text/html,application/xhtml+xml' }
  const asked = { url, headers, maxBytes: BODY_CAPS.page }
  const { fetched, read } = await requestRead(session, asked, 'page', { named })
  if (fetched.kind !== 'answer' || read === null) return { fetched, page: null }
  const { challenge, excerpt: body } = read
  return {
    fetched: { ...fetched, body, ...(challenge !== null && { challenge }) },
    page: read.page,
    ...(read.platform !== null && { platform: read.platform }),
    ...(read.signs.length > 0 && { signs: read.signs }),
  }
}
