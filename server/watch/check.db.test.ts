import { describe, expect, test } from 'vitest'
import type { WatchNotice } from '../../shared/watch/notice.ts'
import { JUDGES_HERE } from '../audit/judging/testing/judges-here.ts'
import { starvingJudges } from '../audit/judging/testing/starving.ts'
import { FAULTS } from '../store/faults/faults.ts'
import { testDatabase } from '../testing/app.ts'
import { watchedStore } from './testing/watched-store.ts'

const { db, sql } = await testDatabase()
const store = await watchedStore(db, new Date('2026-11-25T10:00:00Z'))

const noticesOf = async (domain: string): Promise<WatchNotice[]> =>
  (
    await sql<{ notice: WatchNotice }[]>`
      select notice from notices where domain = ${domain} order by at, notice->>'title'`
  ).map(({ notice }) => notice)

const told = async (domain: string): Promise<string[]> =>
  (await noticesOf(domain)).map(({ event, data }) => {
    const { kind, subject } = data.incident as { kind: string; subject: string }
    return `${event} ${kind}:${subject}`
  })

/** A store that is broken, seen to be by a second look, repaired, and seen to be; what was told. */
async function breakAndRepair(domain: string, fault: string): Promise<string[]> {
  await sql`delete from notices where domain = ${domain}`
  store.setFaults(fault)
  await store.look(domain)
  expect(await told(domain)).toEqual([])
  await store.look(domain)
  const opened = await told(domain)
  store.setFaults()
  await store.look(domain)
  expect(await told(domain)).toEqual(opened)
  await store.look(domain)
  const ends = (await told(domain)).slice(opened.length)
  expect(ends.map((each) => each.replace('closed', 'opened'))).toEqual(opened)
  const left = await sql<{ subject: string }[]>`
    select subject from incidents where domain = ${domain} and closed_at is null and not is_known`
  expect([...left]).toEqual([])
  return opened
}

async function watchFaultless(domain: string, walk = false) {
  store.setFaults()
  await store.watch({ domain, walk, ...(walk && { checks: ['checkout', 'acp'] }) })
  await store.look(domain)
  expect(await told(domain)).toEqual([])
}

const hostOf = (fault: string) => {
  if (fault.startsWith('ucp-')) return 'ucp-watched.example'
  return /^(?:agents|ai)-/.test(fault) ? 'agents-watched.example' : 'watched.example'
}

const gapOf = (name: string) => FAULTS.find(({ fault }) => fault === name)?.gap

/** One of each check and dialect: `audit/faults.table.db.test.ts` shows them all in audits. */
const SEEN_BY_AUDIT = [
  'well-known-invalid',
  'catalog-empty',
  'checkout-slow',
  'acp-discovery-invalid',
  'product-schema-missing',
  'feed-price-mismatch',
  'organization-missing',
  'dark-traffic-untracked',
  'agents-refused',
  'ucp-not-shoppable',
  'ucp-catalog-empty',
]
const SEEN_BY_WALK = ['ucp-totals-wrong', 'acp-never-ready', 'spec-acp-updates-fail']

describe('a fault that is switched on is told after a second look, it alone, and its end', async () => {
  for (const domain of ['watched.example', 'ucp-watched.example', 'agents-watched.example']) {
    await watchFaultless(domain)
  }
  test.each(SEEN_BY_AUDIT)('%s', async (fault) => {
    expect(await breakAndRepair(hostOf(fault), fault)).toEqual([
      `incident.opened gap:${gapOf(fault)}`,
    ])
  })
})

const PROTOCOLS = ['ucp', 'acp', 'spec-acp']

describe('so is one that only a purchase shows, where the watch walks', async () => {
  for (const protocol of PROTOCOLS) await watchFaultless(`${protocol}-walked.example`, true)
  test.each(SEEN_BY_WALK)('%s', async (fault) => {
    const protocol = PROTOCOLS.find((each) => fault.startsWith(`${each}-`))
    const domain = `${protocol}-walked.example`
    const opened = await breakAndRepair(domain, fault)
    expect(opened).toEqual([`incident.opened gap:${gapOf(fault)}`])
    const [notice] = await noticesOf(domain)
    expect(notice?.lines.some((line) => line.startsWith('In a purchase ('))).toBe(true)
  })
})

test('what this machine had no time to read is no incident, and is read again', async () => {
  await watchFaultless('starved.example')
  store.setJudges(starvingJudges((task) => task !== 'json'))
  for (let n = 0; n < 3; n += 1) expect(await store.look('starved.example')).toBe('failed')
  store.setJudges(JUDGES_HERE)
  expect(await store.look('starved.example')).toBe('seen')
  expect(await told('starved.example')).toEqual([])
  const opened = await sql`
    select subject from incidents where domain = 'starved.example' and not is_known`
  expect([...opened]).toEqual([])
})
