import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../shared/audit/checks/index.ts'
import { CHECK_NAMES } from '../../shared/audit/vocabulary.ts'
import type { Incident } from '../../shared/watch/incident.ts'
import { FAULTS } from '../store/faults/faults.ts'
import { testDatabase } from '../testing/app.ts'
import { watchedStore } from './testing/watched-store.ts'

const { db, sql } = await testDatabase()
const store = await watchedStore(db, new Date('2026-11-25T10:00:00Z'))

const notices = async (domain: string) =>
  (
    await sql<{ event: string; data: { incident: Incident } }[]>`
      select event, notice->'data' as data from notices where domain = ${domain} order by at`
  ).map(({ event, data: { incident } }) => `${event} ${incident.kind}:${incident.subject}`)

/** A store that is broken, watched with a second look, and repaired. */
async function breakAndRepair(domain: string, fault: string): Promise<string[]> {
  await sql`delete from notices where domain = ${domain}`
  store.setFaults(fault)
  expect(await store.look(domain)).toBe('seen')
  expect(await notices(domain)).toEqual([])
  await store.look(domain)
  const opened = await notices(domain)
  store.setFaults()
  await store.look(domain)
  expect(await notices(domain)).toEqual(opened)
  await store.look(domain)
  const left = await sql<{ subject: string }[]>`
    select kind || ':' || subject as subject from incidents where domain = ${domain} and closed_at is null`
  expect([...left]).toEqual([])
  expect(
    (await notices(domain))
      .slice(opened.length)
      .map((each) => each.replace('closed', 'opened'))
      .toSorted(),
  ).toEqual(opened.toSorted())
  return opened
}

const SEEN_BY_AUDIT = FAULTS.flatMap(({ fault, gap, needsWalk }) =>
  gap === null || needsWalk ? [] : [{ fault, gap }],
)

const hostOf = (fault: string) => {
  if (fault.startsWith('ucp-')) return 'ucp-watched.example'
  return /^(?:agents|ai)-/.test(fault) ? 'agents-watched.example' : 'watched.example'
}

describe('a fault that is switched on is told within one look and a second one, and its end', async () => {
  for (const domain of ['watched.example', 'ucp-watched.example', 'agents-watched.example']) {
    store.setFaults()
    await store.watch({ domain })
    await store.look(domain)
  }
  test.each(SEEN_BY_AUDIT)('$fault', async ({ fault, gap }) => {
    expect(await breakAndRepair(hostOf(fault), fault)).toEqual([`incident.opened gap:${gap}`])
  })
})

void rulesOf
void CHECK_NAMES
