import { expect, test } from 'vitest'
import { deliverTo } from './deliver.ts'
import type { Outbox } from './outbox.ts'
import type { Attempt, DeliveryOutcome } from './schedule.ts'

const RECEIVER = { id: 'receiver' }
const UNANSWERED: Attempt = { is: 'failed', status: null, error: 'no answer' }

/** One batch of these, whose answers come when the test says so, or where we hang up. */
function startOutbox(batch: readonly string[], change: Partial<Outbox<{ id: string }, string>>) {
  const noted = new Map<string, DeliveryOutcome['is']>()
  const answers = new Map(batch.map((each) => [each, Promise.withResolvers<Attempt>()]))
  const left = [[...batch]]
  const outbox: Outbox<{ id: string }, string> = {
    now: () => new Date(),
    due: async () => [RECEIVER],
    claim: async () => left.shift() ?? [],
    open: () => {
      const closed = Promise.withResolvers<Attempt>()
      return {
        send: (_, delivery) => Promise.race([answers.get(delivery)!.promise, closed.promise]),
        close: async () => closed.resolve(UNANSWERED),
      }
    },
    failedOf: () => 0,
    note: async (_, delivery, { is }) => {
      noted.set(delivery, is)
    },
    ...change,
  }
  return { outbox, noted, answers }
}

test('what was being claimed when we stopped is unsent, however slow its receiver is', async () => {
  const stopping = new AbortController()
  const { outbox, noted } = startOutbox(['one', 'two'], {
    claim: async () => {
      stopping.abort()
      return ['one', 'two']
    },
  })
  await deliverTo(outbox, RECEIVER, stopping.signal)
  expect([...noted.values()]).toEqual(['unsent', 'unsent'])
})

test('where one cannot be written down, the others of its batch still get their answers', async () => {
  const { outbox, noted, answers } = startOutbox(['lost', 'slow'], {
    note: async (_, delivery, { is }) => {
      if (delivery === 'lost') throw new Error('no database')
      noted.set(delivery, is)
    },
  })
  const delivering = deliverTo(outbox, RECEIVER)
  answers.get('lost')!.resolve({ is: 'delivered', status: 200 })
  setTimeout(() => answers.get('slow')!.resolve({ is: 'delivered', status: 200 }), 20)
  await expect(delivering).rejects.toThrow('no database')
  expect([...noted]).toEqual([['slow', 'delivered']])
})
