import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linksTo } from '../../../shared/audit/gap/links.ts'
import { MAX_TITLES } from '../../../shared/audit/result/product-titles.ts'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { auditDomain } from '../../audit/audit-domain.ts'
import { JUDGES_HERE } from '../../audit/judging/testing/judges-here.ts'
import { fetcherTo } from '../../audit/probe/testing/fetcher.ts'
import { product_titles } from '../../db/attribution/tables.ts'
import { saveAudit } from '../../db/audit/audits.ts'
import { keptTables } from '../../db/retention/kept.ts'
import { runSweep } from '../../db/retention/sweep.ts'
import { createStore } from '../../store/app.ts'
import { testDeps } from '../../store/testing/store.ts'
import { cleanResult } from '../../testing/app.ts'
import { reportingApp } from '../testing/reporting-app.ts'

const NOON = new Date('2026-11-21T12:00:00Z')
const now = () => NOON
const fetcher = await fetcherTo(createStore({ ...(await testDeps({ now })), faults: [] }))
const { ask, db, post, send, newShop, createTestKey } = await reportingApp({
  now,
  audit: (order) =>
    auditDomain(order, {
      fetcher,
      judges: JUDGES_HERE,
      now,
      links: linksTo('https://aisle.example'),
    }),
})

const order = (domain: string, product_id: string, value = 5000) =>
  send({
    event: 'ai_checkout_completed',
    domain,
    session_id: `order ${domain} ${product_id}`,
    source: 'acp',
    ai_surface: 'perplexity',
    timestamp: '2026-11-10T10:00:00Z',
    properties: { product_id, value, currency: 'USD' },
  })

async function namesOf(domain: string, query = '') {
  const path = `/api/report?domain=${domain}&start=2026-11-01&end=2026-11-20${query}`
  const answer = await ask(path)
  const { by_product } = await answer.json()
  return by_product.rows.map((row: Record<string, unknown>) => [row.product_id, row.name])
}

const titlesFor = (domain: string) =>
  db.select().from(product_titles).where(eq(product_titles.domain, domain))

const audited = (domain: string, titles: Record<string, string>, at = NOON) =>
  saveAudit(
    db,
    cleanResult(domain, DEFAULT_CHECKS, at),
    Object.entries(titles).map(([product_id, title]) => ({ product_id, title })),
  )

test('after an audit, products have the names of the catalog; unknown ones have none', async () => {
  const domain = 'named.example'
  await order(domain, 'ao-1101', 9000)
  await order(domain, 'no-such-thing', 100)
  expect(await namesOf(domain)).toEqual([
    ['ao-1101', null],
    ['no-such-thing', null],
  ])
  expect((await post({ domain })).status).toBe(200)
  expect(await namesOf(domain)).toEqual([
    ['ao-1101', expect.stringMatching(/^[A-Z]\w+/)],
    ['no-such-thing', null],
  ])
  expect(await namesOf(domain, '&limit=1&offset=1')).toEqual([['no-such-thing', null]])
})

test('the same id is another product in another shop', async () => {
  const [one, other] = [newShop(), newShop()]
  for (const domain of [one, other]) await order(domain, 'boot')
  await audited(one, { boot: 'Winter boot' })
  expect(await namesOf(one)).toEqual([['boot', 'Winter boot']])
  expect(await namesOf(other)).toEqual([['boot', null]])
  await audited(other, { boot: 'Rubber boot' })
  expect(await namesOf(one)).toEqual([['boot', 'Winter boot']])
  expect(await namesOf(other)).toEqual([['boot', 'Rubber boot']])
  const { key: foreign } = await createTestKey({ domains: [other] })
  const answer = await ask(`/api/report?domain=${one}&start=2026-11-01&end=2026-11-20`, {
    key: foreign,
  })
  expect(answer.status).toBe(403)
  expect(await answer.text()).not.toContain('Winter')
})

test('a name that changed is the newest, whichever audit ends last', async () => {
  const domain = newShop()
  await order(domain, 'boot')
  const later = new Date(NOON.getTime() + 1000)
  await audited(domain, { boot: 'Boot' })
  await audited(domain, { boot: 'Boot 2', hat: 'Hat' }, later)
  expect(await namesOf(domain)).toEqual([['boot', 'Boot 2']])
  await audited(domain, { boot: 'Boot' })
  expect(await namesOf(domain)).toEqual([['boot', 'Boot 2']])
  // What the catalog lists no more keeps its name.
  await audited(domain, { hat: 'Hat' }, new Date(NOON.getTime() + 2000))
  expect(await namesOf(domain)).toEqual([['boot', 'Boot 2']])
})

test('of too many names those that were seen last stay', async () => {
  const domain = newShop()
  const many = (from: number) =>
    Object.fromEntries(Array.from({ length: MAX_TITLES }, (_, n) => [`p${from + n}`, 'Boot']))
  await audited(domain, many(0))
  await audited(domain, many(500), new Date(NOON.getTime() + 2 * 86_400_000))
  const kept = (await titlesFor(domain)).map(({ product_id }) => product_id)
  expect(kept).toHaveLength(MAX_TITLES)
  expect(new Set(kept)).toEqual(new Set(Object.keys(many(500))))
})

test('audits of a domain that end together store their names', async () => {
  const domain = newShop()
  const names = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, `Boot ${n}`]))
  const reversed = Object.fromEntries(Object.entries(names).reverse())
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      audited(domain, n % 2 ? names : reversed, new Date(NOON.getTime() + n * 90_000_000)),
    ),
  )
  expect(await titlesFor(domain)).toHaveLength(200)
})

test('a title goes two years after it was last read', async () => {
  const domain = newShop()
  await audited(domain, { old: 'Old', young: 'Young' })
  await db.execute(sql`update product_titles set seen_at = now() - interval '731 days'
    where domain = ${domain} and product_id = 'old'`)
  await db.execute(sql`update product_titles set seen_at = now() where domain = ${domain}
    and product_id = 'young'`)
  const { slice } = keptTables({ auditDays: 90, engineVersion: '5' }).find(
    ({ table }) => table === 'product_titles',
  )!
  await runSweep(db.$client, 'product_titles', slice!)
  expect((await titlesFor(domain)).map(({ product_id }) => product_id)).toEqual(['young'])
})
