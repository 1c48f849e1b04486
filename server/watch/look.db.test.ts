import { describe, expect, test } from 'vitest'
import { EXPECTATIONS, expectationOf } from '../../shared/walk/expectations.ts'
import type { WatchNotice } from '../../shared/watch/notice.ts'
import type { StoreFault } from '../store/faults/fault.ts'
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

describe('a fault that is switched on is told after a second look, it alone, and its end', async () => {
  for (const domain of ['watched.example', 'ucp-watched.example', 'agents-watched.example']) {
    await watchFaultless(domain)
  }
  const seenByAudit = FAULTS.flatMap(({ fault, gap, needsWalk }) =>
    gap === null || needsWalk ? [] : [{ fault, gap }],
  )
  test.each(seenByAudit)('$fault', async ({ fault, gap }) => {
    expect(await breakAndRepair(hostOf(fault), fault)).toEqual([`incident.opened gap:${gap}`])
  })
})

const PROTOCOLS = ['ucp', 'acp', 'spec-ucp', 'spec-acp']

/** What a walk sees that pays nothing, and says as a gap. */
const isSeenByLooking = ({ fault, gap, shows }: StoreFault): boolean => {
  // It is where a payment has to be continued.
  if (gap === 'checkout_continue_url_missing') return false
  const about = shows
    ? expectationOf(shows)
    : EXPECTATIONS.find(({ gaps }) => (fault.startsWith('acp') ? gaps.acp : gaps.ucp) === gap)
  return about?.mode === 'look'
}

describe('so is one that only a purchase shows, where the watch walks', async () => {
  for (const protocol of PROTOCOLS) await watchFaultless(`${protocol}-walked.example`, true)
  const seenByWalk = FAULTS.flatMap((each) =>
    each.gap !== null && each.needsWalk && isSeenByLooking(each)
      ? [{ fault: each.fault, gap: each.gap }]
      : [],
  )
  test.each(seenByWalk)('$fault', async ({ fault, gap }) => {
    const protocol = PROTOCOLS.find((each) => fault.startsWith(`${each}-`)) ?? 'spec-ucp'
    const domain = `${protocol}-walked.example`
    const opened = await breakAndRepair(domain, fault)
    // Who cannot change a session cannot cancel it in that protocol either.
    const others = fault === 'spec-acp-updates-fail' ? ['checkout_cancel_fails'] : []
    expect(opened).toEqual([...others, gap].map((id) => `incident.opened gap:${id}`))
    const [notice] = await noticesOf(domain)
    expect(notice?.lines.some((line) => line.startsWith('In a purchase ('))).toBe(true)
  })
})
