import { isRecord } from '../../../../shared/web/json/json.ts'
import { aboutSubject } from '../../checkout/subject.ts'
import { applyFaults, CALL_FAILURES, type StoreRequest } from '../../http/store-request.ts'
import { type AcpAnswer, faultAnswer } from './answers.ts'
import { HANDLER_ID } from './capabilities.ts'
import type { AcpCall, AcpContext } from './checkout.ts'
import type { AcpOperation } from './operations.ts'

/** Performs an operation over either transport, with the faults of the shop. */
export async function performAcp(
  operation: string,
  run: AcpOperation['run'],
  context: AcpContext,
  call: AcpCall & { request: StoreRequest },
): Promise<AcpAnswer> {
  const { request, ...asked } = call
  const { caller, body } = asked
  const { given, isKeyed, failure, subject } = applyFaults(request, 'acpCall', {
    operation,
    id: call.id,
    given: isRecord(body) ? body : {},
    isKeyed: caller.key !== null,
    failure: null,
    subject: 'named',
  })
  if (failure !== null) return faultAnswer({ ...CALL_FAILURES[failure], code: failure })
  const answer = await aboutSubject(context.deps.db, { id: call.id, subject }, (id) =>
    run(withHandlers(context, request), {
      ...asked,
      id,
      caller: isKeyed ? caller : { ...caller, key: null },
      body: isRecord(body) ? given : body,
    }),
  )
  if (!request.faults.some(({ acpAnswer }) => acpAnswer)) return answer
  const said = applyFaults(request, 'acpAnswer', { operation, body: JSON.parse(answer.text) })
  return { ...answer, text: JSON.stringify(said.body) }
}

/** A shop without a handler takes no token, as if its PSP charged none. */
function withHandlers(context: AcpContext, request: StoreRequest): AcpContext {
  if (applyFaults(request, 'paymentHandlers', [HANDLER_ID]).includes(HANDLER_ID)) return context
  const { deps } = context
  return { ...context, deps: { ...deps, acceptance: { ...deps.acceptance, kind: 'none' } } }
}
