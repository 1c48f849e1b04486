import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import { tellAt } from '../../../shared/watch/quiet-hours.ts'
import { storableText } from '../../../shared/web/json/json.ts'
import type { Db, Transaction } from '../../db/connect.ts'
import {
  type ChannelRow,
  claimWatchDelivery,
  dueChannels,
  findChannel,
  switchChannelOff,
  updateChannel,
} from '../../db/watch/channels.ts'
import { isDelivery, type WatchDeliveryRow } from '../../db/watch/deliveries.ts'
import { watch_deliveries } from '../../db/watch/tables.ts'
import { findWatch } from '../../db/watch/watches.ts'
import { changeOfTry, type Outbox, runOutbox } from '../../jobs/outbox.ts'
import { type DeliveryOutcome, judgeReceiver } from '../../jobs/schedule.ts'
import type { Log } from '../../process/log.ts'
import { enqueueNotice } from '../enqueue-notice.ts'
import { type SendDeps, sendNotice } from './send.ts'

interface ChannelOutboxDeps extends SendDeps {
  db: Db
  log: Log
  /** From 0 to 1, for the jitter of retries. */
  random?: (() => number) | undefined
}

/**
 * Delivers notices by mail or over HTTP. Each channel gets one at a time, over all replicas, so
 * that people read them in order.
 */
export const channelOutbox = (
  deps: ChannelOutboxDeps,
  kind: 'mail' | 'http',
): Outbox<ChannelRow, WatchDeliveryRow> => ({
  now: deps.now,
  random: deps.random,
  due: (now, most) => dueChannels(deps.db, { kind, now, most }),
  claim: async ({ id }, lease) => {
    const claimed = await claimWatchDelivery(deps.db, id, lease)
    return claimed === null ? [] : [claimed]
  },
  send: (channel, { notice }, signal) => sendNotice(deps, channel, notice, signal),
  note: (channel, delivery, outcome, now) => noteDelivery(deps, channel, delivery, outcome, now),
})

/**
 * How many channels may send mail at the same time: each opens a connection to the one mail server.
 */
const MAIL_PLACES = 4

/** Delivers what is due until it is stopped; `everyMs` between two polls. */
export function runChannels(deps: ChannelOutboxDeps, everyMs = 1000) {
  const onError = (err: unknown) => deps.log.warn({ err }, 'notices could not be delivered')
  const both = [
    runOutbox(channelOutbox(deps, 'http'), onError, { everyMs }),
    runOutbox(channelOutbox(deps, 'mail'), onError, { everyMs, most: MAIL_PLACES }),
  ]
  return { stop: () => Promise.all(both.map((each) => each.stop())) }
}

/**
 * Records the outcome of a try. If two processes tried the same delivery, the first record counts.
 * The channel is locked first, because switching it off ends its other deliveries. Retries keep
 * quiet hours too.
 */
export async function noteDelivery(
  deps: ChannelOutboxDeps,
  { id, domain }: Pick<ChannelRow, 'id' | 'domain'>,
  delivery: WatchDeliveryRow,
  outcome: DeliveryOutcome,
  now: Date,
): Promise<void> {
  const off = await deps.db.transaction(async (tx) => {
    const channel = await findChannel(tx, { id, domain }, 'for update')
    const watch = await findWatch(tx, domain)
    const tellNext = (at: Date) =>
      watch === null ? at : tellAt(watch.quiet_hours, watch.time_zone, at)
    const isOff = channel === null || channel.disabled_at !== null
    const noted = await tx
      .update(watch_deliveries)
      .set(changeOf(delivery, outcome, { now, again: (at) => (isOff ? null : tellNext(at)) }))
      .where(
        and(
          isDelivery(delivery),
          eq(watch_deliveries.attempts, delivery.attempts),
          isNull(watch_deliveries.delivered_at),
        ),
      )
      .returning({ id: watch_deliveries.channel_id })
    if (channel === null || noted.length === 0 || outcome.is === 'unsent') return null
    return judgeChannel(tx, channel, delivery, outcome, { now, tellNext })
  })
  if (off === null) return
  await tellOthers(deps, off, now).catch((err: unknown) =>
    deps.log.warn({ err }, 'no notice that a channel was switched off'),
  )
}

function changeOf(
  delivery: WatchDeliveryRow,
  outcome: DeliveryOutcome,
  { now, again }: { now: Date; again: (at: Date) => Date | null },
): Partial<WatchDeliveryRow> {
  const change: Partial<WatchDeliveryRow> = changeOfTry(delivery, outcome, now)
  if (change.last_error) change.last_error = storableText(change.last_error)
  if (change.next_at) change.next_at = again(change.next_at)
  return change
}

/**
 * Updates the channel, and returns it if it was switched off. While a channel fails, its other
 * deliveries wait; after a success all are due. `tellNext` gives the first moment outside quiet
 * hours.
 */
async function judgeChannel(
  tx: Transaction,
  channel: ChannelRow,
  { notice, created_at }: WatchDeliveryRow,
  outcome: Exclude<DeliveryOutcome, { is: 'unsent' }>,
  { now, tellNext }: { now: Date; tellNext: (at: Date) => Date },
): Promise<ChannelRow | null> {
  const isTest = notice.event === 'test'
  const { failing_since, isOver } = judgeReceiver(channel.failing_since, outcome, {
    now,
    waited_since: created_at,
  })
  const waiting = and(
    eq(watch_deliveries.channel_id, channel.id),
    isNotNull(watch_deliveries.next_at),
    isNull(watch_deliveries.leased_until),
  )
  if (outcome.is === 'delivered') {
    await updateChannel(tx, channel, { failing_since, last_ok_at: now, last_error: null })
    // Not by `failing_since`, which our own faults, such as a mail server that is down, do not set.
    if (channel.last_error === null) return null
    await tx
      .update(watch_deliveries)
      .set({ next_at: tellNext(now) })
      .where(and(waiting, isNotNull(watch_deliveries.last_error)))
    return null
  }
  const last_error = storableText(outcome.error)
  // A test is tried once, perhaps while the receiver is being set up: its failure neither switches
  // the channel off nor dates the fault.
  const isMereTest = isTest && outcome.is !== 'gone'
  if (!isOver || isMereTest || channel.disabled_at !== null) {
    await updateChannel(tx, channel, { ...(!isTest && { failing_since }), last_error })
    if (outcome.is !== 'retry') return null
    await tx
      .update(watch_deliveries)
      .set({
        next_at: tellNext(outcome.at),
        last_error: 'It waits until something reaches this channel again.',
      })
      .where(and(waiting, lte(watch_deliveries.next_at, now)))
    return null
  }
  const disabled_why =
    outcome.is === 'gone'
      ? `It answered that it wants nothing any more (${last_error}).`
      : `Nothing reached it since ${dayOf(failing_since)}. The last try: ${last_error}.`
  const change = { failing_since, last_error, disabled_at: now, disabled_why }
  await switchChannelOff(tx, channel, change)
  return { ...channel, ...change }
}

const dayOf = (moment: Date | null) => moment?.toISOString().slice(0, 10) ?? 'its first try'

/**
 * Notifies the other channels of the domain. Runs after the state is written, because it needs the
 * domain's node of a cluster.
 */
async function tellOthers(
  { db, baseUrl }: ChannelOutboxDeps,
  { id, domain, kind, disabled_why }: ChannelRow,
  now: Date,
): Promise<void> {
  const watch = await findWatch(db, domain)
  if (watch === null) return
  const why = disabled_why ?? ''
  await db.transaction((tx) =>
    enqueueNotice(
      tx,
      watch,
      {
        id: randomUUID(),
        domain,
        at: now.toISOString(),
        event: 'channel.off',
        severity: null,
        title: `Alerts of ${domain} no longer go to one of its channels`,
        lines: [
          `The channel “${KIND_WORDS[kind]}” was switched off. ${why}`,
          'Repair what receives them and switch it on again, or delete it and add the new address.',
        ],
        facts: [],
        url: `${baseUrl}/watches/${domain}`,
        data: { channel: { id, kind, off_because: why } },
      },
      now,
    ),
  )
}

/** Names of the kinds for people. */
const KIND_WORDS: Record<ChannelRow['kind'], string> = {
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  mail: 'Mail',
  feed: 'RSS feed',
}
