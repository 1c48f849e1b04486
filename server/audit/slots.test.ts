import { setImmediate as settle } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../http/api-error.ts'
import {
  createAllSlots,
  createSlots,
  KEY_LIMITS,
  type SlotLimits,
  STRANGER_LIMITS,
} from './slots.ts'

/** Slots whose time passes when a test says that a work has ended. Works are named `A1`, `A2` … */
function stage(limits: SlotLimits) {
  const { run } = createSlots(limits)
  const counts = new Map<string, number>()
  const started: string[] = []
  const running = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const outcomes = new Map<string, unknown>()
  const controllers = new Map<string, AbortController>()

  const work = (name: string) =>
    new Promise<string>((resolve, reject) => {
      started.push(name)
      running.set(name, { resolve: () => resolve(name), reject })
    })
  const end = (name: string, error?: Error) => {
    const one = running.get(name)
    running.delete(name)
    if (error) one?.reject(error)
    else one?.resolve()
    return settle()
  }
  return {
    started,
    outcomes,
    running: () => [...running.keys()],
    /** `ask('AAB')`: two works of A arrive, then one of B. */
    ask(callers: string) {
      for (const caller of callers) {
        const count = (counts.get(caller) ?? 0) + 1
        counts.set(caller, count)
        const name = caller + count
        const controller = new AbortController()
        controllers.set(name, controller)
        run(caller, controller.signal, () => work(name)).then(
          (result) => outcomes.set(name, result),
          (error) => outcomes.set(name, error instanceof ApiError ? error.code : error),
        )
      }
      return settle()
    },
    leave(name: string) {
      controllers.get(name)?.abort('gone')
      return settle()
    },
    end,
    /** Ends the work that has run longest, again and again, until nothing is left. */
    async endAll() {
      // What starts meanwhile is part of the iteration.
      for (const name of running.keys()) await end(name)
    },
  }
}

const SMALL: SlotLimits = { slots: 3, kept: 1, waiting: 10, waitingInAll: 20 }

describe('who starts when', () => {
  test.each([
    // arrived, of `slots`, `kept`, in this order
    ['AAAA', 3, 0, 'A1 A2 A3 A4'],
    ['AABB', 1, 0, 'A1 B1 A2 B2'],
    ['AAAABBC', 1, 0, 'A1 B1 C1 A2 B2 A3 A4'],
    ['AAAAABB', 2, 0, 'A1 A2 B1 A3 B2 A4 A5'],
    // One slot is kept for who runs nothing: B starts before anything of A ends.
    ['AAAAB', 3, 1, 'A1 A2 B1 A3 A4'],
    ['AAAABC', 4, 2, 'A1 A2 B1 C1 A3 A4'],
    // The third finds no slot left, and is the first to be served.
    ['AAAABCD', 4, 2, 'A1 A2 B1 C1 D1 A3 A4'],
  ])('%s in %d slots, %d of them kept: %s', async (arrived, slots, kept, order) => {
    const { ask, endAll, started } = stage({ ...SMALL, slots, kept })
    await ask(arrived)
    await endAll()
    expect(started.join(' ')).toBe(order)
  })

  test('a caller alone has all slots but the kept ones, always', async () => {
    const { ask, end, running } = stage(KEY_LIMITS)
    await ask('A'.repeat(20))
    expect(running()).toHaveLength(6)
    await end('A3')
    expect(running()).toEqual(['A1', 'A2', 'A4', 'A5', 'A6', 'A7'])
  })

  test('two callers with much to do come to share the slots in halves', async () => {
    const { ask, end, running } = stage(KEY_LIMITS)
    await ask('A'.repeat(20) + 'B'.repeat(20))
    const share = () => ['A', 'B'].map((id) => running().filter((name) => name[0] === id).length)
    expect(share()).toEqual([6, 1])
    for (const name of ['A1', 'A2', 'A3', 'A4']) await end(name)
    expect(share()).toEqual([3, 3])
    // And it stays so, whoever is the faster.
    for (const name of ['B1', 'B2', 'B3', 'B4', 'B5']) await end(name)
    expect(share()).toEqual([3, 3])
  })

  test('with a caller that fills all it may and hangs, each work of another starts directly', async () => {
    const { ask, end, started } = stage(KEY_LIMITS)
    await ask('A'.repeat(36))
    for (let n = 1; n <= 10; n += 1) {
      await ask('B')
      expect(started.at(-1)).toBe(`B${n}`)
      await end(`B${n}`)
    }
  })
})

describe('a slot is free again', () => {
  test.each(['resolves', 'rejects'])('when the work %s', async (how) => {
    const { ask, end, outcomes, running } = stage({ ...SMALL, slots: 1, kept: 0 })
    await ask('AB')
    const error = how === 'rejects' ? new Error('broken') : undefined
    await end('A1', error)
    expect(outcomes.get('A1')).toBe(error ?? 'A1')
    expect(running()).toEqual(['B1'])
  })

  test('when the work throws before it begins', async () => {
    const { run } = createSlots({ ...SMALL, slots: 1, kept: 0 })
    const { signal } = new AbortController()
    const fail = () => {
      throw new Error('broken')
    }
    await expect(run('A', signal, fail)).rejects.toThrow('broken')
    expect(await run('B', signal, async () => 'fine')).toBe('fine')
  })

  test('when its caller has left and the work has ended; what it found is dropped', async () => {
    const { ask, leave, end, outcomes, running } = stage({ ...SMALL, slots: 1, kept: 0 })
    await ask('AAB')
    await leave('A1')
    // The work holds its memory until it ends.
    expect(running()).toEqual(['A1'])
    await end('A1')
    expect(outcomes.get('A1')).toBe('caller_left')
    expect(running()).toEqual(['B1'])
    await leave('B1')
    await end('B1', new Error('cut off'))
    expect(outcomes.get('B1')).toBe('caller_left')
    expect(running()).toEqual(['A2'])
  })
})

describe('who leaves while waiting', () => {
  test('is never served, and the next one is', async () => {
    const { ask, leave, endAll, outcomes, started } = stage({ ...SMALL, slots: 1, kept: 0 })
    await ask('AAABB')
    await leave('A2')
    await leave('B1')
    expect([outcomes.get('A2'), outcomes.get('B1')]).toEqual(['caller_left', 'caller_left'])
    await endAll()
    expect(started).toEqual(['A1', 'B2', 'A3'])
  })

  test('makes room for another of the same caller', async () => {
    const { ask, leave, outcomes } = stage({ ...SMALL, slots: 1, kept: 0, waiting: 1 })
    await ask('AAA')
    expect(outcomes.get('A3')).toBe('too_many_waiting')
    await leave('A2')
    await ask('A')
    expect(outcomes.has('A4')).toBe(false)
  })

  test('who has left before asking does not start', async () => {
    const { run } = createSlots(SMALL)
    const work = () => Promise.reject(new Error('started'))
    await expect(run('A', AbortSignal.abort('gone'), work)).rejects.toMatchObject({
      code: 'caller_left',
    })
  })
})

describe('what may wait is bounded', () => {
  test('by caller: the next one is refused, and other callers are not', async () => {
    const { ask, outcomes, started } = stage(KEY_LIMITS)
    await ask(`${'A'.repeat(60)}B`)
    const refused = Array.from({ length: 60 }, (_, n) => outcomes.get(`A${n + 1}`))
    expect(refused.filter((code) => code === 'too_many_waiting')).toHaveLength(60 - 6 - 30)
    expect(refused.slice(0, 36)).toEqual(Array(36).fill(undefined))
    expect(started.at(-1)).toBe('B1')
  })

  test('in all: but who finds a slot does not wait', async () => {
    const { ask, outcomes, running } = stage({ slots: 3, kept: 2, waiting: 5, waitingInAll: 2 })
    await ask('AAAA')
    expect(outcomes.get('A4')).toBe('busy')
    await ask('BCD')
    expect(running()).toEqual(['A1', 'B1', 'C1'])
    expect(outcomes.get('D1')).toBe('busy')
  })

  test.each([
    [429, { ...SMALL, waiting: 1 }],
    [503, { ...SMALL, waitingInAll: 1 }],
  ])('%d says when to come back', async (status, limits) => {
    const { run } = createSlots(limits)
    const { signal } = new AbortController()
    const ask = () => run('A', signal, () => new Promise(() => {}))
    for (let n = 0; n < 3; n += 1) void ask()
    await expect(ask()).rejects.toMatchObject({
      status,
      extras: { headers: { 'Retry-After': '10' } },
    })
  })
})

describe('strangers', () => {
  test('share four slots, of which a network holds two, and take none of a key', async () => {
    const { run: inSlot, load } = createAllSlots()
    const { signal } = new AbortController()
    const started: string[] = []
    const ask = (name: string, caller: Parameters<typeof inSlot>[0]['caller']) =>
      inSlot({ caller, signal }, () => {
        started.push(name)
        return new Promise(() => {})
      }).catch((error: ApiError) => error.code)
    // As if from 60 networks, twenty times each.
    const asked = Array.from({ length: 1200 }, (_, n) =>
      ask(`${n % 60}`, { stranger: `net ${n % 60}` }),
    )
    const refused = Promise.all(asked.slice(16))
    await settle()
    expect(started).toEqual(['0', '1', '2', '3'])
    expect(new Set(await refused)).toEqual(new Set(['busy']))
    // A key of the same name is somebody else.
    for (const key of ['k', 'net 0', 'k', 'k']) void ask(key, { key })
    expect(started.slice(4)).toEqual(['k', 'net 0', 'k', 'k'])
    expect(load()).toEqual({
      key: { running: 4, waiting: 0, slots: 8 },
      stranger: { running: 4, waiting: 12, slots: 4 },
      watch: { running: 0, waiting: 0, slots: 4 },
    })
  })

  test('one network cannot take the slots of the others', async () => {
    const { ask, outcomes, running } = stage(STRANGER_LIMITS)
    await ask('AAAAAAAABC')
    expect(running()).toEqual(['A1', 'A2', 'B1', 'C1'])
    expect([...outcomes]).toEqual(['A6', 'A7', 'A8'].map((name) => [name, 'too_many_waiting']))
  })
})

test('in any order of arrivals, ends and leavings the slots hold what they promise', async () => {
  const step = fc.record({
    what: fc.constantFrom('ask', 'ask', 'end', 'leave'),
    caller: fc.constantFrom('A', 'B', 'C', 'D'),
    which: fc.nat(5),
  })
  const limits = { slots: 3, kept: 1, waiting: 3, waitingInAll: 6 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { ask, end, leave, endAll, started, outcomes, running } = stage(limits)
      const asked: string[] = []
      for (const { what, caller, which } of steps) {
        if (what === 'ask') {
          asked.push(`${caller}${asked.filter((name) => name[0] === caller).length + 1}`)
          await ask(caller)
        }
        if (what === 'end') await end(running()[which] ?? '')
        if (what === 'leave') await leave(asked[which] ?? '')
        const now = running()
        const of = (id: string) => now.filter((name) => name[0] === id).length
        expect(now.length).toBeLessThanOrEqual(limits.slots)
        for (const id of 'ABCD') expect(of(id)).toBeLessThanOrEqual(limits.slots - limits.kept)
        const waiting = asked.filter((name) => !started.includes(name) && !outcomes.has(name))
        for (const name of waiting) {
          const free = limits.slots - now.length
          expect(free, `${name} waits`).toBeLessThanOrEqual(of(name.charAt(0)) > 0 ? 1 : 0)
        }
      }
      await endAll()
      // Everyone has an answer, and nothing holds a slot.
      expect([...outcomes.keys()].toSorted()).toEqual(asked.toSorted())
      await ask('YYZ')
      expect(running()).toEqual(['Y1', 'Y2', 'Z1'])
    }),
  )
})
