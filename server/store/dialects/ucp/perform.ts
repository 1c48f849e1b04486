import { INTERNAL_ERROR } from '../../../http/mcp-post.ts'
import { aboutSubject } from '../../checkout/subject.ts'
import { applyFaults, CALL_FAILURES, type JsonObject } from '../../http/store-request.ts'
import type { UcpCallContext } from './caller.ts'
import { protocolError, SERVER_ERROR, type UcpResult } from './envelope.ts'
import { OPERATIONS, type OperationName } from './operations.ts'

/** Performs an operation over either transport, with the faults of the shop. */
export async function perform(
  operation: OperationName,
  context: UcpCallContext,
  arguments_: JsonObject,
): Promise<UcpResult> {
  const { request, keyed } = context
  const id = typeof arguments_.id === 'string' ? arguments_.id : ''
  const { given, isKeyed, failure, subject } = applyFaults(request, 'ucpCall', {
    operation,
    id,
    given: arguments_,
    isKeyed: keyed !== null,
    failure: null,
    subject: 'named',
  })
  if (failure !== null) {
    const { status, message } = CALL_FAILURES[failure]
    const rpcCode = failure === 'internal_error' ? INTERNAL_ERROR : SERVER_ERROR
    return protocolError(status, failure, message, { rpcCode })
  }
  const call = { ...context, keyed: isKeyed ? keyed : null }
  const result = await aboutSubject(context.deps.db, { id, subject }, (each) =>
    OPERATIONS[operation].call(call, id === '' ? given : { ...given, id: each }),
  )
  if (result.fault) return result
  const { body } = applyFaults(request, 'ucpAnswer', { operation, body: result.body })
  return { ...result, body }
}
