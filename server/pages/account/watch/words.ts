import type { ChannelKind } from '../../../../shared/watch/channel.ts'
import type { IncidentKind } from '../../../../shared/watch/incident.ts'
import type { CheckPeriod } from '../../../../shared/watch/period.ts'
import type { WatchStatus } from '../../../../shared/watch/status.ts'
import { counted } from '../../../../shared/web/text/english-count.ts'

/** The words for states, used wherever watches are shown. */
export const STATUS_WORDS: Record<WatchStatus, string> = {
  broken: 'Open incident',
  blocked: 'Agents cannot buy',
  unseen: 'Not seen',
  waiting: 'First audit to come',
  fine: 'No incident',
  paused: 'Paused',
}

export const PERIOD_WORDS: Record<CheckPeriod, string> = {
  hourly: 'every hour',
  six_hourly: 'every six hours',
  daily: 'every day',
  weekly: 'every week',
}

export const INCIDENT_KIND_WORDS: Record<IncidentKind, string> = {
  gap: 'A gap of the audit',
  unseen: 'Could not be seen',
  signal: 'From the orders',
}

export const CHANNEL_WORDS: Record<ChannelKind, string> = {
  mail: 'Mail',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  webhook: 'Webhook',
  feed: 'RSS feed',
}

/** How long something lasted, in its largest unit: `3 hours`. */
export function lengthOf(from: string, to: string | Date): string {
  const seconds = Math.max(0, (new Date(to).getTime() - Date.parse(from)) / 1000)
  const [count, unit] =
    seconds < 5400
      ? [Math.max(1, Math.round(seconds / 60)), 'minute']
      : seconds < 36 * 3600
        ? [Math.round(seconds / 3600), 'hour']
        : [Math.round(seconds / 86_400), 'day']
  return counted(count, unit)
}
