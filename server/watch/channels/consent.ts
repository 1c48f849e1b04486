import { timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { hashSecret, mintKey, parseKey } from '../../access/key-format.ts'
import type { Db } from '../../db/connect.ts'
import {
  type ChannelRow,
  channelsTo,
  findChannelById,
  switchChannelOff,
  updateChannel,
} from '../../db/watch/channels.ts'

// Unspecified: a mail address gets nothing until its holder has confirmed it by a link that is
// valid for seven days. Opening the link changes nothing, because mail scanners open links too.
export const CONFIRM_DAYS = 7

/** The secrets in a mail's links, and what is stored of them. */
export function newConsent(id: string) {
  const confirm = mintKey('channel', id)
  return {
    confirmToken: confirm.key,
    /** Each mail has the link to unsubscribe, so this secret is stored itself. */
    row: { token_sha256: hashSecret(confirm.secret), secret: mintKey('channel', id).key },
  }
}

export const confirmPath = (token: string): string => `/confirm/${token}`
/** `ofAll`: the link of a digest of many domains, which unsubscribes from all of them. */
export const unsubscribePath = (token: string, { ofAll = false } = {}): string =>
  `/unsubscribe/${token}${ofAll ? '?domains=all' : ''}`

/** The feed of a token; null if the token is forged, or the channel was deleted or switched off. */
export async function findFeed(db: Db, domain: string, token: string): Promise<ChannelRow | null> {
  const row = await byToken(db, token)
  const isOpen = row?.kind === 'feed' && row.domain === domain && row.disabled_at === null
  return isOpen ? row : null
}

/** The channel of a confirmation link; null if the link is forged or expired. */
export async function findConfirmation(
  db: Db,
  token: string,
  now: Date,
): Promise<ChannelRow | null> {
  const row = await byToken(db, token)
  if (row?.kind !== 'mail' || row.disabled_at !== null) return null
  return row.confirmed_at === null && isConsentOver(row, now) ? null : row
}

/** Whether the confirmation link has expired; it dates from the creation of the channel. */
export const isConsentOver = ({ created_at }: { created_at: Date | string }, now: Date): boolean =>
  now.getTime() - new Date(created_at).getTime() > CONFIRM_DAYS * DAY_MS

/** Records that the holder of the address agrees. */
export async function confirmChannel(db: Db, channel: ChannelRow, now: Date): Promise<void> {
  if (channel.confirmed_at === null) await updateChannel(db, channel, { confirmed_at: now })
}

/**
 * The channels of an unsubscribe link; none if it is forged or the channel was deleted. With
 * `ofAll`, those of all domains for which the same key entered the same address.
 */
export async function findSubscriptions(
  db: Db,
  token: string,
  { ofAll }: { ofAll: boolean },
): Promise<ChannelRow[]> {
  const parts = parseKey(token, 'channel')
  const row = parts && (await findChannelById(db, parts.id))
  if (row?.kind !== 'mail' || !isSame(row.secret, token)) return []
  return ofAll ? channelsTo(db, row) : [row]
}

/** Records that the holder of the address unsubscribed. Only they can take that back. */
export const unsubscribeChannels = (
  db: Db,
  channels: readonly ChannelRow[],
  now: Date,
): Promise<void> =>
  db.transaction(async (tx) => {
    for (const channel of channels) {
      if (channel.confirmed_at === null && channel.disabled_at !== null) continue
      await switchChannelOff(tx, channel, {
        confirmed_at: null,
        disabled_at: now,
        disabled_why: 'The holder of this address unsubscribed from these mails.',
      })
    }
  })

async function byToken(db: Db, token: string): Promise<ChannelRow | null> {
  const parts = parseKey(token, 'channel')
  const row = parts && (await findChannelById(db, parts.id))
  return parts && row && isSame(row.token_sha256, hashSecret(parts.secret)) ? row : null
}

const isSame = (kept: string | null, given: string): boolean =>
  kept !== null &&
  kept.length === given.length &&
  timingSafeEqual(Buffer.from(kept), Buffer.from(given))
