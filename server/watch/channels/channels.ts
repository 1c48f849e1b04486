import { hash, randomBytes, randomUUID } from 'node:crypto'
import {
  CHANNEL_EVENTS,
  type Channel,
  type ChannelChange,
  type ChannelDelivery,
  type ChannelEvent,
  type ChannelTest,
  MAX_CHANNELS,
  type MadeChannel,
  REPORT_EVENTS,
} from '../../../shared/watch/channel.ts'
import type { WatchNotice } from '../../../shared/watch/notice.ts'
import { hashSecret, mintKey, randomBase62 } from '../../access/key-format.ts'
import { type ApiKey, tenantOf } from '../../db/access/keys.ts'
import type { Scope } from '../../db/access/scopes.ts'
import type { Db } from '../../db/connect.ts'
import {
  type ChannelId,
  type ChannelRow,
  deleteChannel,
  findChannel,
  insertChannel,
  listChannelDeliveries,
  listChannels,
  updateChannel,
} from '../../db/watch/channels.ts'
import type { WatchDeliveryRow } from '../../db/watch/deliveries.ts'
import { notices, watch_deliveries } from '../../db/watch/tables.ts'
import { findWatch } from '../../db/watch/watches.ts'
import { ApiError } from '../../http/api-error.ts'
import {
  CHANNEL_TEST_QUOTA,
  CONFIRM_ADDRESS_QUOTA,
  CONFIRM_QUOTA,
  countBy,
  rateLimited,
} from '../../http/rate-limit.ts'
import { NEVER } from '../../jobs/outbox.ts'
import { judgeAttempt } from '../../jobs/schedule.ts'
import type { Log } from '../../process/log.ts'
import { noWatch } from '../set-up.ts'
import { CONFIRM_DAYS, confirmPath, newConsent } from './consent.ts'
import { feedPath } from './feed.ts'
import { confirmationMail } from './mail/mail.tsx'
import { type NewChannel, targetOf } from './new-channel.ts'
import { noteDelivery } from './outbox.ts'
import { type SendDeps, sendNotice } from './send.ts'

interface ChannelsDeps extends SendDeps {
  db: Db
  log: Log
  /** From 0 to 1, for the jitter of retries. */
  random?: () => number
}

/** The caller: what a key may see of a domain that it covers. */
export type ChannelCaller = Pick<ApiKey, 'id'> &
  Partial<Pick<ApiKey, 'made_by'>> & { scopes: readonly Scope[] }

/**
 * The notification channels of watched domains, for the API and the page of a watch. Errors are
 * thrown as `ApiError`. The caller's key covers the domain.
 */
export interface Channels {
  /** Whether the operator has set up a mail server. */
  hasMail: boolean
  list: (domain: string) => Promise<Channel[]>
  add: (domain: string, asked: NewChannel, caller: ChannelCaller) => Promise<MadeChannel>
  change: (id: ChannelId, change: ChannelChange, caller: ChannelCaller) => Promise<Channel>
  remove: (id: ChannelId) => Promise<void>
  /** Sends a test notice to this one channel now. */
  test: (id: ChannelId, caller: ChannelCaller) => Promise<ChannelTest>
  /** The newest 50 deliveries that the caller may see. */
  deliveries: (id: ChannelId, caller: ChannelCaller) => Promise<ChannelDelivery[]>
}

export function createChannels(deps: ChannelsDeps): Channels {
  const { db, now, mailer, baseUrl } = deps
  const tests = countBy(db, CHANNEL_TEST_QUOTA)
  const asks = countBy(db, CONFIRM_QUOTA)
  const asked = countBy(db, CONFIRM_ADDRESS_QUOTA)

  const requireWatch = async (domain: string): Promise<void> => {
    if ((await findWatch(db, domain)) === null) throw noWatch(domain)
  }
  const channelOf = async (id: ChannelId): Promise<ChannelRow> => {
    await requireWatch(id.domain)
    const channel = await findChannel(db, id)
    if (channel === null) throw noChannel()
    return channel
  }

  /** Mails the holder of an address; the channel is only created once that mail was accepted. */
  async function askHolder(channel: ChannelRow, confirmToken: string, keyId: string) {
    if (mailer === null) throw noMail()
    await take(asks, keyId, 'Your key has entered many mail addresses in the last hour.')
    const address = hash('sha256', channel.target.toLowerCase())
    await take(asked, address, 'This address was asked three times in the last day.')
    const mail = confirmationMail({
      to: channel.target,
      domain: channel.domain,
      confirmUrl: baseUrl + confirmPath(confirmToken),
      host: new URL(baseUrl).hostname,
      channelId: channel.id,
      days: CONFIRM_DAYS,
    })
    const attempt = await mailer.send(mail, NEVER)
    if (attempt.is === 'delivered') return
    // No mail was sent. An address that its server refused still counts against the key: otherwise
    // the key could probe for free which addresses exist.
    await asked.giveBack(address)
    if (attempt.is !== 'failed' || attempt.because !== 'final') await asks.giveBack(keyId)
    const why = attempt.is === 'failed' ? attempt.error : ''
    throw new ApiError(
      503,
      'mail_not_sent',
      `The mail that asks the holder of this address could not be sent. ${why}`.trim(),
      { headers: { 'Retry-After': '60' } },
    )
  }

  return {
    hasMail: mailer !== null,
    list: async (domain) => {
      await requireWatch(domain)
      return (await listChannels(db, domain)).map(shownChannel)
    },
    add: async (domain, asking, caller) => {
      const { kind, events } = asking
      await requireWatch(domain)
      if (kind === 'mail' && mailer === null) throw noMail()
      const wanted = events ?? CHANNEL_EVENTS.filter((event) => maySee(caller, event))
      refuseUnseen(caller, wanted)
      const id = randomBase62(8)
      const at = now()
      const { kept, shown, confirmToken } = secretsOf({ kind, id, domain }, baseUrl, at)
      const row: ChannelRow = {
        id,
        domain,
        kind,
        target: targetOf(asking),
        ...kept,
        events: wanted,
        key_id: caller.id,
        created_at: at,
        last_ok_at: null,
        failing_since: null,
        last_error: null,
        disabled_at: null,
        disabled_why: null,
      }
      const made = await insertChannel(db, row)
      if (made === 'not_watched') throw noWatch(domain)
      if (made === 'too_many') throw tooMany()
      if (confirmToken !== undefined) {
        try {
          await askHolder(row, confirmToken, tenantOf(caller))
        } catch (error) {
          await deleteChannel(db, row)
          throw error
        }
      }
      return { ...shownChannel(row), ...shown }
    },
    change: async (id, { events, enabled }, caller) => {
      const channel = await channelOf(id)
      if (events !== undefined) refuseUnseen(caller, events)
      if (enabled && channel.disabled_at !== null && channel.confirmed_at === null) {
        throw new ApiError(
          409,
          'unsubscribed',
          'The holder of this address unsubscribed. Delete the channel and add the address again: its holder is asked once more.',
        )
      }
      const isBack = enabled && channel.disabled_at !== null
      const changed = await updateChannel(db, id, {
        ...(events !== undefined && { events }),
        ...(isBack && { disabled_at: null, disabled_why: null, failing_since: null }),
        // An update without fields is still a statement.
        key_id: channel.key_id,
      })
      if (changed === null) throw noChannel()
      return shownChannel(changed)
    },
    remove: async (id) => {
      await requireWatch(id.domain)
      if (!(await deleteChannel(db, id))) throw noChannel()
    },
    test: async (id, caller) => {
      const channel = await channelOf(id)
      if (channel.confirmed_at === null) throw notConfirmed()
      await take(tests, tenantOf(caller), 'Your key has tested channels 60 times in the last hour.')
      const at = now()
      const notice = testNotice(channel, baseUrl, at)
      if (channel.kind === 'feed') {
        const { domain } = channel
        await db.insert(notices).values({ domain, id: notice.id, at, event: notice.event, notice })
        return { delivered: true, status: null, error: null }
      }
      return sendTest(deps, channel, notice)
    },
    deliveries: async (id, caller) => {
      const channel = await channelOf(id)
      const events = [...CHANNEL_EVENTS.filter((event) => maySee(caller, event)), 'test' as const]
      return (await listChannelDeliveries(db, channel, { events })).map(shownDelivery)
    },
  }
}

/** The secret that a new channel is opened with. */
interface Secrets {
  kept: Pick<ChannelRow, 'secret' | 'token_sha256' | 'confirmed_at'>
  /** Shown to its owner once, now. */
  shown: Pick<MadeChannel, 'secret' | 'feed_url'>
  /** For the mail that asks the holder to confirm. */
  confirmToken?: string
}

function secretsOf(
  { kind, id, domain }: Pick<ChannelRow, 'kind' | 'id' | 'domain'>,
  baseUrl: string,
  at: Date,
): Secrets {
  const kept = { secret: null, token_sha256: null, confirmed_at: at }
  const shown = { secret: null, feed_url: null }
  if (kind === 'webhook') {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    return { kept: { ...kept, secret }, shown: { ...shown, secret } }
  }
  if (kind === 'feed') {
    const { key, secret } = mintKey('channel', id)
    const feed_url = baseUrl + feedPath(domain, key)
    return { kept: { ...kept, token_sha256: hashSecret(secret) }, shown: { ...shown, feed_url } }
  }
  if (kind === 'mail') {
    const { row, confirmToken } = newConsent(id)
    return { kept: { ...row, confirmed_at: null }, shown, confirmToken }
  }
  return { kept, shown }
}

/** Sends once, and records the outcome like that of any delivery. */
async function sendTest(
  deps: Parameters<typeof noteDelivery>[0],
  channel: ChannelRow,
  notice: WatchNotice,
): Promise<ChannelTest> {
  const { db, now } = deps
  const delivery: WatchDeliveryRow = {
    channel_id: channel.id,
    notice_id: notice.id,
    domain: channel.domain,
    notice,
    created_at: new Date(notice.at),
    attempts: 0,
    // Not retried, by this process or another.
    next_at: null,
    leased_until: null,
    delivered_at: null,
    last_status: null,
    last_error: null,
  }
  await db.insert(watch_deliveries).values(delivery)
  const attempt = await sendNotice(deps, channel, notice, NEVER)
  const at = now()
  const outcome = judgeAttempt(attempt, { failed: 0, now: at, random: () => 0, delays: [0] })
  await noteDelivery(deps, channel, delivery, outcome, at)
  if (outcome.is === 'delivered') return { delivered: true, status: outcome.status, error: null }
  if (outcome.is === 'unsent') {
    return { delivered: false, status: null, error: 'It was not sent. Try again.' }
  }
  return { delivered: false, status: outcome.status, error: outcome.error }
}

const testNotice = ({ id, domain }: ChannelRow, baseUrl: string, at: Date): WatchNotice => ({
  id: randomUUID(),
  domain,
  at: at.toISOString(),
  event: 'test',
  severity: null,
  title: `A test: alerts of ${domain} arrive here`,
  lines: ['Nothing has happened. Someone who watches this domain pressed the test button.'],
  facts: [],
  url: `${baseUrl}/watches/${domain}`,
  data: { channel: { id } },
})

/**
 * Notices about orders are for keys with `report:read`, even if the watch does not send them now:
 * earlier ones are kept, and it may be switched on again.
 */
const maySee = ({ scopes }: ChannelCaller, event: ChannelEvent): boolean =>
  scopes.includes('report:read') || !REPORT_EVENTS.includes(event)

function refuseUnseen(caller: ChannelCaller, events: readonly ChannelEvent[]): void {
  const [unseen] = events.filter((event) => !maySee(caller, event))
  if (unseen === undefined) return
  throw new ApiError(
    403,
    'insufficient_scope',
    `${unseen} says what orders show, for which a key needs the scope "report:read". Leave it out, or use a key that has it.`,
  )
}

async function take(counter: ReturnType<typeof countBy>, key: string, why: string): Promise<void> {
  const wait = await counter.take(key)
  if (wait !== null) throw rateLimited(`${why} Try again in ${wait} seconds.`, wait)
}

const noChannel = () =>
  new ApiError(
    404,
    'channel_not_found',
    'This watch has no such channel. GET /api/watches/{domain}/channels lists those that it has.',
  )

const tooMany = () =>
  new ApiError(
    409,
    'too_many_channels',
    `A domain has at most ${MAX_CHANNELS} channels. Delete one first.`,
  )

const notConfirmed = () =>
  new ApiError(
    409,
    'address_not_confirmed',
    'The holder of this address has not agreed yet: it gets nothing before that. They find the link in the mail that was sent when it was added.',
  )

const noMail = () =>
  new ApiError(
    409,
    'no_mail_server',
    'This service has no mail server. Its operator can set one up (SMTP_URL, MAIL_FROM); until then, use another kind of channel.',
  )

const momentOf = (date: Date | null) => date?.toISOString() ?? null

/** A channel without its secret. */
function shownChannel(row: ChannelRow): Channel {
  const { id, domain, kind, last_error } = row
  const isOff = row.disabled_at !== null
  return {
    id,
    domain,
    kind,
    target: shownTarget(row),
    events: CHANNEL_EVENTS.filter((event) => row.events.includes(event)),
    state: isOff
      ? 'off'
      : row.confirmed_at === null
        ? 'unconfirmed'
        : row.failing_since === null
          ? 'on'
          : 'failing',
    created_at: row.created_at.toISOString(),
    last_ok_at: momentOf(row.last_ok_at),
    failing_since: momentOf(row.failing_since),
    last_error,
    off_since: momentOf(row.disabled_at),
    off_because: row.disabled_why,
  }
}

/** Anyone with the whole URL of Slack or Teams can post there, and a query may hold a token. */
function shownTarget({ kind, target }: ChannelRow): string | null {
  if (kind === 'feed') return null
  if (kind === 'mail') return target
  const { origin, pathname, search } = new URL(target)
  if (kind === 'webhook') return `${origin}${pathname}${search === '' ? '' : '?…'}`
  return `${origin}/…${target.slice(-4)}`
}

function shownDelivery(row: WatchDeliveryRow): ChannelDelivery {
  const { notice, delivered_at, next_at } = row
  return {
    id: row.notice_id,
    event: notice.event,
    title: notice.title,
    state: delivered_at !== null ? 'delivered' : next_at !== null ? 'waiting' : 'given_up',
    created_at: row.created_at.toISOString(),
    delivered_at: momentOf(delivered_at),
    next_at: momentOf(next_at),
    tries: row.attempts,
    status: row.last_status,
    error: row.last_error,
  }
}
