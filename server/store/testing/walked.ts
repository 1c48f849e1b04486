import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import type { BuyerOperation } from '../../../shared/walk/operation.ts'
import type { Session, WalkReply } from '../../../shared/walk/session.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import { answerFrom } from '../../../shared/web/testing/answer-from.ts'

type Ask = (
  path: string,
  host: string,
  init: RequestInit,
) => Promise<{ status: number; headers: Headers; body: string }>

/** A buyer in a store that is asked without a network: each operation, and how it was answered. */
export function walkedIn(ask: Ask, { call, read }: WalkDialect) {
  const act = async (operation: BuyerOperation): Promise<WalkReply> => {
    const sent = call(operation)
    if (sent?.over !== 'http') throw new Error(`There is no request for ${operation.op}.`)
    const { method, url, headers, json } = sent
    const { host, pathname, search } = new URL(url)
    const answer = await ask(pathname + search, host, {
      method,
      headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    return read(operation, seenAs(method, url, answer))
  }
  /** The session that the operation leads to; throws for any other answer. */
  const session = async (operation: BuyerOperation): Promise<Session> => {
    const reply = await act(operation)
    if (reply.is !== 'session') throw new Error(`It was answered ${JSON.stringify(reply)}.`)
    return reply.session
  }
  return { act, session }
}

function seenAs(
  method: string,
  url: string,
  { status, headers, body }: Awaited<ReturnType<Ask>>,
): JsonSeen {
  return {
    fetched: answerFrom(url, { method, status, headers: Object.fromEntries(headers), body }),
    json: parsed(body),
  }
}

function parsed(body: string): NonNullable<JsonSeen['json']> {
  try {
    return { ok: true, value: JSON.parse(body) }
  } catch {
    return { ok: false, problem: 'it is no JSON.' }
  }
}
