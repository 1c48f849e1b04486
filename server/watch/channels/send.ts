import { isOfMany } from '../../../shared/watch/digest.ts'
import type { WatchNotice } from '../../../shared/watch/notice.ts'
import { visibleText } from '../../../shared/web/text/invisible.ts'
import { type Fetcher, fetchOnce } from '../../audit/probe/fetch/fetch.ts'
import type { ChannelRow } from '../../db/watch/channels.ts'
import { type Attempt, attemptOf } from '../../jobs/schedule.ts'
import { unsubscribePath } from './consent.ts'
import { noticeMail } from './mail/mail.tsx'
import type { Mailer } from './mail/smtp.ts'
import { shortened } from './notice-text.ts'
import { slackMessage } from './slack.ts'
import { teamsMessage } from './teams.ts'
import { type ChannelMessage, webhookMessage } from './webhook.ts'

export interface SendDeps {
  /** A fetch with WEBHOOK_LIMITS. Its guard keeps a target from leading into our own network. */
  fetcher: Fetcher
  /** Null: the operator has not set up a mail server. */
  mailer: Mailer | null
  now: () => Date
  /** Without a trailing slash. */
  baseUrl: string
}

/** Sends a notice to a channel; `signal` ends it. */
export const sendNotice = (
  deps: SendDeps,
  channel: ChannelRow,
  notice: WatchNotice,
  signal: AbortSignal,
): Promise<Attempt> =>
  channel.kind === 'mail'
    ? sendMail(deps, channel, notice, signal)
    : post(deps, channel, notice, signal)

async function post(
  { fetcher, now }: SendDeps,
  channel: ChannelRow,
  notice: WatchNotice,
  signal: AbortSignal,
): Promise<Attempt> {
  const message = messageFor(channel, notice, now())
  const { target: url } = channel
  const request = { method: 'POST', url, ...message, maxBytes: 1024 } as const
  const answer = await fetchOnce(fetcher, request, signal)
  const attempt = attemptOf(answer, now())
  if (attempt.is !== 'failed' || answer.kind !== 'answer') return attempt
  // Slack and Teams give the reason there.
  const said = shortened(visibleText(answer.body).trim(), 200)
  return said === '' ? attempt : { ...attempt, error: `${attempt.error}: ${said}` }
}

function messageFor({ kind, secret }: ChannelRow, notice: WatchNotice, at: Date): ChannelMessage {
  if (kind === 'slack') return slackMessage(notice)
  if (kind === 'teams') return teamsMessage(notice)
  return webhookMessage(notice, secret ?? '', at)
}

async function sendMail(
  { mailer, baseUrl }: SendDeps,
  { id, target, secret }: ChannelRow,
  notice: WatchNotice,
  signal: AbortSignal,
): Promise<Attempt> {
  if (mailer === null) {
    return {
      is: 'failed',
      status: null,
      error: 'This service has no mail server any more.',
      because: 'ours',
    }
  }
  const unsubscribeUrl = baseUrl + unsubscribePath(secret ?? '', { ofAll: isOfMany(notice) })
  const { hostname: host } = new URL(baseUrl)
  const mail = noticeMail(notice, { to: target, unsubscribeUrl, host, channelId: id })
  return mailer.send(mail, signal)
}
