import { expect, test } from 'vitest'
import { createBeaconLimits, type Over } from './limits.ts'
import { createWindows, MOST_KEYS } from './windows.ts'

/** Limits with a clock that the test moves, in seconds. */
function limitsAt(perProperty = 300) {
  let at = Date.parse('2026-11-21T12:00:00Z')
  const limits = createBeaconLimits(() => new Date(at), perProperty)
  const wait = (seconds: number) => {
    at += seconds * 1000
  }
  return { ...limits, wait }
}

const from = (address: string | null, change: object = {}) => ({
  propertyId: 'a',
  address,
  userAgent: 'Firefox',
  ...change,
})

/** How many of several calls in a row are within the limits, and which limits the others exceed. */
function passed(times: number, call: (n: number) => Over | null) {
  const answers = Array.from({ length: times }, (_, n) => call(n))
  const over = new Set(answers.flatMap((each) => (each ? [`${each.bound} per ${each.per}`] : [])))
  return [answers.filter((each) => each === null).length, ...over]
}

test('an address has 120 calls at once, 60 a second from then on, and 120 again later', () => {
  const { countCall, wait } = limitsAt()
  const once = () => passed(500, () => countCall('203.0.113.7'))
  expect(once()).toEqual([120, 'address per second'])
  expect(once()).toEqual([0, 'address per second'])
  wait(1)
  expect(once()).toEqual([60, 'address per second'])
  wait(10)
  expect(once()).toEqual([120, 'address per second'])
})

test('one /64 is one address, and its neighbours are others', () => {
  const { countCall } = limitsAt()
  const addresses = ['2001:db8::1', '2001:db8:0:0:ffff::', '2001:db8::2']
  expect(passed(300, (n) => countCall(addresses[n % 3]!))[0]).toBe(120)
  expect(passed(200, () => countCall('2001:db8:0:1::1'))[0]).toBe(120)
  expect(passed(200, () => countCall('203.0.113.1'))[0]).toBe(120)
  expect(passed(200, () => countCall(null))[0]).toBe(120)
})

test.each([300, 500])('per second: 10 of an address, 30 of a network, %s of a property', (most) => {
  const { countBeacon, wait } = limitsAt(most)
  expect(passed(50, () => countBeacon(from('203.0.113.1')))).toEqual([10, 'address per second'])
  expect(passed(50, (n) => countBeacon(from(`203.0.113.${n + 2}`)))).toEqual([
    20,
    'network per second',
  ])
  expect(passed(600, (n) => countBeacon(from(`10.${n >> 8}.${n & 255}.1`)))).toEqual([
    most - 30,
    'property per second',
  ])
  expect(countBeacon(from('203.0.113.1', { propertyId: 'b' }))).toBeNull()
  wait(1)
  expect(countBeacon(from('203.0.113.1'))).toBeNull()
})

test('per day: 100 of one browser, 300 of its address, 1000 of its network', () => {
  const { countBeacon, wait } = limitsAt()
  /** One a second. */
  const all = (times: number, change: (n: number) => [string, object?]) =>
    passed(times, (n) => {
      wait(1)
      return countBeacon(from(...change(n)))
    })
  expect(all(150, () => ['203.0.113.1'])).toEqual([100, 'address per day'])
  expect(all(400, (n) => ['203.0.113.1', { userAgent: `Chrome ${n}` }])).toEqual([
    200,
    'address per day',
  ])
  // What the address was refused took nothing from its network.
  expect(all(900, (n) => [`203.0.113.${2 + (n % 100)}`])).toEqual([700, 'network per day'])
  expect(countBeacon(from('203.0.113.250'))).toMatchObject({ retryAfter: expect.any(Number) })
  expect(countBeacon(from('203.0.114.1'))).toBeNull()
  expect(countBeacon(from('203.0.113.1', { propertyId: 'b' }))).toBeNull()
  wait(86_400)
  expect(countBeacon(from('203.0.113.1'))).toBeNull()
})

test('a network of IPv6 is a /48', () => {
  const { countBeacon, wait } = limitsAt()
  const answers = passed(2000, (n) => {
    if (n % 10 === 0) wait(1)
    return countBeacon(from(`2001:db8:1:${n.toString(16)}::1`))
  })
  expect(answers).toEqual([1000, 'network per day'])
  expect(countBeacon(from('2001:db8:2::1'))).toBeNull()
})

test('of millions of senders the newest are remembered, and who comes back is not forgotten', () => {
  const windows = createWindows({ day: { most: 5, seconds: 86_400 } })
  const count = (key: string) => windows.count(windows.of(key), 'day', 0)
  for (let n = 0; n < 5; n += 1) expect(count('flood')).toBeNull()
  for (let n = 0; n < 5 * MOST_KEYS; n += 1) {
    count(`sender ${n}`)
    if (n % 1000 === 0) expect(count('flood')).toBe(86_400)
  }
  // Forgotten: it starts anew.
  for (let n = 0; n < 5; n += 1) expect(count('sender 0')).toBeNull()
  expect(count('sender 0')).toBe(86_400)
})
