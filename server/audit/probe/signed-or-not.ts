import { isLetIn, isShut } from '../../../shared/audit/checks/well-known/signed/compare.ts'
import type { SignatureSeen } from '../../../shared/audit/evidence.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import type { FetchRequest } from './fetch/request.ts'
import type { AuditSession } from './session.ts'

/** The same session, whose requests go out unsigned. */
export const unsignedSession = <Session extends Pick<AuditSession, 'request' | 'signedAs'>>(
  session: Session,
): Session => ({
  ...session,
  request: (input) => session.request({ ...input, unsigned: true }),
  signedAs: () => null,
})

/** Goes on without our signature where a store refuses it and lets in what is unsigned. */
export async function stopWhereRefused(
  session: AuditSession,
  request: FetchRequest,
): Promise<void> {
  if (session.signedAs() === null) return
  const fetched = await session.request(request)
  if (!isShut(fetched)) return
  await alsoUnsigned(session, { fetched, json: null }, async () => ({
    fetched: await session.request({ ...request, unsigned: true }),
    json: null,
  }))
}

/**
 * Asks the same without our signature, where there is one, and goes on without it where only that
 * is let in. `seen` is what to judge.
 */
export async function alsoUnsigned(
  session: AuditSession,
  signed: JsonSeen,
  askUnsigned: () => Promise<JsonSeen>,
): Promise<{ seen: JsonSeen; signature?: SignatureSeen }> {
  const as = session.signedAs()
  if (as === null || signed.fetched.kind !== 'answer') return { seen: signed }
  const unsigned = await askUnsigned()
  const signature = { as, signed: signed.fetched, unsigned: unsigned.fetched }
  if (!isShut(signed.fetched) || !isLetIn(unsigned.fetched)) return { seen: signed, signature }
  session.stopSigning()
  return { seen: unsigned, signature }
}
