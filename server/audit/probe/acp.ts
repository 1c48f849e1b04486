import type { AcpSeen } from '../../../shared/audit/evidence.ts'
import { ACP_PATHS } from '../../../shared/protocols/acp.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { requestJson } from './json.ts'
import type { AuditSession } from './session.ts'

/** A session that no store has. */
const UNKNOWN_SESSION = 'aisle-unknown-session'

/**
 * Sends the ACP endpoints what they must reject (spec, Merchant-side ACP endpoints): an empty body,
 * and a session that does not exist. Nothing is created, whatever the store does.
 */
export async function probeAcp(session: AuditSession, domain: string): Promise<AcpSeen> {
  // The spec has no manifest for ACP: its endpoints are on fixed paths.
  const url = (path: string) => `https://${domain}${path.replace(':id', UNKNOWN_SESSION)}`
  const send = (method: 'POST' | 'PATCH', path: string) =>
    requestJson(session, { method, url: url(path), json: {}, maxBytes: BODY_CAPS.manifest })
  const [discovery, create, update, complete] = await Promise.all([
    requestJson(session, { url: url(ACP_PATHS.discovery), maxBytes: BODY_CAPS.manifest }),
    send('POST', ACP_PATHS.create),
    send('PATCH', ACP_PATHS.update),
    send('POST', ACP_PATHS.complete),
  ])
  return { discovery, create, update, complete }
}
