import { expect, test } from 'vitest'
import { testDeps } from '../testing/store.ts'
import {
  answerOnce,
  answerOpenKeys,
  claimKey,
  idempotentCall,
  type SentAnswer,
} from './idempotency.ts'

const { deps } = await testDeps()
const { db } = deps
const PAID = { status: 200, body: { order_id: 'order_1' } }
const IN_FLIGHT = { status: 409, body: { refused: { code: 'idempotency_in_flight' } } }

const sent = (text: string, of?: SentAnswer['of']): SentAnswer => ({
  status: 200,
  text,
  ...(of && { of }),
})

test('only what the checkout kept is kept, although it was kept a moment before', async () => {
  const keyed = idempotentCall('complete', 'key', {})
  const now = deps.now()
  await db.transaction((tx) => claimKey(tx, keyed, now))
  const waited = await answerOnce(deps, keyed, async () => {
    // The payment ends after this call was told to wait, and before it is answered.
    await db.transaction((tx) => answerOpenKeys(tx, keyed.scope, PAID))
    return sent('in progress', IN_FLIGHT)
  })
  expect(waited.text).toBe('in progress')
  const early = await answerOnce(deps, keyed, async () => sent('closed'))
  expect(early.text).toBe('closed')
  const first = await answerOnce(deps, keyed, async () => sent('completed', PAID))
  expect([first.text, first.replayed]).toEqual(['completed', undefined])
  const again = await answerOnce(deps, keyed, () => Promise.reject(new Error('It was asked.')))
  expect(again).toEqual({ status: 200, text: 'completed', replayed: true })
})

test('of two answers at once the one that was kept first is given to both', async () => {
  const keyed = idempotentCall('complete', 'other', {})
  await claimKey(db, keyed, deps.now(), PAID)
  const outer = await answerOnce(deps, keyed, async () => {
    await answerOnce(deps, keyed, async () => sent('first', PAID))
    return sent('second', PAID)
  })
  expect(outer).toEqual({ status: 200, text: 'first', replayed: true })
})
