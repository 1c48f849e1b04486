import { insertRollup } from '../../../../attribution/report/testing/rows.ts'
import type { Db } from '../../../../db/connect.ts'
import { hasChecks, hasIncident, watchedDomain } from '../../../../watch/testing/watched.ts'

const DAY_MS = 86_400_000
const TAGS = ['client A', 'client B', 'fashion', 'food']
const WORDS = [
  'north',
  'river',
  'copper',
  'maple',
  'harbour',
  'linen',
  'cedar',
  'stone',
  'amber',
  'kite',
]
const GOODS = [
  'boots',
  'tea',
  'lamps',
  'bikes',
  'books',
  'chairs',
  'wine',
  'coats',
  'plants',
  'bags',
]

/** The domain of a made-up store: 1,000 of them differ. */
const shopOf = (at: number): string =>
  `${WORDS[at % 10]}-${GOODS[Math.floor(at / 10) % 10]}${at < 100 ? '' : `-${Math.floor(at / 100) + 1}`}.example`

/**
 * Watched stores in all states: some with incidents, some unseen, paused, new or late, most of them
 * fine; with a month of scores and two of revenue.
 */
export async function watchShops(db: Db, count: number, now: Date): Promise<string[]> {
  const domains = Array.from({ length: count }, (_, at) => shopOf(at))
  for (const [at, domain] of domains.entries()) {
    const isNew = at % 20 === 7
    const isBroken = at % 20 === 1 || at % 20 === 11 || at % 20 === 15
    const isUnseen = at % 20 === 5
    const score = 95 - ((at * 7) % 40) - (isBroken ? 15 : 0)
    await watchedDomain(db, domain, {
      now,
      tags:
        at % 3 === 0
          ? []
          : [...new Set([TAGS[at % 2] ?? '', TAGS[2 + (at % 5 === 0 ? 1 : 0)] ?? ''])],
      score,
      grade: score >= 85 ? 'A' : score >= 70 ? 'B' : score >= 50 ? 'C' : 'D',
      ...(isUnseen && { outcome: 'unseen', why: 'The shop answered 403 to every request' }),
      ...(isNew && { looked_at: null, outcome: null, score: null, grade: null }),
      ...(at % 20 === 9 && { paused_at: new Date(now.getTime() - 3 * DAY_MS) }),
      ...(at % 40 === 13 && { late_at: new Date(now.getTime() - 600_000) }),
    })
    if (isNew) continue
    const wave = (day: number) => Math.round(4 * Math.sin(day / 4 + at))
    await hasChecks(db, domain, {
      now,
      scores: Array.from({ length: 30 }, (_, day) =>
        Math.min(100, day === 29 ? score : score + (isBroken && day < 25 ? 15 : 0) + wave(day)),
      ),
    })
    if (isBroken) await breakShop(db, domain, at, now)
    if (at % 4 === 0) {
      await hasIncident(db, domain, {
        now,
        subject: 'feed_stale',
        severity: 'medium',
        label: 'The product feed is out of date',
        detail: 'The feed was last changed 9 days ago, expected within 24 hours.',
        fix: 'Have the feed written at least once a day.',
        points: 3,
        is_known: true,
        well_at: null,
      })
    }
    if (at % 20 !== 3) await sell(db, domain, at, now)
  }
  return domains
}

async function breakShop(db: Db, domain: string, at: number, now: Date): Promise<void> {
  await hasIncident(db, domain, { now, ...(at % 20 === 1 ? {} : PRICES) })
  if (at % 20 === 11) await hasIncident(db, domain, { now })
}

const PRICES = {
  subject: 'price_mismatch',
  severity: 'high',
  label: 'Prices of the page and the catalog differ',
  detail: 'Product "boot" costs 49.00 EUR on its page and 59.00 EUR in the catalog.',
  fix: 'Read both from the same place.',
  points: 7,
} as const

async function sell(db: Db, domain: string, at: number, now: Date): Promise<void> {
  const dayAgo = (days: number) =>
    new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10)
  const currency = at % 5 === 0 ? 'USD' : 'EUR'
  await insertRollup(
    db,
    domain,
    [3, 12, 25, 33, 41, 55].map((days) => ({
      day: dayAgo(days),
      currency,
      sessions: 40,
      completed: 3,
      revenue: 1000 * (3 + ((at * days) % 17)),
    })),
  )
}
