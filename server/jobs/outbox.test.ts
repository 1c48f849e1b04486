import { expect, test } from 'vitest'
import { deliverTo, type Outbox } from './outbox.ts'
import type { Attempt, DeliveryOutcome } from './schedule.ts'

const RECEIVER = { id: 'receiver' }
const UNANSWERED: Attempt = { is: 'failed', status: null, error: 'no answer' }

interface Sent {
  name: string
  attempts: number
}

/** One batch of these, whose answers come when the test says so, or where we hang up. */
function startOutbox(names: readonly string[], change: Partial<Outbox<{ id: string }, Sent>>) {
  const batch = names.map((name) => ({ name, attempts: 0 }))
  const noted = new Map<string, DeliveryOutcome['is']>()
  const answers = new Map(names.map((each) => [each, Promise.withResolvers<Attempt>()]))
  const left = [[...batch]]
  const outbox: Outbox<{ id: string }, Sent> = {
    now: () => new Date(),
    due: async () => [RECEIVER],
    claim: async () => left.shift() ?? [],
    send: (_, { name }, signal) => {
      const hungUp = Promise.withResolvers<Attempt>()
      signal.addEventListener('abort', () => hungUp.resolve(UNANSWERED))
      if (signal.aborted) hungUp.resolve(UNANSWERED)
      return Promise.race([answers.get(name)!.promise, hungUp.promise])
    },
    note: async (_, { name }, { is }) => {
      noted.set(name, is)
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
      return ['one', 'two'].map((name) => ({ name, attempts: 0 }))
    },
  })
  await deliverTo(outbox, RECEIVER, stopping.signal)
  expect([...noted.values()]).toEqual(['unsent', 'unsent'])
})

test('where one cannot be written down, the others of its batch still get their answers', async () => {
  const { outbox, noted, answers } = startOutbox(['lost', 'slow'], {
    note: async (_, { name }, { is }) => {
      if (name === 'lost') throw new Error('no database')
      noted.set(name, is)
    },
  })
  const delivering = deliverTo(outbox, RECEIVER)
  answers.get('lost')!.resolve({ is: 'delivered', status: 200 })
  setTimeout(() => answers.get('slow')!.resolve({ is: 'delivered', status: 200 }), 20)
  await expect(delivering).rejects.toThrow('no database')
  expect([...noted]).toEqual([['slow', 'delivered']])
})

test('each failure but the last has another try', async () => {
  const tried = Array.from({ length: 10 }, (_, attempts) => ({ name: `${attempts}`, attempts }))
  const { outbox, noted } = startOutbox([], {
    claim: async () => tried,
    send: async () => UNANSWERED,
  })
  await deliverTo(outbox, RECEIVER)
  expect([...noted.values()]).toEqual([...Array(9).fill('retry'), 'given_up'])
})
