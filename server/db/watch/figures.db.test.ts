import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/app.ts'
import { createWatch } from '../../watch/set-up.ts'
import { readWatchFigures } from './figures.ts'
import { openIncident } from './incidents.ts'
import { watch_channels, watch_deliveries } from './tables.ts'
import { updateWatch } from './watches.ts'

const { db } = await testDatabase()
const NOW = new Date('2026-11-25T12:00:00Z')
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

test('where nothing is watched all are zero', async () => {
  expect(await readWatchFigures(db, NOW)).toEqual({
    watches: { active: 0, paused: 0 },
    due: 0,
    queueAge: 0,
    digestAge: 0,
    deliveries: { due: 0, dueAge: 0, failing: 0 },
    channels: { working: 0, failing: 0, off: 0 },
    incidents: { gap: 0, unseen: 0, signal: 0 },
  })
})

test('what is due is told with its age, and not what is paused, leased or for later', async () => {
  const watch = async (domain: string, change: Parameters<typeof updateWatch>[2]) => {
    await createWatch(
      { db, now: () => before(9999) },
      { domain },
      { keyId: 'k', mayReadReport: true },
    )
    const later = { next_at: before(-60), digest_at: before(-60) }
    await updateWatch(db, domain, { ...later, ...change })
  }
  await watch('due.example', { next_at: before(30) })
  await watch('older.example', { next_at: before(90), digest_at: before(10) })
  await watch('left.example', { next_at: before(50), leased_until: before(1) })
  await watch('leased.example', { next_at: before(500), leased_until: before(-1) })
  await watch('paused.example', {
    next_at: before(500),
    digest_at: before(500),
    paused_at: before(500),
  })
  await watch('later.example', {})
  const channel = {
    domain: 'due.example',
    kind: 'mail' as const,
    target: 'a',
    events: [],
    key_id: 'k',
  }
  const made = { ...channel, created_at: NOW, confirmed_at: NOW }
  await db.insert(watch_channels).values([
    { ...made, id: 'a' },
    { ...made, id: 'b', failing_since: NOW },
    { ...made, id: 'c', failing_since: NOW, disabled_at: NOW },
    { ...made, id: 'd', confirmed_at: null },
  ])
  const notice = {
    id: '',
    domain: 'due.example',
    at: '',
    event: 'test' as const,
    severity: null,
    title: '',
    lines: [],
    facts: [],
    url: '',
    data: {},
  }
  const delivery = { channel_id: 'a', domain: 'due.example', notice, created_at: NOW }
  await db.insert(watch_deliveries).values([
    { ...delivery, notice_id: randomUUID(), next_at: before(20) },
    { ...delivery, notice_id: randomUUID(), next_at: before(40), leased_until: before(-5) },
    { ...delivery, notice_id: randomUUID(), next_at: before(-40), attempts: 3 },
    { ...delivery, notice_id: randomUUID(), next_at: null, delivered_at: NOW },
  ])
  for (const [kind, closed_at] of [
    ['gap', null],
    ['gap', NOW],
    ['signal', null],
  ] as const) {
    await openIncident(db, {
      domain: 'due.example',
      id: randomUUID(),
      kind,
      subject: kind,
      severity: 'high',
      label: '',
      detail: '',
      fix: '',
      points: null,
      changes: [],
      steps: [],
      is_known: false,
      well_at: null,
      first_seen_at: NOW,
      last_seen_at: NOW,
      opened_at: NOW,
      closed_at,
    })
  }
  expect(await readWatchFigures(db, NOW)).toEqual({
    watches: { active: 5, paused: 1 },
    due: 3,
    queueAge: 90,
    digestAge: 10,
    deliveries: { due: 1, dueAge: 20, failing: 1 },
    channels: { working: 1, failing: 1, off: 1 },
    incidents: { gap: 1, unseen: 0, signal: 1 },
  })
})
