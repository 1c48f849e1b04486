import { expect, test } from 'vitest'
import { ORDER_STATUSES, SESSION_STATUSES } from '../db/statuses.ts'
import { nextOrder, ORDER_TRIGGERS } from '../orders/states.ts'
import { nextSession, SESSION_TRIGGERS } from './sessions.ts'

const SESSION_MOVES = `
pending_confirmation update  pending_confirmation
pending_confirmation short   pending_confirmation
pending_confirmation charge  completing
pending_confirmation expire  expired
pending_confirmation pay     completed
pending_confirmation cancel  canceled
completing           pay     completed
completing           decline pending_confirmation
completing           lose    pending_confirmation
completed            fail    pending_confirmation
expired              pay     completed
canceled             pay     completed
`

const ORDER_MOVES = `
awaiting_payment payment_succeeded confirmed
awaiting_payment payment_failed    payment_failed
awaiting_payment dispute           awaiting_payment
payment_failed   payment_succeeded confirmed
payment_failed   retry_pending     awaiting_payment
payment_failed   dispute           payment_failed
confirmed        process           processing
confirmed        ship              shipped
confirmed        cancel            canceled
confirmed        dispute           confirmed
processing       ship              shipped
processing       cancel            canceled
processing       dispute           processing
shipped          deliver           delivered
shipped          return            returned
shipped          dispute           shipped
delivered        return            returned
delivered        dispute           delivered
canceled         dispute           canceled
returned         dispute           returned
`

const rows = (table: string) =>
  new Map(
    table
      .trim()
      .split('\n')
      .map((row) => row.split(/ +/))
      .map(([from, event, to]) => [`${from} ${event}`, to]),
  )

const every = <A extends string, B extends string>(froms: readonly A[], events: readonly B[]) =>
  froms.flatMap((from) => events.map((event) => [from, event] as const))

const sessionMoves = rows(SESSION_MOVES)
test.each(every(SESSION_STATUSES, SESSION_TRIGGERS))('a session: %s, %s', (from, event) => {
  expect(nextSession(from, event)).toBe(sessionMoves.get(`${from} ${event}`) ?? null)
})

const orderMoves = rows(ORDER_MOVES)
test.each(every(ORDER_STATUSES, ORDER_TRIGGERS))('an order: %s, %s', (from, event) => {
  expect(nextOrder(from, event)).toBe(orderMoves.get(`${from} ${event}`) ?? null)
})

test('the tables name nothing that there is not', () => {
  expect(sessionMoves.size).toBe(SESSION_MOVES.trim().split('\n').length)
  const moves = every(SESSION_STATUSES, SESSION_TRIGGERS).filter(([a, b]) => nextSession(a, b))
  expect(moves).toHaveLength(sessionMoves.size)
  expect(every(ORDER_STATUSES, ORDER_TRIGGERS).filter(([a, b]) => nextOrder(a, b))).toHaveLength(
    orderMoves.size,
  )
})
