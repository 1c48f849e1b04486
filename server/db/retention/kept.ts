import { LATE_DAYS } from '../../../shared/attribution/fetches/kept.ts'
import { MAX_TITLES } from '../../../shared/audit/result/product-titles.ts'
import { PUBLISHED_DAYS } from '../signatures/columns.ts'
import { type KeptTable, SLICE_ROWS, type Slice, sliceOf } from './sweep.ts'

/** What the operator and the code decide about how long rows are kept. */
export interface KeptSettings {
  /** How long every audit is kept, in days. */
  auditDays: number
  /** The engine whose results are served. */
  engineVersion: string
}

// Unspecified: a version of the snippet that no page has loaded for two years is deleted. Browsers
// and caches keep a pinned one for a year without asking.
const SNIPPET_DAYS = 730

// Unspecified: what a product is called stays for two years after an audit last read it: reports of
// last year's range still name what is no longer sold.
const TITLE_DAYS = 730

// Unspecified: the events of a walk are kept for a day, so that who lost the connection reads on;
// after that its stream begins with its end.
const EVENT_HOURS = 24

// Unspecified: pictures of a walk through pages are kept for 30 days: they take a hundred times
// the room of its words.
const PICTURE_DAYS = 30
const pictureDays = ({ auditDays }: KeptSettings) => Math.min(PICTURE_DAYS, auditDays)

// Unspecified: looks and incidents of watched domains are kept for 400 days, so that a year
// compares with the one before; what was told is listed for 90.
const CHECK_DAYS = 400
const NOTICE_DAYS = 90

// Unspecified: a mail address whose holder has not agreed, or no longer agrees, is deleted after 14
// days: for seven of them its link to confirm is valid, and its owner is to see what became of it.
export const UNAGREED_DAYS = 14

// Unspecified: headers that an owner gave are deleted 30 days after their end: until then the page
// says when they ended.
const ENDED_ACCESS_DAYS = 30

// Unspecified: copies of operators' lists of addresses are kept as long as events may be late.
const RANGE_DAYS = 400

/** Longer than anything tries to cancel them. */
const SESSION_HOURS = 48

/**
 * All tables of the service. The database's clock decides, so that replicas agree. `retention.ts`
 * runs the sweeps, and drops old months of events.
 */
export const keptTables = (settings: KeptSettings): KeptTable[] => [
  {
    table: 'audits',
    grows: 'with each audit',
    kept: `those of ${settings.auditDays} days (AUDIT_RETENTION_DAYS), and the newest of a domain for each set of checks: dry_run, the audit page and the badge show it`,
    age: 'checked_at',
    slice: sliceAudits(settings),
  },
  {
    table: 'audit_runs',
    grows: 'with each audit that is made in a browser, or by a key that does not cover the domain',
    kept: `those of ${settings.auditDays} days (AUDIT_RETENTION_DAYS): the results of first audits are at their addresses, and dry_run answers keys of other domains with theirs`,
    age: 'asked_at',
    slice: sliceOf(
      'audit_runs',
      {
        key: 'domain, id',
        where: 'asked_at < now() - make_interval(days => $1::int)',
        by: 'asked_at',
      },
      [String(settings.auditDays)],
    ),
  },
  {
    table: 'product_titles',
    grows: `with the products that an audit reads for the first time, up to ${MAX_TITLES} of a domain`,
    kept: `those that an audit of the last ${TITLE_DAYS} days read: the report names products by them`,
    age: 'seen_at',
    slice: sliceOf('product_titles', {
      key: 'domain, product_id',
      where: `seen_at < now() - interval '${TITLE_DAYS} days'`,
      by: 'seen_at',
    }),
  },
  {
    table: 'walks',
    grows: 'with each walk',
    kept: `those of ${settings.auditDays} days (AUDIT_RETENTION_DAYS), with their transcripts`,
    age: 'asked_at',
    slice: sliceOf(
      'walks',
      {
        key: 'domain, id',
        where: 'ended_at < now() - make_interval(days => $1::int)',
        by: 'ended_at',
      },
      [String(settings.auditDays)],
    ),
  },
  {
    table: 'walk_events',
    grows: 'with each step of a walk',
    kept: `for ${EVENT_HOURS} hours: those who watch a walk read them, and the transcript has them all`,
    age: 'at',
    slice: sliceOf('walk_events', {
      key: 'domain, walk_id, n',
      where: `at < now() - interval '${EVENT_HOURS} hours'`,
      by: 'at',
    }),
  },
  {
    table: 'walk_pictures',
    grows: 'with each page of a walk through pages, at most 31 pictures and 3 MB of a walk',
    kept: `those of ${pictureDays(settings)} days: the walk stays and says what was on them`,
    age: 'at',
    slice: sliceOf('walk_pictures', {
      key: 'domain, walk_id, n',
      where: `at < now() - interval '${pictureDays(settings)} days'`,
      by: 'at',
    }),
  },
  {
    table: 'walk_sessions',
    grows: 'with each session that a walk opens in a store, until it is closed',
    kept: `for ${SESSION_HOURS} hours: stores have ended what is older by themselves`,
    age: 'since',
    slice: sliceOf('walk_sessions', {
      key: 'domain, key',
      where: `since < now() - interval '${SESSION_HOURS} hours'`,
      by: 'since',
    }),
  },
  {
    table: 'watches',
    grows: 'by hand, at most one for a domain',
    kept: 'until the watch is deleted',
    age: 'created_at',
  },
  {
    table: 'watch_looks',
    grows: 'with each look at a watched domain, up to 24 a day and the second looks',
    kept: `for ${CHECK_DAYS} days: the score over time`,
    age: 'ended_at',
    slice: sliceOf('watch_looks', {
      key: 'domain, slot_at, look',
      where: `ended_at < now() - interval '${CHECK_DAYS} days'`,
      by: 'ended_at',
    }),
  },
  {
    table: 'watch_answers',
    grows: 'with each watched domain: one row, of some 20 KB and 500 at most',
    kept: 'until the watch is deleted',
    age: 'seen_at',
  },
  {
    table: 'incidents',
    grows: 'with each incident of a watched domain',
    kept: `for ${CHECK_DAYS} days after they have closed`,
    age: 'opened_at',
    slice: sliceOf('incidents', {
      key: 'domain, id',
      where: `closed_at < now() - interval '${CHECK_DAYS} days'`,
      by: 'closed_at',
    }),
  },
  {
    table: 'notices',
    grows: 'with each alert, signal and digest',
    kept: `for ${NOTICE_DAYS} days: feeds and the page of the watch list them`,
    age: 'at',
    slice: sliceOf('notices', {
      key: 'domain, id',
      where: `at < now() - interval '${NOTICE_DAYS} days'`,
      by: 'at',
    }),
  },
  {
    table: 'watch_channels',
    grows: 'by hand, at most 20 for a domain',
    kept: `until they are removed; one that is switched off stays listed with the reason. A mail address whose holder has not agreed, or has unsubscribed, goes after ${UNAGREED_DAYS} days`,
    age: 'created_at',
    slice: sliceOf('watch_channels', {
      key: 'id',
      where: `confirmed_at is null
        and coalesce(disabled_at, created_at) < now() - interval '${UNAGREED_DAYS} days'`,
      by: 'created_at',
    }),
  },
  {
    table: 'watch_deliveries',
    grows: 'with each notice, by the channels that it goes to',
    kept: `for ${NOTICE_DAYS} days: the page of a channel shows what reached it`,
    age: 'created_at',
    slice: sliceOf('watch_deliveries', {
      key: 'channel_id, notice_id',
      where: `created_at < now() - interval '${NOTICE_DAYS} days'`,
      by: 'created_at',
    }),
  },
  {
    table: 'status_pages',
    grows: 'by hand, at most one for a domain',
    kept: 'until the owner switches the page off, or the watch is deleted',
    age: 'created_at',
  },
  {
    table: 'rate_limits',
    grows: 'with each API key that is counted, and each site and address of an audit without one',
    kept: 'until the window ends, after a day at most: the next request begins another. Of network and mail addresses they hold hashes',
    age: 'expire',
    slice: sliceOf('rate_limits', { key: 'key', where: 'expire < now()', by: 'expire' }),
  },
  {
    table: 'used_nonces',
    grows: 'with each signature of an agent that has a nonce and was verified',
    kept: 'until the signature has expired, after a day at most. It holds hashes',
    age: 'until',
    slice: sliceOf('used_nonces', { key: 'nonce', where: 'until < now()', by: 'until' }),
  },
  {
    table: 'agent_ranges',
    grows: 'with each list that aisle agents ranges refresh finds changed',
    kept: `for ${RANGE_DAYS} days: as long as events may be reported late, each is judged by its day`,
    age: 'since',
    slice: sliceOf('agent_ranges', {
      key: 'list, since',
      // The newest copy of a list stays.
      where: `since < now() - interval '${RANGE_DAYS} days' and exists (
        select from agent_ranges newer
        where newer.list = agent_ranges.list and newer.since > agent_ranges.since)`,
      by: 'since',
    }),
  },
  {
    table: 'signing_keys',
    grows: 'by hand: with each rotation',
    kept: `those that sign, and each retired one for ${PUBLISHED_DAYS} days: its signatures verify meanwhile`,
    age: 'created_at',
    slice: sliceOf('signing_keys', {
      key: 'kid',
      where: `retired_at < now() - make_interval(days => ${PUBLISHED_DAYS})`,
      by: 'retired_at',
    }),
  },
  {
    table: 'web_sessions',
    grows: 'with each sign-in',
    kept: 'until they expire: after that the cookie is worthless',
    age: 'created_at',
    slice: sliceOf('web_sessions', {
      key: 'token_sha256',
      where: 'expires_at < now()',
      by: 'expires_at',
    }),
  },
  {
    table: 'shares',
    grows: 'with each link, of which a domain has at most 100 to a page or walk that are open',
    kept: 'until they expire or are revoked: then they open nothing and are listed nowhere',
    age: 'created_at',
    slice: sliceOf('shares', {
      key: 'id',
      where: 'least(expires_at, revoked_at) < now()',
      by: 'least(expires_at, revoked_at)',
    }),
  },
  {
    table: 'snippet_versions',
    grows: 'with each release that changes the snippet',
    kept: `those that a page has loaded within ${SNIPPET_DAYS} days: tags are pinned to them`,
    age: 'created_at',
    slice: sliceOf('snippet_versions', {
      key: 'version',
      where: `last_used_at < now() - interval '${SNIPPET_DAYS} days'`,
      by: 'last_used_at',
    }),
  },
  {
    table: 'events',
    grows: 'with each event',
    kept: 'whole months (RETENTION_MONTHS), then the month is dropped',
    age: 'ts',
  },
  {
    table: 'event_keys',
    grows: 'with each event',
    kept: 'as long as the events; those of orders and refunds stay, without what was noted of them, so that each counts once; of those that were erased, as long as the events, so that they do not come back',
    age: 'received_at',
  },
  {
    table: 'waiting_refunds',
    grows: 'with each refund whose order was not reported, until it is',
    kept: 'as long as the events',
    age: 'received_at',
  },
  {
    table: 'ai_sessions',
    grows: 'with each visit',
    kept: 'as long as the events',
    age: 'day',
  },
  {
    table: 'rollup_daily',
    grows: 'with each day of a domain that has events',
    kept: 'all: the totals of the report, a few rows a day and domain',
    age: 'day',
  },
  {
    table: 'rollup_names',
    grows: 'with each landing page and product of a month, up to a bound for each domain',
    kept: 'all: they say what the totals of that month are counted by',
    age: null,
  },
  {
    table: 'rollup_named',
    grows: 'with each day of a domain that has events, by as many names as a month has',
    kept: 'all: the totals of landing pages and products',
    age: 'day',
  },
  {
    table: 'rollup_listed',
    grows: 'with each day of a domain that has events, by as many names as a month has',
    kept: 'all: the same totals over all surfaces',
    age: 'day',
  },
  {
    table: 'rollup_weekly',
    grows: 'with each week of a domain that has events, by as many names as a month has',
    kept: 'all: the same totals per surface and week',
    age: 'day',
  },
  {
    table: 'shop_totals',
    grows: 'with each day that a shop reports its totals of',
    kept: 'all: a row a day and currency',
    age: 'day',
  },
  {
    table: 'beacon_days',
    grows: 'with each day of a property that has sessions',
    kept: 'days on which sessions were set aside: all; others as long as the events',
    age: 'day',
  },
  {
    table: 'fetch_days',
    grows: 'with each path that an agent reads on a day, up to a bound for each domain and day',
    kept: 'as long as the events',
    age: 'day',
  },
  {
    table: 'fetch_hours',
    grows: 'with each hour in which agents read a store: eight bytes for each request, up to 2 MB',
    kept: `for ${LATE_DAYS + 1} days: older lines of logs are refused, so that none counts twice`,
    age: 'hour',
    slice: sliceOf('fetch_hours', {
      key: 'domain, hour',
      where: `hour < now() - interval '${LATE_DAYS + 1} days'`,
      by: 'hour',
    }),
  },
  {
    table: 'dropped_months',
    grows: 'with each month that is dropped',
    kept: 'all: twelve rows a year',
    age: null,
  },
  {
    table: 'api_keys',
    grows: 'by hand',
    kept: 'all: a revoked key stays listed with its date',
    age: 'created_at',
  },
  {
    table: 'properties',
    grows: 'by hand',
    kept: 'all: tags name them',
    age: 'created_at',
  },
  {
    table: 'site_access',
    grows: 'by hand, at most one for a site',
    kept: `until the owner takes it back. Headers alone go ${ENDED_ACCESS_DAYS} days after their end`,
    age: 'set_at',
    slice: sliceOf('site_access', {
      key: 'domain',
      where: `ends_at < now() - interval '${ENDED_ACCESS_DAYS} days' and kinds = '{headers}'`,
      by: 'ends_at',
    }),
  },
  {
    table: 'badges',
    grows: 'by hand, at most one for a domain',
    kept: 'until the owner switches the badge off',
    age: 'created_at',
  },
]

/** Before every audit. */
const FIRST = ['-infinity', '00000000-0000-0000-0000-000000000000']

/**
 * Looks at a fixed number of old audits, not of deleted ones: those that stay are passed once, not
 * again with each slice. One goes if a newer one of the domain could answer in its place: of its
 * own engine or of the current one, and with all its checks.
 */
const sliceAudits =
  ({ auditDays, engineVersion }: KeptSettings): Slice =>
  async (shard, from) => {
    const [at = '', id = ''] = from.length > 0 ? from : FIRST
    const [row] = await shard<{ rows: number; seen: number; at: string | null; id: string | null }>(
      `with old as (
        select domain, id, checked_at, checks, engine_version from audits
        where checked_at < now() - make_interval(days => $1::int)
          and (checked_at, id) > ($2::timestamptz, $3::uuid)
        order by checked_at, id limit ${SLICE_ROWS}
      ), gone as (
        delete from audits kept using old
        where kept.domain = old.domain and kept.id = old.id and exists (
          select from audits newer
          where newer.domain = old.domain and newer.checked_at > old.checked_at
            and newer.checks @> old.checks
            and newer.engine_version in (old.engine_version, $4::text))
        returning 1
      )
      select (select count(*)::int from gone) as rows, (select count(*)::int from old) as seen,
        last.checked_at::text as at, last.id::text as id
      from (select 1) as one left join
        (select checked_at, id from old order by checked_at desc, id desc limit 1) as last on true`,
      [auditDays, at, id, engineVersion],
    )
    const { rows = 0, seen = 0, at: lastAt = null, id: lastId = null } = row ?? {}
    const isOver = seen < SLICE_ROWS || lastAt === null || lastId === null
    return { rows, next: isOver ? null : [lastAt, lastId] }
  }
