import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { CheckName, Severity } from '../../../shared/audit/vocabulary.ts'
import type { SeenAnswers } from '../../../shared/watch/answers.ts'
import type { AnswerChange } from '../../../shared/watch/changes.ts'
import type { ChannelKind } from '../../../shared/watch/channel.ts'
import type { CheckOutcome } from '../../../shared/watch/check.ts'
import type { WatchState } from '../../../shared/watch/debounce.ts'
import type { BrokenStep, IncidentKind } from '../../../shared/watch/incident.ts'
import type { NoticeEvent, WatchNotice } from '../../../shared/watch/notice.ts'
import type { CheckPeriod } from '../../../shared/watch/period.ts'
import type { QuietHours } from '../../../shared/watch/quiet-hours.ts'
import { deliveryColumns, leaseColumn } from '../leases/columns.ts'
import { time } from '../values.ts'

// Watched domains, what was seen there, and who is notified.

/**
 * Watched domains, and when the next check is due. A row is its own job: a process leases it, and
 * only the holder of the lease may write the result.
 */
export const watches = pgTable(
  'watches',
  {
    domain: text().primaryKey(),
    /** The registrable domain: only one domain of a site is checked at a time. */
    site: text().notNull(),
    /** The key that created it. The watch outlives the key: it belongs to the domain. */
    key_id: text().notNull(),
    checks: text().array().$type<CheckName[]>().notNull(),
    /** Whole purchases are made as well, up to the payment. */
    walk: boolean().notNull(),
    period: text().$type<CheckPeriod>().notNull(),
    /** The least severity of a gap that is notified. */
    severity: text().$type<Severity>().notNull(),
    quiet_hours: jsonb().$type<QuietHours>(),
    /** IANA: the time zone of quiet hours and of the weekly digest. */
    time_zone: text().notNull(),
    /** Notices may say what orders show: what AI brought, and signals. */
    with_report: boolean().notNull(),
    tags: text().array().notNull(),
    created_at: time().notNull(),
    paused_at: time(),
    /** The beginning of the period of the next check, or the time of a requested one. */
    slot_at: time().notNull(),
    /** Which check of this period: 0 is the first, later ones confirm. */
    look: integer().notNull(),
    /** When that check is due. */
    next_at: time().notNull(),
    /** When that check is late, by which checks are ordered: within a tenth of the period. */
    late_at: time().notNull(),
    lease: uuid(),
    ...leaseColumn(),
    state: jsonb().$type<WatchState>().notNull(),
    /** When the last check ended. */
    looked_at: time(),
    outcome: text().$type<CheckOutcome>(),
    score: integer(),
    grade: text(),
    why: text(),
    /** When the next digest is due. */
    digest_at: time().notNull(),
    /** When signals were last searched for. */
    signals_at: time(),
    /** When a search was completed; null if none was. */
    signals_judged_at: time(),
  },
  (table) => [
    index('watches_due').on(table.next_at).where(sql`paused_at is null`),
    index('watches_leased').on(table.site).where(sql`lease is not null`),
    index('watches_digest').on(table.digest_at),
  ],
)

/** Every check of a watched domain: the history of its score and gaps. */
export const watch_looks = pgTable(
  'watch_looks',
  {
    domain: text().notNull(),
    /** The beginning of its period, and which check of it: together unique. */
    slot_at: time().notNull(),
    look: integer().notNull(),
    due_at: time().notNull(),
    started_at: time().notNull(),
    ended_at: time().notNull(),
    outcome: text().$type<CheckOutcome>().notNull(),
    /** Null unless the outcome is `seen`. */
    score: integer(),
    grade: text(),
    /** Ids of the open gaps, worst first. */
    gaps: text().array().notNull(),
    requests: integer().notNull(),
    /** What was judged, by `judgedIn`, so that scores compare; null where nothing was seen. */
    judged: text(),
    /** Why nothing was seen. */
    why: text(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.slot_at, table.look] }),
    index('watch_looks_age').on(table.ended_at),
  ],
)

/**
 * The answers of a watched store when all was well, in short: later answers are compared with them.
 */
export const watch_answers = pgTable('watch_answers', {
  domain: text().primaryKey(),
  answers: jsonb().$type<SeenAnswers>().notNull(),
  seen_at: time().notNull(),
})

/** What was wrong with a watched domain, from when to when. */
export const incidents = pgTable(
  'incidents',
  {
    domain: text().notNull(),
    id: uuid().notNull(),
    kind: text().$type<IncidentKind>().notNull(),
    /** The subject: the id of the gap, what could not be seen, or the name of the signal. */
    subject: text().notNull(),
    severity: text().$type<Severity>().notNull(),
    label: text().notNull(),
    detail: text().notNull(),
    /** What to do. */
    fix: text().notNull(),
    /** The points that the score lost; null if unknown. */
    points: integer(),
    /** The store's answers before and then. */
    changes: jsonb().$type<AnswerChange[]>().notNull(),
    /** Steps of a purchase that it breaks. */
    steps: jsonb().$type<BrokenStep[]>().notNull(),
    /** It was there at the first check, so no notice was sent. */
    is_known: boolean().notNull(),
    /**
     * A notice of its start was sent, so one of its end will be, even if the watch's severity
     * changes.
     */
    is_told: boolean().notNull().default(false),
    /** When all was last well; null if never. */
    well_at: time(),
    first_seen_at: time().notNull(),
    last_seen_at: time().notNull(),
    opened_at: time().notNull(),
    closed_at: time(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.id] }),
    uniqueIndex('incidents_open')
      .on(table.domain, table.kind, table.subject)
      .where(sql`closed_at is null`),
    index('incidents_newest').on(table.domain, table.opened_at),
    index('incidents_age').on(table.closed_at),
  ],
)

/** A notice that was or will be sent: each channel is made from it, and the feed shows it. */
export const notices = pgTable(
  'notices',
  {
    domain: text().notNull(),
    id: uuid().notNull(),
    at: time().notNull(),
    event: text().$type<NoticeEvent>().notNull(),
    notice: jsonb().$type<WatchNotice>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.id] }),
    index('notices_newest').on(table.domain, table.at),
    index('notices_age').on(table.at),
  ],
)

/** Where notices of a domain go. */
export const watch_channels = pgTable(
  'watch_channels',
  {
    id: text().primaryKey(),
    domain: text().notNull(),
    kind: text().$type<ChannelKind>().notNull(),
    /** A URL, or a mail address; empty for a feed. */
    target: text().notNull(),
    /**
     * The signing secret of a webhook, or the secret in a mail's link to unsubscribe: needed for
     * each message, so stored itself.
     */
    secret: text(),
    /** The SHA-256 of the secret of a feed, or of the link that confirms a mail address. */
    token_sha256: text(),
    /** The events that it receives. */
    events: text().array().$type<NoticeEvent[]>().notNull(),
    key_id: text().notNull(),
    created_at: time().notNull(),
    /** Mail only: when its holder agreed. Other channels are confirmed when they are created. */
    confirmed_at: time(),
    last_ok_at: time(),
    /** Since when nothing has reached it; null while it works. */
    failing_since: time(),
    last_error: text(),
    disabled_at: time(),
    /** The reason, for its owner. */
    disabled_why: text(),
  },
  (table) => [
    index('watch_channels_domain').on(table.domain),
    uniqueIndex('watch_channels_token').on(table.token_sha256),
  ],
)

/** One notice on its way to one channel. */
export const watch_deliveries = pgTable(
  'watch_deliveries',
  {
    channel_id: text().notNull(),
    notice_id: uuid().notNull(),
    domain: text().notNull(),
    /** The whole notice, so that a due alert does not depend on another node of a cluster. */
    notice: jsonb().$type<WatchNotice>().notNull(),
    ...deliveryColumns(),
  },
  (table) => [
    primaryKey({ columns: [table.channel_id, table.notice_id] }),
    index('watch_deliveries_due').on(table.next_at),
    index('watch_deliveries_age').on(table.created_at),
  ],
)

/** Domains whose owner publishes whether agents can buy there. */
export const status_pages = pgTable('status_pages', {
  domain: text().primaryKey(),
  created_at: time().notNull(),
})
