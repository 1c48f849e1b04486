import { expect, test } from 'vitest'
import { shiftDay } from '../../web/moment.ts'
import { type DayValue, expectedOf, ratioRange } from './expected.ts'

const MONDAY = '2026-08-03'
const ONE = { figures: 1, least: 1 }

const series = (values: readonly number[]): DayValue[] =>
  values.map((value, at) => ({ day: shiftDay(MONDAY, at), value }))
const daysOf = (values: readonly DayValue[]) => values.map(({ day }) => day)

/** The same numbers in every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A count around a mean with some times the variance of Poisson, by its normal approximation. */
function countAround(mean: number, spread: number, random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.max(0, Math.round(mean + Math.sqrt(mean * spread) * normal))
}

const WEEK = [1.2, 1.1, 1, 1, 1.1, 0.9, 0.7]
const meanOn = (day: number, level: number) => level * (WEEK[day % 7] ?? 1)

/** Eight weeks, and then ten days in which the mean is another. */
function shop(seed: number, { level = 40, effect = 1 } = {}) {
  const random = dice(seed * 7919)
  const values = Array.from({ length: 66 }, (_, day) =>
    countAround(meanOn(day, level) * (day < 56 ? 1 : effect), 3, random),
  )
  const all = series(values)
  return { before: all.slice(0, 56), after: all.slice(56) }
}

const SHOPS = Array.from({ length: 200 }, (_, n) => n + 1)
const total = (values: readonly DayValue[]) => values.reduce((sum, { value }) => sum + value, 0)

test('of shops in which nothing changed, at most one in twenty is told a loss or a change', () => {
  const wrong = SHOPS.filter((seed) => {
    const { before, after } = shop(seed)
    const expected = expectedOf(before, daysOf(after), ONE)
    const change = ratioRange(before, after, ONE)
    if (expected === null || change === null) throw new Error('too few')
    const came = total(after)
    const isLoss = came < expected.low || came > expected.high
    // Both say the same: a change is told where what came was not to be expected.
    expect(change.low > 1 || change.high < 1).toBe(isLoss)
    return isLoss
  })
  expect(wrong.length).toBeLessThanOrEqual(10)
})

test.each([
  [0.4, 0.9],
  [0.7, 0.5],
  [1.25, 0.2],
  [1.5, 0.5],
])('the interval holds a planted change to %d, and %d of the shops are told it', (effect, most) => {
  const changes = SHOPS.flatMap((seed) => {
    const { before, after } = shop(seed, { effect })
    return ratioRange(before, after, ONE) ?? []
  })
  const held = changes.filter(({ low, high }) => low <= effect && effect <= high)
  const told = changes.filter(({ low, high }) => low > 1 || high < 1)
  expect(held.length).toBeGreaterThanOrEqual(0.93 * SHOPS.length)
  expect(told.length).toBeGreaterThan(most * SHOPS.length)
})

test('the numbers are those of a generalized linear model', () => {
  // By statsmodels 0.13.5 and scipy 1.10.1: GLM Poisson of weekday and week, scale by Pearson's χ².
  const before = series(
    Array.from({ length: 56 }, (_, n) => 20 + ((n * 37) % 11) * 4 + (n % 7) * 3),
  )
  const after = series(Array.from({ length: 66 }, (_, n) => 12 + ((n * 17) % 7))).slice(56)
  const near = (value: number) => expect.closeTo(value, 3)
  expect(expectedOf(before, daysOf(after), ONE)).toEqual({
    expected: near(473.4568),
    low: near(360.9952),
    high: near(601.1446),
  })
  expect(expectedOf(before, daysOf(after), { figures: 3, least: 1 })).toEqual({
    expected: near(473.4568),
    low: near(336.8946),
    high: near(633.1984),
  })
  expect(ratioRange(before, after, ONE)).toEqual({ low: near(0.2145), high: near(0.4508) })
})

test('growth before is no effect of what came then', () => {
  const growing = series(Array.from({ length: 84 }, (_, n) => Math.round(100 * 1.005 ** n)))
  const change = ratioRange(growing.slice(0, 56), growing.slice(56), ONE)
  expect(change?.low).toBeLessThan(1)
  expect(change?.high).toBeGreaterThan(1)
})

test('weeks that vary more than their days do make the interval wider', () => {
  const wavy = (size: number) =>
    series(
      Array.from({ length: 56 }, (_, n) => 1000 + (Math.floor(n / 7) % 2 === 0 ? size : -size)),
    )
  const width = (before: DayValue[]) => {
    const expected = expectedOf(before, [shiftDay(MONDAY, 56)], ONE)
    return expected === null ? 0 : expected.high - expected.low
  }
  expect(width(wavy(60))).toBeGreaterThan(2 * width(wavy(0)))
})

test.each<[string, number[], number]>([
  ['less than four weeks', Array(27).fill(50), 7],
  ['too few in the weeks before', Array(56).fill(1), 28],
  ['too few expected', Array(56).fill(3), 1],
  ['nothing', Array(56).fill(0), 28],
  ['no day', Array(56).fill(50), 0],
])('%s is too little to say', (_, values, days) => {
  const all = series([...values, ...Array(days).fill(0)])
  const [before, after] = [all.slice(0, values.length), all.slice(values.length)]
  expect(expectedOf(before, daysOf(after), ONE)).toBeNull()
  expect(ratioRange(before, after, ONE)).toBeNull()
})

test('where nothing comes any more, the interval of what is left begins at 0', () => {
  const all = series([...Array(56).fill(50), ...Array(7).fill(0)])
  const change = ratioRange(all.slice(0, 56), all.slice(56), ONE)
  expect(change?.low).toBe(0)
  expect(change?.high).toBeLessThan(0.05)
})

test('amounts vary at least as their orders do', () => {
  const steady = series(Array(56).fill(10_000))
  const days = [shiftDay(MONDAY, 56), shiftDay(MONDAY, 57), shiftDay(MONDAY, 58)]
  expect(expectedOf(steady, days, { figures: 1, least: 500 })).toMatchObject({
    low: expect.closeTo(21_687, 0),
    high: expect.closeTo(39_659, 0),
  })
})
