import { randomUUID } from 'node:crypto'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { CHANNEL_EVENTS, type ChannelEvent } from '../../../../shared/watch/channel.ts'
import type { WatchNotice } from '../../../../shared/watch/notice.ts'
import { randomBase62 } from '../../../access/key-format.ts'
import type { Db } from '../../../db/connect.ts'
import { type ChannelRow, insertChannel } from '../../../db/watch/channels.ts'
import { watch_channels, watch_deliveries } from '../../../db/watch/tables.ts'
import { insertWatch, type WatchRow } from '../../../db/watch/watches.ts'
import { deliverAll, startReceiver, testFetcher } from '../../../jobs/testing/receiver.ts'
import { createLog } from '../../../process/log.ts'
import { testDatabase } from '../../../testing/app.ts'
import { enqueueNotice } from '../../enqueue-notice.ts'
import { createChannels } from '../channels.ts'
import type { Mailer } from '../mail/smtp.ts'
import { channelOutbox } from '../outbox.ts'

export const NOON = new Date('2026-11-21T12:00:00Z')
export const SHOP = 'shop.example'
export const BASE = 'https://aisle.example'
export const OWNER = { id: 'owner', scopes: ['audit', 'report:read'] } as const

export const aWatch = (change: Partial<WatchRow> = {}): WatchRow => ({
  domain: SHOP,
  site: SHOP,
  key_id: 'owner',
  checks: [...DEFAULT_CHECKS],
  walk: false,
  period: 'hourly',
  severity: 'high',
  quiet_hours: null,
  time_zone: 'UTC',
  with_report: false,
  tags: [],
  created_at: NOON,
  paused_at: null,
  slot_at: NOON,
  look: 0,
  next_at: NOON,
  late_at: NOON,
  lease: null,
  leased_until: null,
  state: {},
  looked_at: null,
  outcome: null,
  score: null,
  grade: null,
  why: null,
  digest_at: NOON,
  signals_at: null,
  signals_judged_at: null,
  ...change,
})

export const aNotice = (change: Partial<WatchNotice> = {}): WatchNotice => ({
  id: randomUUID(),
  domain: SHOP,
  at: NOON.toISOString(),
  event: 'incident.opened',
  severity: 'critical',
  title: 'Agents can no longer open a checkout',
  lines: ['Since 21 November, 11:00 UTC.', 'The score lost 12 points.'],
  facts: [
    { label: 'Status before', value: '200' },
    { label: 'Status now', value: '404' },
  ],
  url: `${BASE}/watches/${SHOP}/incidents/1`,
  data: { incident: { id: 'i-1' } },
  ...change,
})

interface WorldOptions {
  watch?: Partial<WatchRow>
  mailer?: Mailer | null
  fetcher?: Parameters<typeof testFetcher>[1]
}

/** A watched domain, a receiver for every `*.example`, and a clock that the test moves. */
export async function channelWorld({ watch = {}, mailer = null, fetcher }: WorldOptions = {}) {
  const database = await testDatabase()
  const { db } = database
  const receiver = await startReceiver()
  const clock = { at: NOON.getTime() }
  const lines: string[] = []
  const deps = {
    db,
    now: () => new Date(clock.at),
    log: createLog({ write: (line) => lines.push(line) }),
    baseUrl: BASE,
    fetcher: testFetcher(receiver.origin, fetcher),
    mailer,
    random: () => 0,
  }
  const watched = aWatch(watch)
  await insertWatch(db, watched)
  const channels = createChannels(deps)
  return {
    ...deps,
    database,
    clock,
    lines,
    receiver,
    channels,
    watched,
    add: (kind: 'webhook' | 'slack' | 'teams', target: string, events?: ChannelEvent[]) =>
      channels.add(watched.domain, { kind, target, ...(events && { events }) }, OWNER),
    tell: (change: Partial<WatchNotice> = {}) => tell(db, watched, change, deps.now()),
    deliver: () => deliverAll(channelOutbox(deps, 'http')),
    deliverMail: () => deliverAll(channelOutbox(deps, 'mail')),
    deliveries: () => db.select().from(watch_deliveries).orderBy(watch_deliveries.created_at),
    rows: () => db.select().from(watch_channels).orderBy(watch_channels.created_at),
  }
}

async function tell(db: Db, watch: WatchRow, change: Partial<WatchNotice>, now: Date) {
  const notice = aNotice({ at: now.toISOString(), ...change })
  await db.transaction((tx) => enqueueNotice(tx, watch, notice, now))
  return notice
}

/** A watched domain with one channel, as stored: a feed, which receives nothing. */
export async function watchedChannel(db: Db, domain: string): Promise<ChannelRow> {
  await insertWatch(db, aWatch({ domain, site: domain }))
  const row: ChannelRow = {
    id: randomBase62(8),
    domain,
    kind: 'feed',
    target: '',
    secret: null,
    token_sha256: null,
    events: [...CHANNEL_EVENTS],
    key_id: 'owner',
    created_at: NOON,
    confirmed_at: NOON,
    last_ok_at: null,
    failing_since: null,
    last_error: null,
    disabled_at: null,
    disabled_why: null,
  }
  await insertChannel(db, row)
  return row
}
