import { applyFaults, type JsonObject } from '../../http/store-request.ts'
import type { UcpCallContext } from './caller.ts'
import { protocolError, type UcpResult } from './envelope.ts'
import { OPERATIONS, type OperationName } from './operations.ts'

/** JSON-RPC's code for a server that failed (JSON-RPC 2.0, 5.1). */
const INTERNAL_ERROR = -32603

/** Does what is asked over either transport, as the faults of the shop have it. */
export async function perform(
  operation: OperationName,
  context: UcpCallContext,
  arguments_: JsonObject,
): Promise<UcpResult> {
  const { request, keyed } = context
  const { given, isKeyed, isBroken } = applyFaults(request, 'ucpCall', {
    operation,
    given: arguments_,
    isKeyed: keyed !== null,
    isBroken: false,
  })
  if (isBroken) {
    const content = 'Something went wrong on our side. Please try again.'
    return protocolError(500, 'internal_error', content, { rpcCode: INTERNAL_ERROR })
  }
  const call = { ...context, keyed: isKeyed ? keyed : null }
  const result = await OPERATIONS[operation].call(call, given)
  if (result.fault) return result
  const { body } = applyFaults(request, 'ucpAnswer', { operation, body: result.body })
  return { ...result, body }
}
