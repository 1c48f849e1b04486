import { expect, test } from 'vitest'
import { rulesOf } from '../../shared/audit/checks/index.ts'
import { linksTo } from '../../shared/audit/gap/links.ts'
import { NO_LINKS, toResult } from '../../shared/audit/result/result.ts'
import { gap, pass } from '../../shared/audit/rule.ts'
import { testOnOnePostgres } from '../db/testing/locks.ts'
import { testDatabase } from '../testing/app.ts'
import { withDomainsTag } from './domains-tag.ts'
import { createProperty } from './properties.ts'

const { db, sql } = await testDatabase()
const NOW = new Date('2026-11-21T12:00:00Z')
const outcomes = rulesOf(['attribution']).map((rule) => ({
  rule,
  verdict: rule.gap === 'dark_traffic_untracked' ? gap('It has none.') : pass(),
}))
const resultOf = (links = linksTo('https://aisle.example'), domain = 'tagged.example') =>
  toResult(domain, ['attribution'], outcomes, NOW, links)
const fixOf = ({ gaps }: ReturnType<typeof resultOf>) => gaps[0]?.fix

test('a fix names the service that serves the snippet, and the one property of the domain', async () => {
  expect(fixOf(resultOf(NO_LINKS))).toContain('{cdn_url}/attribution.js?id=<property_id>')
  const result = resultOf()
  expect(fixOf(result)).toContain('https://aisle.example/attribution.js?id=<property_id>')
  expect(await withDomainsTag(db, result)).toEqual(result)
  const { id } = await createProperty(db, { domain: 'tagged.example' }, NOW)
  expect(fixOf(await withDomainsTag(db, result))).toContain(
    `https://aisle.example/attribution.js?id=${id}"`,
  )
  // Which of two it should be, nobody but the owner knows.
  await createProperty(db, { domain: 'tagged.example' }, NOW)
  expect(await withDomainsTag(db, result)).toEqual(result)
})

testOnOnePostgres(
  'a result has its tag while the events of its domain cannot be read',
  async () => {
    const { id } = await createProperty(db, { domain: 'away.example' }, NOW)
    const result = resultOf(undefined, 'away.example')
    await sql`alter table events rename to hidden`
    expect(fixOf(await withDomainsTag(db, result))).toContain(id)
    await sql`alter table hidden rename to events`
  },
)
