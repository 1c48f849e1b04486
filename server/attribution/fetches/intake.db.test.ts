import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { LogLine } from '../../../shared/attribution/fetches/fetch.ts'
import { addFetches, forgetFetches, type NewFetch } from '../../db/fetches/fetches.ts'
import { fetch_days, fetch_hours } from '../../db/fetches/tables.ts'
import { testDatabase } from '../../testing/app.ts'
import { createIntake } from './intake.ts'

const NOW = new Date('2026-11-30T12:00:00Z')
const { db, sql } = await testDatabase()
const intake = createIntake({
  db,
  now: () => NOW,
  retentionMonths: 13,
  verifierFor: async () => (line) => (line.address === '192.0.2.1' ? 'verified' : 'claimed'),
})

const CHATGPT = 'Mozilla/5.0; compatible; ChatGPT-User/1.0; +https://openai.com/bot'
const line = (change: Partial<LogLine> = {}): LogLine => ({
  ...{ at: '2026-11-29T06:00:00Z', method: 'GET', path: '/products/boot', status: 200 },
  ...{ userAgent: CHATGPT, address: '192.0.2.1', bytes: 5120 },
  ...change,
})

/** A day of requests, of which some are alike in all but their number. */
const LINES = Array.from({ length: 2000 }, (_, n) =>
  line({
    at: Date.UTC(2026, 10, 29, 0, 0, n * 40),
    path: `/products/${(n * 7) % 90}`,
    status: n % 11 === 0 ? 404 : 200,
    userAgent: n % 3 === 0 ? CHATGPT : 'OAI-SearchBot/1.4',
    nth: n % 2,
  }),
).flatMap((each) => [each, { ...each, nth: 2 }])

let shops = 0
const newShop = () => {
  shops += 1
  return `fetched-${shops}.example`
}
const rowsOf = async (domain: string) =>
  (await db.select().from(fetch_days).where(eq(fetch_days.domain, domain)))
    .map(({ domain: _, last_at, ...row }) => JSON.stringify({ ...row, last_at }))
    .toSorted()
const figuresOf = (add: (domain: string) => Promise<unknown>) => {
  const domain = newShop()
  return add(domain).then(() => rowsOf(domain))
}

test('a file counts once: again, in halves, in another order, by two at a time', async () => {
  const whole = await figuresOf((domain) => intake.take(domain, LINES))
  expect(whole.length).toBeGreaterThan(90)
  const halves = [LINES.slice(0, 1234), LINES.slice(1234)]
  const orders: ((domain: string) => Promise<unknown>)[] = [
    async (domain) => {
      const first = await intake.take(domain, LINES)
      expect(first).toMatchObject({ lines: 4000, stored: 4000, repeated: 0 })
      expect(await intake.take(domain, LINES)).toMatchObject({ stored: 0, repeated: 4000 })
    },
    async (domain) => {
      for (const half of halves.toReversed()) await intake.take(domain, half)
      await intake.take(domain, LINES)
    },
    (domain) => intake.take(domain, LINES.toReversed()),
    (domain) =>
      Promise.all(
        [...halves, LINES.slice(500, 3000), LINES].map((part) => intake.take(domain, part)),
      ),
  ]
  for (const each of orders) expect(await figuresOf(each)).toEqual(whole)
})

test('lines without an id or a number are counted apart within a call', async () => {
  const domain = newShop()
  const twice = [line(), line()]
  expect(await intake.take(domain, twice)).toMatchObject({ stored: 2 })
  expect(await intake.take(domain, twice)).toMatchObject({ stored: 0, repeated: 2 })
  const other = { address: '192.0.2.2' }
  expect(await intake.take(domain, [line(other)])).toMatchObject({ stored: 1 })
  const ray = { id: '8f1-FRA' }
  expect(await intake.take(domain, [line(ray), line(ray)])).toMatchObject({ stored: 1 })
})

test('of a request stays who read which page when, and nothing of its address or query', async () => {
  const domain = newShop()
  const taken = await intake.take(domain, [
    line({ path: '/Products/b%C3%B6%C3%B6t/?secret=1', host: `www.${domain}` }),
    line({ path: '/account/anna@shop.example/orders' }),
    line({ path: '/a/../img/boot.JPG', status: 99_999 }),
    line({ userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36' }),
    line({ host: 'other.example' }),
    line({ at: '2026-08-01T00:00:00Z' }),
    line({ at: '2026-12-02T00:00:00Z' }),
  ])
  expect(taken).toEqual({
    ...{ lines: 7, stored: 3, repeated: 0, over: 0 },
    ...{ not_agents: 1, other_host: 1, too_old: 1, in_future: 1 },
  })
  const rows = await db.select().from(fetch_days).where(eq(fetch_days.domain, domain))
  expect(rows.map(({ path, status }) => [path, status]).toSorted()).toEqual([
    ['*', 0],
    ['/Products/b%C3%B6%C3%B6t', 200],
    ['/account/*/orders', 200],
  ])
  expect(rows[0]).toMatchObject({
    ...{ day: '2026-11-29', agent: 'ChatGPT-User', surface: 'chatgpt', operator: 'OpenAI' },
    ...{ purpose: 'answer', verified: 'verified', last_at: new Date('2026-11-29T06:00:00Z') },
  })
  expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|secret|anna/)
})

const made = (n: number, change: Partial<NewFetch> = {}): NewFetch => ({
  ...{ day: '2026-11-29', agent: 'GPTBot', purpose: 'training', verified: 'claimed' },
  ...{ path: `/p/${n}`, status: 404, surface: 'chatgpt', operator: 'OpenAI' },
  ...{ at: Date.UTC(2026, 10, 29, 6), hash: BigInt(n) },
  ...change,
})
const many = Array.from({ length: 300 }, (_, n) => made(n))

test('over its bound the paths of a day are counted together, the same ones in any order', async () => {
  const bound = { mostRows: 40 }
  const first = await figuresOf(async (domain) => {
    for (const each of [many.slice(0, 100), many.slice(100)]) {
      await addFetches(sql, domain, each, bound)
    }
  })
  const rows = first.map((row) => JSON.parse(row))
  expect(rows).toHaveLength(41)
  expect(rows.find(({ path }) => path === '')).toMatchObject({ fetches: 260 })
  const second = await figuresOf(async (domain) => {
    for (let n = 299; n >= 0; n -= 60) {
      await addFetches(sql, domain, many.slice(Math.max(0, n - 59), n + 1), bound)
    }
  })
  expect(second).toEqual(first)
  // What nobody proves takes no place of what is proved.
  const domain = newShop()
  await addFetches(sql, domain, many, bound)
  const answers = many.slice(0, 30).map((each) => ({
    ...each,
    verified: 'verified' as const,
    hash: each.hash + 1000n,
  }))
  await addFetches(sql, domain, answers, bound)
  expect(await rowsOf(domain)).toHaveLength(71)
})

test('an hour takes as many requests as it may have, and says how many it had no room for', async () => {
  const domain = newShop()
  const bound = { mostOfHour: 200 }
  const added = await addFetches(sql, domain, many.slice(0, 150), bound)
  expect(added).toEqual({ stored: 150, repeated: 0, over: 0 })
  expect(await addFetches(sql, domain, many, bound)).toEqual({
    ...{ stored: 50, repeated: 150, over: 100 },
  })
  const hours = await db.select().from(fetch_hours).where(eq(fetch_hours.domain, domain))
  expect(hours.map(({ hashes, over }) => [hashes.length, over])).toEqual([[1600, 100]])
})

test('all of a domain is forgotten at once, and nothing of another', async () => {
  const [one, other] = [newShop(), newShop()]
  for (const domain of [one, other]) await intake.take(domain, LINES)
  const before = await rowsOf(other)
  expect(await forgetFetches(sql, one)).toBeGreaterThan(90)
  expect(await rowsOf(one)).toEqual([])
  expect(await rowsOf(other)).toEqual(before)
  // It may come again.
  expect(await intake.take(one, LINES)).toMatchObject({ stored: 4000 })
})
