import { expect, test } from 'vitest'
import {
  type Digest,
  type DigestIncident,
  digestNotice,
  digestOfMany,
  digestRow,
} from './digest.ts'
import type { WatchNotice } from './notice.ts'

const at = new Date('2026-11-30T07:00:00Z')
const told = { id: '00000000-0000-4000-8000-000000000000', at }

const incident = (label: string, change: Partial<DigestIncident> = {}): DigestIncident => ({
  id: label,
  kind: 'gap',
  severity: 'high',
  label,
  points: 4,
  opened_at: '2026-11-25T10:00:00.000Z',
  closed_at: null,
  ...change,
})

/** `change`: that of the scores, unless given. */
const digest = (given: Partial<Digest> = {}): Digest => {
  const { score, score_before } = { score: 83, score_before: 83, ...given }
  const change = score === null || score_before === null ? null : score - score_before
  return { ...STILL, change, ...given }
}

const STILL: Omit<Digest, 'change'> = {
  domain: 'shop.example',
  from: '2026-11-23',
  to: '2026-11-29',
  score: 83,
  grade: 'A',
  score_before: 83,
  unseen: null,
  opened: [],
  closed: [],
  open: [],
  first: [],
  ai: null,
  sold: { surfaces: [], converts: [] },
  worth: [],
  unsteady: [],
  url: 'https://aisle.example/watches/shop.example',
}

const said = ({ sections = [] }: WatchNotice): Record<string, string[]> =>
  Object.fromEntries(
    sections.map(({ title, items }) => [
      title,
      items.map(({ label, text, url }) => `${label}: ${text} ${url}`),
    ]),
  )

const STEPS = [
  {
    label: 'The catalog is empty',
    fix: 'Connect it.',
    points: 12,
    url: 'https://aisle.example/gaps/catalog_empty',
  },
  {
    label: 'No feed',
    fix: 'Publish one.',
    points: 3,
    url: 'https://aisle.example/gaps/feed_missing',
  },
  { label: 'No logo', fix: 'Name one.', points: 1, url: 'https://aisle.example/gaps/logo' },
]

test('a week in which something happened: what changed, what to do first, what AI brought', () => {
  const feed = incident('No feed', { points: 3 })
  const empty = incident('The catalog is empty', { severity: 'critical', points: 12 })
  const notice = digestNotice(
    digest({
      score: 71,
      grade: 'B',
      opened: [empty],
      closed: [incident('Checkout answers 500', { closed_at: '2026-11-26T10:00:00.000Z' })],
      open: [empty, feed],
      first: STEPS,
      ai: {
        sessions: 1200,
        sessions_before: 1000,
        orders: 9,
        orders_before: 12,
        failed: 3,
        failed_before: 2,
        answers: 212,
        answers_before: 106,
        refused: 12,
        unattributed: 0,
        revenue: [
          { currency: 'EUR', amount: 123_450, before: 100_000 },
          { currency: 'JPY', amount: 9000, before: 0 },
        ],
      },
      unsteady: [{ label: 'robots.txt cannot be read', times: 4 }],
    }),
    told,
  )
  expect(notice.title).toBe('shop.example: score 71 (−12), 1 new, 1 over, 2 open')
  expect(notice.lines).toEqual(['The week of 23 – 29 November 2026.'])
  expect(said(notice)).toEqual({
    'Fix first': [
      'The catalog is empty (+12 points): Connect it. https://aisle.example/gaps/catalog_empty',
      'No feed (+3 points): Publish one. https://aisle.example/gaps/feed_missing',
      'No logo (+1 point): Name one. https://aisle.example/gaps/logo',
    ],
    'New this week': [
      'The catalog is empty: critical, costs 12 points https://aisle.example/watches/shop.example/incidents/The catalog is empty',
    ],
    'Still open': [
      'No feed: high, costs 3 points https://aisle.example/watches/shop.example/incidents/No feed',
    ],
    Over: [
      'Checkout answers 500: high, costs 4 points https://aisle.example/watches/shop.example/incidents/Checkout answers 500',
    ],
    Unsteady: [
      'robots.txt cannot be read: seen 4 times since the watch began, and gone a minute later null',
    ],
  })
  expect(notice.facts).toEqual([
    { label: 'AI revenue', value: '1234.50 EUR (+23%)' },
    { label: 'AI revenue', value: '9000 JPY (none the week before)' },
    { label: 'AI orders', value: '9 (−25%)' },
    { label: 'AI sessions', value: '1,200 (+20%)' },
    { label: 'Pages read for answers', value: '212 (+100%)' },
    { label: 'Refused to AI agents', value: '12 times' },
    { label: 'Failed checkouts', value: '3 (+50%)' },
    { label: 'Score', value: '71 (B), 83 a week ago' },
  ])
  expect(notice.data).toHaveProperty('digest.domain', 'shop.example')
})

test('a quiet week is short', () => {
  const notice = digestNotice(digest({ first: STEPS }), told)
  expect(notice.title).toBe('shop.example: a quiet week')
  expect(notice.lines).toEqual([
    'Nothing changed in the week of 23 – 29 November 2026. Score 83 (A), as a week ago.',
  ])
  expect(said(notice)).toEqual({
    'Most to gain': [
      'The catalog is empty (+12 points): Connect it. https://aisle.example/gaps/catalog_empty',
    ],
  })
  expect(notice.facts).toEqual([])
})

test('scores of weeks that saw other things are no change, and the week is not called quiet', () => {
  const notice = digestNotice(digest({ score: 90, change: null }), told)
  expect(notice.title).toBe('shop.example: score 90')
  expect(notice.facts).toEqual([
    { label: 'Score', value: '90 (A), 83 a week ago, which cannot be compared' },
  ])
})

test.each<[Partial<Digest>, string]>([
  [{ score: 90 }, 'score 90 (+7)'],
  [{ unseen: 'The domain did not answer.' }, 'score 83, last audit saw nothing'],
  [{ open: [incident('x')] }, 'score 83, 1 open'],
  [{ score: null, score_before: null, unseen: 'x' }, 'last audit saw nothing'],
])('not quiet: %j', (change, headline) => {
  expect(digestNotice(digest(change), told).title).toBe(`shop.example: ${headline}`)
})

test('a young watch has no score of a week ago', () => {
  expect(digestNotice(digest({ score_before: null }), told).lines).toEqual([
    'Nothing changed in the week of 23 – 29 November 2026. Score 83 (A), in the first week.',
  ])
})

test('of many incidents some are named', () => {
  const opened = Array.from({ length: 30 }, (_, n) => incident(`Gap ${n}`))
  const notice = digestNotice(digest({ opened, open: opened }), told)
  const { 'New this week': named, ...others } = said(notice)
  expect(named).toHaveLength(6)
  expect(named?.at(-1)).toBe('25 more:  https://aisle.example/watches/shop.example')
  expect(others).toEqual({})
})

test('many domains are one message: the worst first, and no more than a message holds', () => {
  const rows = Array.from({ length: 200 }, (_, n) => {
    const domain = `shop${String(n).padStart(3, '0')}.example`
    const worst = incident('Agents cannot buy', { severity: n === 150 ? 'critical' : 'medium' })
    const ai = {
      sessions: 10,
      sessions_before: 5,
      orders: 1,
      orders_before: 1,
      failed: 0,
      failed_before: 0,
      answers: 0,
      answers_before: 0,
      refused: 0,
      unattributed: 0,
      revenue: [{ currency: n % 2 ? 'EUR' : 'USD', amount: 1000, before: 1000 }],
      ...(n === 0 && { from: '2026-11-22', to: '2026-11-28' }),
    }
    return digestRow(digest({ domain, ai, first: STEPS, open: n >= 100 ? [worst] : [] }))
  })
  const notice = digestOfMany(rows, {
    ...told,
    domain: 'shop000.example',
    url: 'https://aisle.example/watches',
  })
  expect(notice.title).toBe('200 domains: 100 incidents open')
  expect(notice.lines).toEqual([
    'In 100 of them nothing changed this week.',
    'The worst 40 are listed; 60 more changed.',
    'AI brought 2,000 sessions (+100%), 200 orders (±0%) and 1000.00 EUR (±0%), 1000.00 USD (±0%).',
    "Where a store's Sunday was not over, its seven days end before it.",
  ])
  const { 'The worst first': listed } = said(notice)
  expect(listed).toHaveLength(40)
  expect(listed?.slice(0, 2)).toEqual([
    'shop150.example: 83; Agents cannot buy; AI orders 1 (±0%) https://aisle.example/watches/shop.example',
    'shop100.example: 83; Agents cannot buy; AI orders 1 (±0%) https://aisle.example/watches/shop.example',
  ])
  expect(notice.data.digests).toHaveLength(200)
})

test('many quiet domains are one sentence', () => {
  const rows = ['b.example', 'a.example'].map((domain) => digestRow(digest({ domain })))
  const notice = digestOfMany(rows, {
    ...told,
    domain: 'a.example',
    url: 'https://aisle.example/watches',
  })
  expect([notice.title, notice.lines, notice.sections]).toEqual([
    '2 domains: nothing is open',
    ['Nothing changed in any of them this week.'],
    [],
  ])
})
