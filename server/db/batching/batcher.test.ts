import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { type BatcherOptions, createBatcher, Overdue, QueueFull } from './batcher.ts'

/** A batcher of numbers that doubles them when it is let, and remembers its batches. */
function testBatcher(change: Partial<BatcherOptions<number, number>> = {}) {
  const batches: number[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const batcher = createBatcher<number, number>({
    flush: async (items) => {
      batches.push(items)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return items.map((item) => item * 2)
    },
    splitsOn: () => true,
    maxBatch: 4,
    maxItems: 100,
    maxBytes: 100,
    waitMs: 10_000,
    ...change,
  })
  /** Lets the flush under way end, once it has begun. */
  const pass = async () => {
    await eventually(() => gates.length).toBeGreaterThan(0)
    gates.shift()?.resolve()
  }
  return { batcher, batches, pass }
}

test('what comes while a batch is under way is the next batch', async () => {
  const { batcher, batches, pass } = testBatcher()
  const first = [batcher.add(1), batcher.add(2)]
  await eventually(() => batches).toEqual([[1, 2]])
  const more = [3, 4, 5, 6, 7].map((item) => batcher.add(item, 10))
  expect(batcher.load()).toEqual({ items: 5, bytes: 50 })
  await pass()
  expect(await Promise.all(first)).toEqual([2, 4])
  // It is on its way before the answers of the first one are given.
  expect(batches).toHaveLength(2)
  await pass()
  await pass()
  expect(await Promise.all(more)).toEqual([6, 8, 10, 12, 14])
  expect(batches).toEqual([[1, 2], [3, 4, 5, 6], [7]])
  await batcher.drain()
  expect(batcher.load()).toEqual({ items: 0, bytes: 0 })
})

test('who asks again and again comes to be in two batches of one size', async () => {
  const sizes: number[] = []
  const flush = async (items: number[]) => {
    sizes.push(items.length)
    for (let n = 0; n < 5; n += 1) await setImmediate()
    return items
  }
  const { batcher } = testBatcher({ flush, maxBatch: 100 })
  const client = async () => {
    for (let n = 0; n < 6; n += 1) await batcher.add(n)
  }
  const clients = [client()]
  await setImmediate()
  clients.push(...Array.from({ length: 15 }, client))
  await Promise.all(clients)
  expect(sizes.slice(0, 6)).toEqual([1, 8, 8, 8, 8, 8])
})

const failingOn = (bad: number[], error: Error, tried: number[][] = []) => ({
  flush: async (items: number[]) => {
    tried.push(items)
    if (items.some((item) => bad.includes(item))) throw error
    return items
  },
})

test('an item that is wrong fails alone', async () => {
  const { batcher } = testBatcher({ ...failingOn([2, 7], new Error('poison')), maxBatch: 100 })
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, item) => batcher.add(item)),
  )
  const failed = results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))
  expect(failed).toEqual([2, 7])
})

test('what is wrong of one owner costs the items of others nothing', async () => {
  const tried: number[][] = []
  const onLoss = vi.fn<(error: unknown, items: number) => void>()
  const poison = new Error('poison')
  const { batcher } = testBatcher({
    ...failingOn([0, 3, 6, 9], poison, tried),
    ownerOf: (item) => `${item % 3}`,
    onLoss,
    maxBatch: 100,
  })
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, item) => batcher.add(item)),
  )
  await batcher.drain()
  const failed = results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))
  expect(failed).toEqual([0, 3, 6, 9])
  const ofOthers = tried.filter((items) => items.every((item) => item % 3 !== 0))
  expect(ofOthers).toEqual([[1, 4, 7, 10, 2, 5, 8, 11]])
  // Once, however many of them were tried alone.
  expect(onLoss.mock.calls).toEqual([[poison, 4]])
})

test('an error that smaller batches cannot mend fails the batch at once', async () => {
  const tried: number[][] = []
  const { batcher } = testBatcher({
    ...failingOn([1], new Error('away'), tried),
    splitsOn: () => false,
  })
  const results = await Promise.allSettled([batcher.add(1), batcher.add(2)])
  expect(results).toMatchObject([{ reason: { message: 'away' } }, { reason: { message: 'away' } }])
  expect(tried).toHaveLength(1)
  expect(await batcher.add(3)).toBe(3)
})

test.each<[string, BatcherOptions<number, number>['flush']]>([
  ['forgets an item', async (items) => items.slice(1)],
  ['makes one up', async (items) => [0, ...items]],
])('a flush that %s fails it', async (_, flush) => {
  const { batcher } = testBatcher({ flush })
  await expect(batcher.add(1)).rejects.toThrow('the wrong number of results')
})

test.each<[string, Partial<BatcherOptions<number, number>>]>([
  ['items', { maxItems: 3 }],
  ['bytes', { maxBytes: 30 }],
])('it takes so many %s and no more, until there is room', async (_, limit) => {
  const { batcher, batches, pass } = testBatcher({ maxBatch: 1, ...limit })
  const under = batcher.add(0)
  await eventually(() => batches.length).toBe(1)
  const taken = [batcher.add(1, 10), batcher.add(2, 10), batcher.add(3, 10)]
  expect(batcher.isFull()).toBe(true)
  await expect(batcher.add(4, 10)).rejects.toBeInstanceOf(QueueFull)
  await pass()
  await pass()
  expect(await Promise.all([under, taken[0]])).toEqual([0, 2])
  expect(batcher.isFull()).toBe(false)
  await pass()
  await pass()
  expect(await Promise.all(taken)).toEqual([2, 4, 6])
})

test('who waits too long is told, and what still waits is dropped', async () => {
  let time = 0
  const { batcher, batches, pass } = testBatcher({ clock: () => time })
  const under = batcher.add(1)
  await eventually(() => batches).toEqual([[1]])
  const waiting = batcher.add(2)
  time = 9_999
  const late = batcher.add(3)
  time = 10_000
  expect(await Promise.allSettled([under, waiting])).toMatchObject([
    { reason: expect.any(Overdue) },
    { reason: expect.any(Overdue) },
  ])
  await pass()
  await pass()
  expect(await late).toBe(6)
  expect(batches).toEqual([[1], [3]])
})

test('who is overdue when a batch ends is told before the next look', async () => {
  let time = 0
  const { batcher, batches, pass } = testBatcher({ clock: () => time })
  const settled: unknown[] = []
  const follow = (item: number) =>
    void batcher.add(item).then(
      (result) => settled.push(result),
      (error: unknown) => settled.push(error),
    )
  follow(1)
  await eventually(() => batches).toEqual([[1]])
  follow(2)
  time = 10_000
  await pass()
  await batcher.drain()
  expect(settled).toEqual([expect.any(Overdue), 2])
  expect(batches).toEqual([[1]])
})

test('draining waits for all', async () => {
  const { batcher, pass } = testBatcher({ maxBatch: 1 })
  const done: number[] = []
  for (const item of [1, 2]) void batcher.add(item).then((result) => done.push(result))
  const drained = batcher.drain().then(() => done.push(0))
  await pass()
  await pass()
  await drained
  expect(done).toEqual([2, 4, 0])
  await batcher.drain()
})

test('when nothing waits, no timer runs', async () => {
  const started = vi.spyOn(globalThis, 'setInterval')
  const stopped = vi.spyOn(globalThis, 'clearInterval')
  const { batcher } = testBatcher({ flush: async (items) => items })
  for (const item of [1, 2]) {
    await batcher.add(item)
    await batcher.drain()
  }
  const timers = started.mock.results.map(({ value }) => value)
  expect(timers).toHaveLength(2)
  expect(stopped.mock.calls).toEqual(timers.map((timer) => [timer]))
  vi.restoreAllMocks()
})

/** Items such as `a1` of owner `a`; those of owner `x` to `z` are on another node. */
function laneBatcher(change: Partial<BatcherOptions<string, string>> = {}) {
  const batches: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const batcher = createBatcher<string, string>({
    flush: async (items) => {
      const batch = items.join(' ')
      batches.push(batch)
      await gates.get(batch)?.promise
      return items
    },
    splitsOn: () => true,
    ownerOf: (item) => item.charAt(0),
    laneOf: (item) => ({ id: item.charAt(0), node: /^[xyz]/.test(item) ? 'other' : 'node' }),
    maxBatch: 100,
    maxItems: 10,
    maxBytes: 1000,
    maxFlushes: { all: 3, perNode: 2 },
    waitMs: 10_000,
    ...change,
  })
  const hold = (batch: string) => {
    const gate = Promise.withResolvers<void>()
    gates.set(batch, gate)
    return gate
  }
  return { batcher, batches, hold }
}

test('lanes go on beside each other, each with a batch at a time', async () => {
  const { batcher, batches, hold } = laneBatcher()
  const slow = hold('a1')
  const first = batcher.add('a1')
  expect(await batcher.add('b1')).toBe('b1')
  const behind = batcher.add('a2')
  expect(await batcher.add('b2')).toBe('b2')
  expect(batches).toEqual(['a1', 'b1', 'b2'])
  slow.resolve()
  expect(await Promise.all([first, behind])).toEqual(['a1', 'a2'])
  await batcher.drain()
})

test('a node that does not answer leaves flushes and room to the others', async () => {
  const { batcher, batches, hold } = laneBatcher()
  const stuck = [hold('a1'), hold('b1')]
  const first = ['a1', 'b1'].map((item) => batcher.add(item))
  await eventually(() => batches).toEqual(['a1', 'b1'])
  const behind = ['c1', 'c2', 'a2', 'a3', 'a4'].map((item) => batcher.add(item))
  expect(await batcher.add('x1')).toBe('x1')
  const other = hold('y1')
  const y = batcher.add('y1')
  const z = batcher.add('y2')
  // Half of the ten places are taken by the node that is stuck, and somebody else waits.
  await expect(batcher.add('c3')).rejects.toBeInstanceOf(QueueFull)
  expect(batches).not.toContain('c1 c2')
  for (const gate of [...stuck, other]) gate.resolve()
  await Promise.all([...first, ...behind, y, z])
  await batcher.drain()
  expect(batcher.load()).toEqual({ items: 0, bytes: 0 })
})

test('an owner that holds up the others goes apart, until it need not wait again', async () => {
  const locked = new Error('locked')
  let isLocked = true
  const batches: string[] = []
  const patience = new Map<string, number | null>()
  const gate = Promise.withResolvers<void>()
  const { batcher } = laneBatcher({
    laneOf: () => ({ id: '', node: '' }),
    separatesOn: (error) => error === locked,
    flush: async (items, patienceMs) => {
      batches.push(items.join(' '))
      patience.set(items.join(' '), patienceMs)
      if (isLocked && items.some((item) => item.startsWith('a'))) {
        if (patienceMs !== null) throw locked
        await gate.promise
      }
      return items
    },
  })
  const a = [batcher.add('a1', 1), batcher.add('a2', 1)]
  expect(await Promise.all(['b1', 'c1'].map((item) => batcher.add(item, 1)))).toEqual(['b1', 'c1'])
  expect(batches[0]).toBe('a1 a2 b1 c1')
  expect(batches.slice(1).toSorted()).toEqual(['a1 a2', 'a1 a2', 'b1', 'c1'])
  // It waits by itself; the others are together again.
  const behind = batcher.add('a3', 1)
  await Promise.all(['b2', 'c2'].map((item) => batcher.add(item)))
  expect(batches.slice(5)).toEqual(['b2 c2'])
  isLocked = false
  gate.resolve()
  expect(await Promise.all([...a, behind])).toEqual(['a1', 'a2', 'a3'])
  await batcher.drain()
  await Promise.all(['a4', 'b4'].map((item) => batcher.add(item)))
  expect(batches.slice(6)).toEqual(['a3', 'a4 b4'])
  expect(patience.get('a3')).not.toBeNull()
  expect(batcher.load()).toEqual({ items: 0, bytes: 0 })
})

test('an owner that has a batch to itself holds up those who come meanwhile no longer than others', async () => {
  const patient = Promise.withResolvers<void>()
  const lock = Promise.withResolvers<void>()
  const batches: string[] = []
  const { batcher } = laneBatcher({
    laneOf: () => ({ id: '', node: '' }),
    separatesOn: (error) => error === 'locked',
    flush: async (items, patienceMs) => {
      batches.push(items.join(' '))
      if (!items.includes('a1')) return items
      if (patienceMs === null) await lock.promise
      else {
        await patient.promise
        throw 'locked'
      }
      return items
    },
  })
  const held = batcher.add('a1')
  await eventually(() => batches).toEqual(['a1'])
  const meanwhile = batcher.add('b1')
  patient.resolve()
  expect(await meanwhile).toBe('b1')
  lock.resolve()
  expect(await held).toBe('a1')
})

test('of an owner alone, the second half of a batch does not overtake the first one that goes apart', async () => {
  const { batcher, batches } = lockedBatcher([], { 'a1 a2 a3 a4': 'wrong', 'a1 a2': 'locked' })
  const all = ['a1', 'a2', 'a3', 'a4']
  expect(await Promise.all(all.map((item) => batcher.add(item)))).toEqual(all)
  expect(batches).toEqual([
    'a1 a2 a3 a4',
    'a1 a2',
    // By itself, where it waits for as long as it takes.
    ...['a1 a2 a3 a4', 'a1 a2', 'a1 a2', 'a3 a4'],
  ])
  await batcher.drain()
  expect(batcher.load()).toEqual({ items: 0, bytes: 0 })
})

/**
 * One lane, in which `a1 b1` and each batch that is `refused` as locked is refused a lock as long
 * as it has patience, and the others as wrong; these batches wait until they are let `pass`.
 */
function lockedBatcher(held: string[], refused: Record<string, string> = {}) {
  const gates = new Map(held.map((batch) => [batch, Promise.withResolvers<void>()]))
  const errors = new Map([['a1 b1', 'locked'], ...Object.entries(refused)])
  const batches: string[] = []
  const { batcher } = laneBatcher({
    laneOf: () => ({ id: '', node: '' }),
    separatesOn: (error) => error === 'locked',
    maxFlushes: { all: 9, perNode: 9 },
    flush: async (items, patienceMs) => {
      const batch = items.join(' ')
      batches.push(batch)
      await gates.get(batch)?.promise
      const error = errors.get(batch)
      if (error === 'wrong' || (error === 'locked' && patienceMs !== null)) throw error
      return items
    },
  })
  return { batcher, batches, pass: (batch: string) => gates.get(batch)?.resolve() }
}

test('what waits of an owner that goes apart follows it', async () => {
  const { batcher, batches, pass } = lockedBatcher(['a1 b1'])
  const all = ['a1', 'b1'].map((item) => batcher.add(item))
  await eventually(() => batches).toEqual(['a1 b1'])
  all.push(...['a2', 'b2', 'c1'].map((item) => batcher.add(item)))
  pass('a1 b1')
  expect(await Promise.all(all)).toEqual(['a1', 'b1', 'a2', 'b2', 'c1'])
  expect(batches.slice(1).toSorted()).toEqual(['a1 a2', 'b1 b2', 'c1'])
  await batcher.drain()
  expect(batcher.load()).toEqual({ items: 0, bytes: 0 })
})

test.each([
  ['nothing could be stored', 'a1', { a1: 'wrong' }],
  ['one half had to wait', 'a1 a2 a3', { 'a1 a2 a3': 'wrong', a1: 'locked' }],
] as [string, string, Record<string, string>][])(
  'an owner of whose batch %s stays apart',
  async (_, ofA, refused) => {
    const { batcher, batches, pass } = lockedBatcher(['a1 b1', 'c1'], refused)
    const first = ['a1', 'b1'].map((item) => batcher.add(item))
    await eventually(() => batches).toEqual(['a1 b1'])
    const behind = ofA
      .split(' ')
      .slice(1)
      .map((item) => batcher.add(item))
    pass('a1 b1')
    await Promise.allSettled([...first, ...behind])
    await batcher.drain()
    expect(batches).toContain(ofA)
    const others = [batcher.add('c1')]
    await eventually(() => batches.at(-1)).toBe('c1')
    // It does not wait for the others, with whom it is together again after this one.
    await batcher.add('a8')
    others.push(...['a9', 'b9'].map((item) => batcher.add(item)))
    pass('c1')
    await Promise.all(others)
    expect(batches.slice(-3)).toEqual(['c1', 'a8', 'a9 b9'])
  },
)

test('an owner whose batch is halved is apart until both halves are done', async () => {
  const { batcher, batches, pass } = lockedBatcher(['a1 b1', 'a2 a3'], { 'a1 a2 a3': 'wrong' })
  const all = ['a1', 'b1'].map((item) => batcher.add(item))
  await eventually(() => batches).toEqual(['a1 b1'])
  all.push(...['a2', 'a3'].map((item) => batcher.add(item)))
  pass('a1 b1')
  expect(await all[0]).toBe('a1')
  await eventually(() => batches).toContain('a2 a3')
  all.push(batcher.add('a4'))
  expect(await batcher.add('c1')).toBe('c1')
  expect(batches.join(' ')).not.toContain('a4')
  pass('a2 a3')
  expect(await Promise.all(all)).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
  await batcher.drain()
  expect(batcher.load()).toEqual({ items: 0, bytes: 0 })
})

test('what came of an owner while it was apart is with the others again', async () => {
  const { batcher, batches, pass } = lockedBatcher(['a1'])
  const all = ['a1', 'b1'].map((item) => batcher.add(item))
  await all[1]
  all.push(...['a2', 'a3'].map((item) => batcher.add(item)))
  pass('a1')
  all.push(batcher.add('b2'))
  expect(await Promise.all(all)).toEqual(['a1', 'b1', 'a2', 'a3', 'b2'])
  expect(batches.slice(3).join(' ').split(' ').toSorted()).toEqual(['a2', 'a3', 'b2'])
  await batcher.drain()
  expect(batcher.load()).toEqual({ items: 0, bytes: 0 })
})

test('owners whose batches are slow without anybody in their way are together again', async () => {
  let now = 0
  let isInTheWay = true
  const batches: string[] = []
  const { batcher } = laneBatcher({
    clock: () => now,
    laneOf: () => ({ id: '', node: '' }),
    separatesOn: (error) => error === 'locked',
    flush: async (items, patienceMs) => {
      batches.push(items.join(' '))
      if (isInTheWay && patienceMs !== null) {
        isInTheWay = false
        throw 'locked'
      }
      now += 900
      return items
    },
  })
  await Promise.all(['a1', 'b1'].map((item) => batcher.add(item)))
  await Promise.all(['a2', 'b2'].map((item) => batcher.add(item)))
  expect(batches).toEqual(['a1 b1', 'a1', 'b1', 'a2 b2'])
})

test('a batch waits four times as long as batches took lately, within limits', async () => {
  let now = 0
  let ms = 10
  const patiences: (number | null)[] = []
  const { batcher } = laneBatcher({
    clock: () => now,
    laneOf: (item) => ({ id: '', node: /^[xyz]/.test(item) ? 'other' : 'node' }),
    waitMs: 1_000_000,
    flush: async (items, patienceMs) => {
      patiences.push(patienceMs)
      now += ms
      return items
    },
  })
  const both = (...items: string[]) => Promise.all(items.map((item) => batcher.add(item)))
  await both('a1', 'a2')
  for (const each of [10, 10, 60, 60, 5000]) {
    ms = each
    await both('a1', 'b1')
  }
  await both('a1', 'b1')
  await both('x1', 'y1')
  expect(patiences).toEqual([100, 100, 100, 100, 100, 112, 1600, 100])
})
