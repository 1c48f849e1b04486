import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import type { Kind } from '../../shared/attribution/classify/visit.ts'
import type { EventName, ReportedSource } from '../../shared/attribution/events.ts'
import type { AuditProgress, RunState } from '../../shared/audit/progress.ts'
import type { CheckName, Severity } from '../../shared/audit/vocabulary.ts'
import type { WalkDialectName } from '../../shared/walk/dialect.ts'
import type { IntentId, WalkMode } from '../../shared/walk/intents.ts'
import type { WalkState, WalkSummary } from '../../shared/walk/stored-walk.ts'
import type { SeenAnswers } from '../../shared/watch/answers.ts'
import type { AnswerChange } from '../../shared/watch/changes.ts'
import type { ChannelKind } from '../../shared/watch/channel.ts'
import type { WatchState } from '../../shared/watch/debounce.ts'
import type { BrokenStep, IncidentKind } from '../../shared/watch/incident.ts'
import type { LookOutcome } from '../../shared/watch/look.ts'
import type { NoticeEvent, WatchNotice } from '../../shared/watch/notice.ts'
import type { LookPeriod } from '../../shared/watch/period.ts'
import type { QuietHours } from '../../shared/watch/quiet-hours.ts'
import type { Scope } from './access/scopes.ts'

// Columns have the names of the API's fields, so that nothing has to be translated.

/** A moment with its time zone: Postgres keeps it in UTC, and it is read as a Date. */
const time = () => timestamp({ withTimezone: true, mode: 'date' })

/** API keys. Of the secret only the SHA-256 is stored; `*` among the domains stands for all. */
export const api_keys = pgTable('api_keys', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Hex. A secret has 256 bits of entropy, so a fast hash suffices. */
  secret_sha256: text().notNull(),
  scopes: text().array().$type<Scope[]>().notNull(),
  domains: text().array().notNull(),
  created_at: time().notNull(),
  expires_at: time(),
  revoked_at: time(),
  /** To the minute; null before the first use. */
  last_used_at: time(),
  /** What for: `POST /api/audit`, or signing in. */
  last_used_for: text(),
  /** The key whose holder made it, and with which it ends; null where the operator did. */
  made_by: text(),
})

/** Every result of an audit, whole; `result` has the form of the API's AuditResult. */
export const audits = pgTable(
  'audits',
  {
    id: uuid().notNull().defaultRandom(),
    domain: text().notNull(),
    /** What the audit covered: a request for fewer checks can be served from it. */
    checks: text().array().$type<CheckName[]>().notNull(),
    engine_version: text().notNull(),
    result: jsonb().notNull(),
    checked_at: time().notNull(),
  },
  (table) => [
    // Every key of a tenant's rows holds its domain, so that the table can be sharded by it.
    primaryKey({ columns: [table.domain, table.id] }),
    index('audits_newest').on(table.domain, table.checked_at),
    index('audits_age').on(table.checked_at, table.id),
  ],
)

/**
 * What the store of a domain calls its products, as audits that are kept have read it: the report
 * shows it beside their ids.
 */
export const product_titles = pgTable(
  'product_titles',
  {
    domain: text().notNull(),
    /** As the catalog or the feed has it, of a product or a variant. */
    product_id: text().notNull(),
    /** A stranger's text, in one short line. */
    title: text().notNull(),
    /** When an audit last read it. */
    seen_at: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.product_id] }),
    index('product_titles_age').on(table.seen_at),
  ],
)

/**
 * Audits that somebody waits for: how far each of a browser has come, on whichever replica, and
 * those of the API as long as they are made.
 */
export const audit_runs = pgTable(
  'audit_runs',
  {
    domain: text().notNull(),
    /** Random: who has it may see the run, and end it. */
    id: uuid().notNull(),
    /**
     * `key:<id>`, or `stranger` for all who have no key; `api:<hash>` of who asked the API for
     * what.
     */
    by: text().notNull(),
    state: text().$type<RunState>().notNull(),
    asked_at: time().notNull(),
    ended_at: time(),
    /** When the process that audits last said that it lives; of no meaning once it has ended. */
    alive_at: time().notNull(),
    /** The process that audits reads here that it has to stop. */
    cancel_asked_at: time(),
    progress: jsonb().$type<AuditProgress>().notNull(),
    /** Why it failed. */
    why: text(),
    /**
     * The result of a run by a stranger, or by a key that does not cover the domain: that of
     * another key is among the audits of the domain.
     */
    result: jsonb(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.id] }),
    // A button that is clicked twice makes one audit, whichever replicas are asked.
    uniqueIndex('audit_runs_once').on(table.domain, table.by).where(sql`state = 'under_way'`),
    index('audit_runs_age').on(table.asked_at),
  ],
)

/** Walks, and their transcripts once they have ended. Tokens and agents' keys are nowhere. */
export const walks = pgTable(
  'walks',
  {
    domain: text().notNull(),
    id: uuid().notNull(),
    /** Who asked for it. */
    key_id: text().notNull(),
    mode: text().$type<WalkMode>().notNull(),
    intents: text().array().$type<IntentId[]>().notNull(),
    /** Null: all that the store speaks. */
    dialects: text().array().$type<WalkDialectName[]>(),
    state: text().$type<WalkState>().notNull(),
    asked_at: time().notNull(),
    started_at: time(),
    ended_at: time(),
    /** When the process that walks last said that it lives; of no meaning once it has ended. */
    alive_at: time().notNull(),
    /** The process that walks reads here that it has to stop. */
    cancel_asked_at: time(),
    /** Why it ended early. */
    stopped: text(),
    /** How many events it had, the last included; null until it has ended. */
    events: integer(),
    transcript: jsonb(),
    summary: jsonb().$type<WalkSummary>(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.id] }),
    // One walk per domain at a time, whichever replicas are asked.
    uniqueIndex('walks_one_at_a_time')
      .on(table.domain)
      .where(sql`state in ('queued', 'under_way')`),
    index('walks_id').on(table.id),
    index('walks_newest').on(table.domain, table.asked_at),
    index('walks_age').on(table.ended_at),
  ],
)

/** What has happened in a walk, for those who watch it on any replica. */
export const walk_events = pgTable(
  'walk_events',
  {
    domain: text().notNull(),
    walk_id: uuid().notNull(),
    /** Counted from 1 within the walk. */
    n: integer().notNull(),
    event: jsonb().notNull(),
    at: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.walk_id, table.n] }),
    index('walk_events_age').on(table.at),
  ],
)

/** Sessions that walks have open in stores, written down before the request that opens one. */
export const walk_sessions = pgTable(
  'walk_sessions',
  {
    domain: text().notNull(),
    /** The idempotency key of the opening. */
    key: text().notNull(),
    walk_id: uuid().notNull(),
    /**
     * What opens it, without secrets. Kept letter by letter, which jsonb does not do: a store may
     * take the same key with its fields in another order for another request.
     */
    opening: json().notNull(),
    /** Where and in which dialect it is cancelled. */
    route: jsonb().notNull(),
    /** The store's id; null until its answer was read. */
    session: text(),
    since: time().notNull(),
    /** Until then one replica tries to cancel what a dead walk has left. */
    leased_until: time(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.key] }),
    index('walk_sessions_age').on(table.since),
  ],
)

/** Requests per key and window. */
export const rate_limits = pgTable(
  'rate_limits',
  {
    key: varchar({ length: 255 }).primaryKey(),
    /** Requests so far in this window. */
    points: integer().notNull().default(0),
    /** End of the window. */
    expire: time(),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)

/** Storefronts that embed the snippet. Few, and found by their public id. */
export const properties = pgTable('properties', {
  id: text().primaryKey(),
  domain: text().notNull(),
  /** Such as `https://shop.example` or `https://*.shop.example`. */
  origins: text().array().notNull(),
  /** ISO 4217: what a value of the domain is in when its event names no currency. */
  currency: text(),
  /** IANA: the zone of the domain's days; null for UTC. */
  time_zone: text(),
  created_at: time().notNull(),
})

/**
 * The spec's events, the session that the snippet reports, and what is never counted: a test, and a
 * refund whose order nobody has reported.
 */
export type StoredEvent = EventName | 'ai_session' | 'ai_test' | 'ai_refund_unmatched'

/**
 * Every event as it came, partitioned by month on `ts` (in the migration: drizzle cannot say so).
 * Reports read the rollup, which is a sum over these rows and can be made from them again.
 */
export const events = pgTable(
  'events',
  {
    domain: text().notNull(),
    id: uuid().notNull(),
    /**
     * When it happened, by the sender's clock unless that was wrong; decides its day and its month.
     */
    ts: time().notNull(),
    /** When it arrived, by our clock. */
    received_at: time().notNull(),
    event: text().$type<StoredEvent>().notNull(),
    source: text().$type<ReportedSource>().notNull(),
    /** As the merchant or the browser sent it. */
    session_id: text().notNull(),
    /** The session that it counts for: `visit:…` of the browser, or `session:…` of the merchant. */
    visit_id: text().notNull(),
    /** A session counts with it: it begins its visit, or is an order outside of that session. */
    opens_session: boolean().notNull(),
    surface: text().notNull(),
    kind: text().$type<Kind>().notNull(),
    confidence: doublePrecision().notNull(),
    /** The classifier's `MODEL` at that time, so that it can be classified again. */
    model: text().notNull(),
    /** As the merchant declared it. */
    ai_surface: text(),
    /** In the smallest unit of `currency`. */
    value: bigint({ mode: 'number' }),
    currency: text(),
    properties: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The path of the page that its visit began on; null where that is not known. */
    landing: text(),
    /** The day that it counts on, in the zone of its shop; null: that of `ts` in UTC. */
    day: date({ mode: 'string' }),
  },
  (table) => [primaryKey({ columns: [table.domain, table.id, table.ts] })],
)

/** The months, such as `2026-11`, whose events were dropped. Those before them went as well. */
export const dropped_months = pgTable('dropped_months', {
  month: text().primaryKey(),
})

/** What keeps texts out of a column of hashes: see `refuseTexts`. */
const noText = (column: AnyPgColumn) =>
  sql`strpos(${column}, ':') = 0 or current_setting('aisle.texts_are_refused') is null`

/**
 * What may happen once, and the event that did. A row per event that was accepted, so that a retry
 * finds it whatever month it fell into (a unique key of a partitioned table would have to hold
 * `ts`), one per further id of an order, and those of `EventRow.order_slot` and `.double_key`.
 */
export const event_keys = pgTable(
  'event_keys',
  {
    domain: text().notNull(),
    /** The hash of it; a text in a database that is not compact yet (`events/short-keys.ts`). */
    key: text().notNull(),
    event_id: uuid().notNull(),
    /** Of the event's fields: tells a retry from another event under the same key. */
    fingerprint: text().notNull(),
    surface: text().notNull(),
    confidence: doublePrecision().notNull(),
    /** When its event arrived; `infinity` for one that stays when its month is dropped. */
    received_at: time().notNull(),
    /** What the sender was told about the event, for the answer to a retry; null for nothing. */
    notes: text().array(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.key] }),
    check('event_keys_short', noText(table.key)),
  ],
)

/** Every visit once, with its first AI touch: the session that the visit begins with. */
export const ai_sessions = pgTable(
  'ai_sessions',
  {
    domain: text().notNull(),
    /** The hash of its events' `visit_id`, or that text: as with the keys of events. */
    session_id: text().notNull(),
    /** The day of its first event, in the zone of its shop. */
    day: date({ mode: 'string' }).notNull(),
    surface: text().notNull(),
    kind: text().$type<Kind>().notNull(),
    source: text().$type<ReportedSource>().notNull(),
    confidence: doublePrecision().notNull(),
    /** The path of the page that it began on; null where that is not known. */
    landing: text(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.session_id] }),
    check('ai_sessions_short', noText(table.session_id)),
  ],
)

/**
 * Sums per day, in the zone of the shop; what reports read. `currency` is empty where an event
 * carries no value.
 */
export const rollup_daily = pgTable(
  'rollup_daily',
  {
    domain: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    surface: text().notNull(),
    kind: text().$type<Kind>().notNull(),
    source: text().$type<ReportedSource>().notNull(),
    currency: text().notNull(),
    sessions: integer().notNull(),
    viewed: integer().notNull(),
    initiated: integer().notNull(),
    completed: integer().notNull(),
    failed: integer().notNull(),
    /** Of completed orders, in the smallest unit of `currency`. */
    revenue: bigint({ mode: 'number' }).notNull(),
    // With defaults: builds that are older than these two columns write rows as well.
    /** Refunds that were made on this day, of orders of any day. */
    refunds: integer().notNull().default(0),
    /** What they gave back, in the smallest unit of `currency`. */
    refunded: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [table.domain, table.day, table.surface, table.kind, table.source, table.currency],
    }),
  ],
)

/** What the figures are counted by besides the surface. */
export type Dimension = 'landing' | 'product' | 'customer'

/** The figures of the rollups. */
const figures = () => ({
  sessions: integer().notNull(),
  viewed: integer().notNull(),
  initiated: integer().notNull(),
  completed: integer().notNull(),
  failed: integer().notNull(),
  revenue: bigint({ mode: 'number' }).notNull(),
  refunds: integer().notNull(),
  refunded: bigint({ mode: 'number' }).notNull(),
})

/**
 * The landing pages and products of a domain that are counted by name in a month; the others are
 * counted together, so that a shop of any size has few rows.
 */
export const rollup_names = pgTable(
  'rollup_names',
  {
    domain: text().notNull(),
    dimension: text().$type<Dimension>().notNull(),
    /** Such as `2026-11`. */
    month: text().notNull(),
    name: text().notNull(),
    /**
     * When it was found to be among those with the most events; null: it came while there was room.
     */
    chosen_at: time(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.dimension, table.month, table.name] })],
)

/** Sums per day and name: all that a report of one name needs. An empty name is all the others. */
export const rollup_named = pgTable(
  'rollup_named',
  {
    domain: text().notNull(),
    dimension: text().$type<Dimension>().notNull(),
    name: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    surface: text().notNull(),
    kind: text().$type<Kind>().notNull(),
    source: text().$type<ReportedSource>().notNull(),
    currency: text().notNull(),
    ...figures(),
  },
  (table) => [
    primaryKey({
      name: 'rollup_named_pk',
      columns: [
        table.domain,
        table.dimension,
        table.name,
        table.day,
        table.surface,
        table.kind,
        table.source,
        table.currency,
      ],
    }),
    // For the names of one surface.
    index('rollup_named_surface').on(table.domain, table.dimension, table.surface, table.day),
  ],
)

/**
 * The same over all surfaces, per day and per week: what a list of names reads, in few enough rows.
 * A week that a month begins in is two, so that each is of the names of one month.
 */
export const rollup_listed = pgTable(
  'rollup_listed',
  {
    domain: text().notNull(),
    dimension: text().$type<Dimension>().notNull(),
    span: text().$type<'day' | 'week'>().notNull(),
    /** The first one. */
    day: date({ mode: 'string' }).notNull(),
    name: text().notNull(),
    kind: text().$type<Kind>().notNull(),
    currency: text().notNull(),
    ...figures(),
  },
  (table) => [
    primaryKey({
      name: 'rollup_listed_pk',
      columns: [
        table.domain,
        table.dimension,
        table.span,
        table.day,
        table.name,
        table.kind,
        table.currency,
      ],
    }),
  ],
)

/** Per surface and week, in the weeks of `rollup_listed`: what a list of one surface reads. */
export const rollup_weekly = pgTable(
  'rollup_weekly',
  {
    domain: text().notNull(),
    dimension: text().$type<Dimension>().notNull(),
    surface: text().notNull(),
    /** The first one. */
    day: date({ mode: 'string' }).notNull(),
    name: text().notNull(),
    kind: text().$type<Kind>().notNull(),
    currency: text().notNull(),
    ...figures(),
  },
  (table) => [
    primaryKey({
      name: 'rollup_weekly_pk',
      columns: [
        table.domain,
        table.dimension,
        table.surface,
        table.day,
        table.name,
        table.kind,
        table.currency,
      ],
    }),
  ],
)

/** What a shop sold in all on a day, as it told: of which AI brought a share. */
export const shop_totals = pgTable(
  'shop_totals',
  {
    domain: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    currency: text().notNull(),
    orders: integer().notNull(),
    revenue: bigint({ mode: 'number' }).notNull(),
    reported_at: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.day, table.currency] })],
)

/**
 * The beacons of each storefront and day: how many were let through, and how many were set aside
 * because of which bound. Of who sent them it holds nothing.
 */
export const beacon_days = pgTable(
  'beacon_days',
  {
    domain: text().notNull(),
    /** In UTC, by our clock. */
    day: date({ mode: 'string' }).notNull(),
    property_id: text().notNull(),
    admitted: bigint({ mode: 'number' }).notNull(),
    over_address: bigint({ mode: 'number' }).notNull(),
    over_network: bigint({ mode: 'number' }).notNull(),
    over_property: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.day, table.property_id] }),
    // Days that go. Those that stay are not in it, so that no sweep passes them again.
    index('beacon_days_age')
      .on(table.day)
      .where(sql`over_address + over_network + over_property = 0`)
      .concurrently(),
  ],
)

/** Who is signed in to the pages, by an API key. Found by the cookie. */
export const web_sessions = pgTable(
  'web_sessions',
  {
    /** Of the cookie's token: a copy of this table signs nobody in. */
    token_sha256: text().primaryKey(),
    /** The session ends with its key. */
    key_id: text().notNull(),
    created_at: time().notNull(),
    expires_at: time().notNull(),
  },
  (table) => [index('web_sessions_expires').on(table.expires_at)],
)

/** Links that show a domain's report, its audit or one walk to anyone who has them. */
export const shares = pgTable(
  'shares',
  {
    id: text().primaryKey(),
    secret_sha256: text().notNull(),
    domain: text().notNull(),
    /** Which page the link opens, and no other. */
    view: text().$type<'report' | 'audit' | 'walk'>().notNull(),
    key_id: text().notNull(),
    created_at: time().notNull(),
    expires_at: time(),
    revoked_at: time(),
    /** The walk that a page of walks opens; null for the other pages. */
    walk_id: uuid(),
  },
  (table) => [
    index('shares_domain').on(table.domain),
    index('shares_ended').on(sql`least(${table.expires_at}, ${table.revoked_at})`),
  ],
)

/** Domains whose owner shows the grade in public. */
export const badges = pgTable('badges', {
  domain: text().primaryKey(),
  created_at: time().notNull(),
})

/**
 * The versions of attribution.js that pages still load: tags that are pinned to one keep working.
 */
export const snippet_versions = pgTable('snippet_versions', {
  /** The first 16 hex digits of the code's SHA-384. */
  version: text().primaryKey(),
  code: text().notNull(),
  created_at: time().notNull(),
  /** To the day. */
  last_used_at: time().notNull().defaultNow(),
})

/**
 * Domains that are looked at again and again, and when next. A row is its own job: whoever takes it
 * leases it, and only who still holds the lease writes down what was seen.
 */
export const watches = pgTable(
  'watches',
  {
    domain: text().primaryKey(),
    /** The registrable domain: of one site, one domain is looked at at a time. */
    site: text().notNull(),
    /** The key that set it up. It goes on when that key ends: the domain is what it belongs to. */
    key_id: text().notNull(),
    checks: text().array().$type<CheckName[]>().notNull(),
    /** Whole purchases are made as well, up to the payment. */
    walk: boolean().notNull(),
    period: text().$type<LookPeriod>().notNull(),
    /** The least severity of a gap that is told. */
    severity: text().$type<Severity>().notNull(),
    quiet_hours: jsonb().$type<QuietHours>(),
    /** IANA: the zone of quiet hours and of the weekly digest. */
    time_zone: text().notNull(),
    /** Notices say what orders show: what AI brought, and signals. */
    with_report: boolean().notNull(),
    tags: text().array().notNull(),
    created_at: time().notNull(),
    paused_at: time(),
    /** The beginning of the period that is looked at next, or now. */
    slot_at: time().notNull(),
    /** Which look of this period: 0 is the first, later ones make sure. */
    look: integer().notNull(),
    /** When that is due. */
    next_at: time().notNull(),
    /**
     * By when it should have begun, and by what looks are ordered: within a tenth of the period.
     */
    late_at: time().notNull(),
    lease: uuid(),
    leased_until: time(),
    state: jsonb().$type<WatchState>().notNull(),
    /** When the last look that ended was made. */
    looked_at: time(),
    outcome: text().$type<LookOutcome>(),
    score: integer(),
    grade: text(),
    why: text(),
    /** When the next digest is due. */
    digest_at: time().notNull(),
    /** When signals were last searched for. */
    signals_at: time(),
  },
  (table) => [
    index('watches_due').on(table.next_at).where(sql`paused_at is null`),
    index('watches_leased').on(table.site).where(sql`lease is not null`),
    index('watches_digest').on(table.digest_at),
  ],
)

/** What each look at a watched domain came to: the history of its score and gaps. */
export const watch_looks = pgTable(
  'watch_looks',
  {
    domain: text().notNull(),
    /** The beginning of its period, and which look of it: each is there once. */
    slot_at: time().notNull(),
    look: integer().notNull(),
    due_at: time().notNull(),
    started_at: time().notNull(),
    ended_at: time().notNull(),
    outcome: text().$type<LookOutcome>().notNull(),
    /** Null unless the outcome is `seen`. */
    score: integer(),
    grade: text(),
    /** Ids of the open gaps, worst first. */
    gaps: text().array().notNull(),
    requests: integer().notNull(),
    /** Why nothing was seen. */
    why: text(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.slot_at, table.look] }),
    index('watch_looks_age').on(table.ended_at),
  ],
)

/**
 * What a watched store answered when all was well, in short: what a later answer is compared with.
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
    /** Which: the id of the gap, what could not be seen, or the name of the signal. */
    subject: text().notNull(),
    severity: text().$type<Severity>().notNull(),
    label: text().notNull(),
    detail: text().notNull(),
    /** What to do. */
    fix: text().notNull(),
    /** What the score lost by it; null where that is not known. */
    points: integer(),
    /** What the store answered before and then. */
    changes: jsonb().$type<AnswerChange[]>().notNull(),
    /** Steps of a purchase that it breaks. */
    steps: jsonb().$type<BrokenStep[]>().notNull(),
    /** It was there when it was first looked at, so nobody was told. */
    is_known: boolean().notNull(),
    /**
     * Its beginning was told, whatever severity the watch has told since: so its end is as well.
     */
    is_told: boolean().notNull().default(false),
    /** When all was last well; null where it never was. */
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

/** What was told, or is to be: each channel is made from it, and the feed shows it. */
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
    /** A URL, or a mail address; of a feed nothing. */
    target: text().notNull(),
    /**
     * Of a webhook what signs it, and of a mail address what its link to unsubscribe holds: needed
     * for each message, which is why it is kept itself.
     */
    secret: text(),
    /** Of a feed, and of the link that confirms a mail address: the SHA-256 of what it holds. */
    token_sha256: text(),
    /** What it is told of. */
    events: text().array().$type<NoticeEvent[]>().notNull(),
    key_id: text().notNull(),
    created_at: time().notNull(),
    /** Mail alone: when its holder agreed. Others are confirmed when they are made. */
    confirmed_at: time(),
    last_ok_at: time(),
    /** Since when nothing reached it; null while it is reached. */
    failing_since: time(),
    last_error: text(),
    disabled_at: time(),
    /** Why, for its owner. */
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
    /** Whole, so that a node of a cluster that is down holds up no alert that is due. */
    notice: jsonb().$type<WatchNotice>().notNull(),
    created_at: time().notNull(),
    /** Tries that failed. */
    failed: integer().notNull(),
    /** When it is due next; null: it has ended. */
    next_at: time(),
    leased_until: time(),
    delivered_at: time(),
    /** What the last try was answered; null before, and without an answer. */
    status: integer(),
    error: text(),
  },
  (table) => [
    primaryKey({ columns: [table.channel_id, table.notice_id] }),
    index('watch_deliveries_due').on(table.next_at),
    index('watch_deliveries_age').on(table.created_at),
  ],
)

/** Domains whose owner shows in public whether agents can buy there. */
export const status_pages = pgTable('status_pages', {
  domain: text().primaryKey(),
  created_at: time().notNull(),
})
