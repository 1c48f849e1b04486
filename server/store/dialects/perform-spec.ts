import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { isRecord } from '../../../shared/web/json/json.ts'
import { type AgentCall, agentCall } from '../checkout/caller.ts'
import type { StoreDeps } from '../checkout/deps.ts'
import { aboutSubject } from '../checkout/subject.ts'
import { type SPEC_ACP, SPEC_UCP } from '../db/statuses.ts'
import type { Reply } from '../http/reply.ts'
import { type Env, pathParam, send } from '../http/routing.ts'
import { applyFaults, CALL_FAILURES, type OperationCall } from '../http/store-request.ts'
import { refuse } from './refuse.ts'

interface SpecOperation {
  protocol: typeof SPEC_UCP | typeof SPEC_ACP
  /** `confirm` */
  operation: string
}

/**
 * Performs an operation on a session of the specification's dialects, with the faults of the shop.
 */
export async function performSpec(
  c: Context<Env>,
  { db }: Pick<StoreDeps, 'db'>,
  { protocol, operation }: SpecOperation,
  run: (call: AgentCall, id: string) => Promise<Reply>,
): Promise<Response> {
  const { request } = c.var
  const id = pathParam(c, 'id')
  const call = await agentCall(c)
  const asked = {
    operation,
    id,
    given: isRecord(call.body) ? call.body : {},
    isKeyed: true,
    failure: null,
    subject: 'named',
  } as const
  const faulty: OperationCall = applyFaults(
    request,
    protocol === SPEC_UCP ? 'specUcpCall' : 'specAcpCall',
    asked,
  )
  const { failure, subject } = faulty
  if (failure !== null) {
    const { status, message } = CALL_FAILURES[failure]
    return send(refuse(request, status, failure, message))
  }
  const done = faulty === asked ? call : callAs(faulty, call)
  return send(await aboutSubject(db, { id, subject }, (each) => run(done, each)))
}

/** The key of UCP is in a header and optional; that of ACP is in the body. */
function callAs({ given, isKeyed }: OperationCall, call: AgentCall): AgentCall {
  const body = isRecord(call.body) ? given : call.body
  if (isKeyed) return { ...call, body }
  const isInBody = isRecord(body) && 'idempotency_key' in body
  return {
    ...call,
    idempotencyKey: undefined,
    body: isInBody ? { ...body, idempotency_key: randomUUID() } : body,
  }
}
