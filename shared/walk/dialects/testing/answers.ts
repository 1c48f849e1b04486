import type { JsonSeen } from '../../../web/http/fetched.ts'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import type { BuyerOperation, Wanted } from '../../operation.ts'
import type { Session, WalkReply } from '../../session.ts'

/** An answer over HTTP with this body, sent as JSON unless told otherwise. */
export function jsonAnswer(body: unknown, status = 200, type = 'application/json'): JsonSeen {
  const url = 'https://shop.example/checkout'
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    fetched: answerFrom(url, {
      method: 'POST',
      status,
      headers: { 'content-type': type },
      body: text,
    }),
    json:
      typeof body === 'string'
        ? { ok: false, problem: 'It is no JSON.' }
        : { ok: true, value: body },
  }
}

export const UNANSWERED: JsonSeen = {
  fetched: {
    kind: 'no_answer',
    method: 'POST',
    url: 'https://shop.example/checkout',
    why: 'timeout',
    message: 'it took too long',
    ms: 1,
  },
  json: null,
}

const BASKET: Wanted = {
  lines: [{ product_id: 'mug', variant_id: null, quantity: 1 }],
  address: null,
  option: null,
  coupon: null,
  currency: 'USD',
}
export const OPEN: BuyerOperation = { op: 'open', wanted: BASKET, key: 'key', dryRun: false }
export const READ: BuyerOperation = { op: 'read', id: 'chk_1' }
export const CANCEL: BuyerOperation = { op: 'cancel', id: 'chk_1', key: 'key' }
export const ORDER: BuyerOperation = { op: 'order', id: 'ord_1' }

/** What is read of an answer that shows a session. */
export function sessionIn(reply: WalkReply): Session {
  if (reply.is === 'session') return reply.session
  throw new Error(JSON.stringify(reply))
}

/** JSON that no store should send, as values of any member. */
export const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  '..',
  'x'.repeat(100_000),
  '\u0000\ud800',
  [],
  [null],
  [[]],
  {},
  JSON.parse('{"__proto__":{"id":"x"},"constructor":1,"toString":[]}'),
]
