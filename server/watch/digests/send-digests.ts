import { ReportQuery } from '../../../shared/attribution/report.ts'
import { costLines, fixLines, isTold } from '../../../shared/attribution/worth/words.ts'
import { firstSteps } from '../../../shared/audit/gap/first-steps.ts'
import { compareScores } from '../../../shared/audit/result/compare.ts'
import { ENGINE_VERSION } from '../../../shared/audit/result/result.ts'
import { worstFirst } from '../../../shared/audit/vocabulary.ts'
import { gapWords, isGap } from '../../../shared/audit/words.ts'
import {
  type Digest,
  type DigestRow,
  type DigestStep,
  digestNotice,
  digestOfMany,
  digestRow,
  digestsOf,
} from '../../../shared/watch/digest.ts'
import { digestSold } from '../../../shared/watch/digest-sold.ts'
import { tellAt } from '../../../shared/watch/quiet-hours.ts'
import { nextDigestAt, shopWeekEnd } from '../../../shared/watch/week.ts'
import { DAY_MS, dayIn, shiftDay } from '../../../shared/web/moment.ts'
import { loadReport } from '../../attribution/report/build-report.ts'
import { loadFixChanges } from '../../attribution/worth/fix-changes.ts'
import { loadIncidentCost } from '../../attribution/worth/incident-cost.ts'
import { findTimeZones } from '../../db/attribution/domain-settings.ts'
import { findAudit } from '../../db/audit/audits.ts'
import type { Db, Transaction } from '../../db/connect.ts'
import { judgedScore } from '../../db/watch/checks.ts'
import { channelsOfReceiver, digestChannels } from '../../db/watch/digest-receivers.ts'
import {
  aiOfWeek,
  changeDelivery,
  incidentsSince,
  insertDelivery,
  lockDelivery,
  moveDigest,
  scoreBefore,
  takeDigest,
} from '../../db/watch/digests.ts'
import { listIncidents, shownIncident } from '../../db/watch/incidents.ts'
import type { WatchRow } from '../../db/watch/watches.ts'
import { repeat } from '../../jobs/repeat.ts'
import type { Log } from '../../process/log.ts'
import { enqueueNotice } from '../enqueue-notice.ts'
import { noticeIdOf } from '../notice-id.ts'
import { watchUrl } from '../set-up.ts'

/** Time between two searches for due digests. */
const PAUSE_MS = 15_000

interface DigestsDeps {
  db: Db
  now: () => Date
  log: Log
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
}

// Unspecified: a digest that could not be sent within two days, because no process ran or the watch
// was paused, is skipped: the next one comes soon.
const LATEST_MS = 2 * DAY_MS

/** How long a digest of many domains waits for those that are not written yet. */
const GATHER_MS = 15 * 60_000

// Unspecified: a gap that was seen once and gone a minute later is called unsteady from the third
// time in the week on.
const UNSTEADY_TIMES = 3
const MOST_UNSTEADY = 3

/**
 * Writes the digests that are due. Each is written in one transaction with the date of the next, so
 * exactly once, over all replicas and after a kill -9. Resolves to their number.
 */
export async function sendDigests(deps: DigestsDeps, signal?: AbortSignal): Promise<number> {
  const { db, now, log } = deps
  const failed: string[] = []
  let written = 0
  while (!signal?.aborted) {
    const end = await db.transaction(async (tx) => {
      const watch = await takeDigest(tx, now(), failed)
      if (watch === null) return null
      const { domain } = watch
      try {
        // In a savepoint: a failure is rolled back, and the domain stays locked.
        const isWritten = await tx.transaction((inner) => writeDigest(deps, inner, watch))
        return { domain, isWritten, isFailed: false }
      } catch (err) {
        log.error({ err, domain }, 'a digest could not be written')
        return { domain, isWritten: false, isFailed: true }
      }
    })
    if (end === null) break
    if (end.isWritten) written += 1
    if (end.isFailed) failed.push(end.domain)
  }
  return written
}

/** Starts the digests of this process, which shares them with the other replicas. */
export const runDigests = (deps: DigestsDeps) =>
  repeat({
    everyMs: PAUSE_MS,
    work: (signal) => sendDigests(deps, signal),
    onError: (err) => deps.log.error({ err }, 'digests could not be written'),
  })

async function writeDigest(deps: DigestsDeps, tx: Transaction, watch: WatchRow): Promise<boolean> {
  const at = deps.now()
  const { digest_at, time_zone } = watch
  if (!(await moveDigest(tx, watch, nextDigestAt(time_zone, at)))) return false
  if (at.getTime() - digest_at.getTime() > LATEST_MS) return false
  const digest = await readDigest(deps, tx, watch)
  const id = noticeIdOf(`digest ${watch.domain} ${digest_at.toISOString()}`)
  const shared = await groupsOf(tx, watch)
  const except = shared.flatMap(({ own }) => own)
  await enqueueNotice(tx, watch, digestNotice(digest, { id, at }), at, except)
  for (const group of shared)
    await addToGroup(deps, tx, { watch, group, row: digestRow(digest), at })
  return true
}

/** What happened in the week before the digest is due. */
async function readDigest(
  { db, now, baseUrl }: DigestsDeps,
  tx: Transaction,
  watch: WatchRow,
): Promise<Digest> {
  const { domain, digest_at, time_zone } = watch
  const today = dayIn(digest_at.getTime(), time_zone)
  const since = new Date(digest_at.getTime() - 7 * DAY_MS)
  const incidents = (await incidentsSince(tx, domain, since)).toSorted(worstFirst)
  const url = watchUrl(baseUrl, domain)
  const [before, last] = [
    await scoreBefore(tx, domain, since),
    await scoreBefore(tx, domain, now()),
  ]
  const [was, is] = [before, last].map((row) => judgedScore(row ?? undefined))
  const isSince = (moment: string | null) => moment !== null && new Date(moment) > since
  return {
    domain,
    from: shiftDay(today, -7),
    to: shiftDay(today, -1),
    score: watch.score,
    grade: watch.grade,
    score_before: before?.score ?? null,
    change: was && is ? compareScores(was, is).change : null,
    unseen: watch.outcome === 'unseen' ? watch.why : null,
    opened: incidents.filter(({ opened_at }) => isSince(opened_at)),
    closed: incidents.filter(({ closed_at }) => isSince(closed_at)),
    open: incidents.filter(({ closed_at }) => closed_at === null),
    first: await readSteps(db, watch, url),
    ...(watch.with_report ? await readAi(tx, watch, today, { db, now, baseUrl }) : NOT_TOLD),
    worth: watch.with_report ? await readWorth(db, domain, since, now()) : [],
    unsteady: unsteadyOf(watch, since),
    url,
  }
}

type DigestReport = Pick<Digest, 'ai' | 'sold'>
const NOT_TOLD: DigestReport = { ai: null, sold: { surfaces: [], converts: [] } }

/** What AI brought in the week of a digest: over the complete days in the store's time zone. */
async function readAi(
  tx: Transaction,
  { domain, time_zone }: WatchRow,
  today: string,
  { db, now, baseUrl }: Pick<DigestsDeps, 'db' | 'now' | 'baseUrl'>,
): Promise<DigestReport> {
  const zone = (await findTimeZones(db.$client, [domain])).get(domain) ?? 'UTC'
  const end = shopWeekEnd(today, time_zone, zone)
  const [from, to] = [shiftDay(end, -7), shiftDay(end, -1)]
  const ai = await aiOfWeek(tx, domain, end)
  const report = await loadReport(
    db,
    ReportQuery.parse({ domain, start: from, end: to, sort: 'revenue' }),
    now(),
  )
  return {
    ai: end === today ? ai : { ...ai, from, to },
    sold: digestSold(report, `${baseUrl}/report?domain=${domain}&start=${from}&end=${to}`),
  }
}

const MOST_COSTS = 2

/** What the incidents of the week cost, and what changed after fixes, where that can be told. */
async function readWorth(db: Db, domain: string, since: Date, now: Date): Promise<string[]> {
  const rows = (await listIncidents(db, domain, { without: 'signal' })).filter(
    ({ is_known, closed_at }) => !is_known && (closed_at === null || closed_at > since),
  )
  const lines: string[] = []
  for (const row of rows.toSorted(worstFirst).slice(0, MOST_COSTS)) {
    const cost = await loadIncidentCost(db, shownIncident(row), now)
    if (cost === null || 'unknown' in cost || !isTold(cost.figures)) continue
    lines.push(`${row.label}: ${costLines(cost).join(' ')}`)
  }
  for (const fix of await loadFixChanges(db, domain, now)) {
    if (isTold(fix.figures)) lines.push(fixLines(fix).join(' '))
  }
  return lines
}

/** The gaps to close first, from the newest stored result. */
async function readSteps(db: Db, { domain, checks }: WatchRow, url: string): Promise<DigestStep[]> {
  const result = await findAudit(db, domain, checks, ENGINE_VERSION)
  return (result === null ? [] : firstSteps(result, result.gaps)).map(
    ({ gap: { label, fix, fix_url, docs_url }, before, after }) => ({
      label,
      fix,
      points: after - before,
      url: fix_url ?? docs_url ?? url,
    }),
  )
}

function unsteadyOf({ state }: WatchRow, since: Date): Digest['unsteady'] {
  return Object.entries(state)
    .filter(
      ([, { flaps, flapped_at }]) =>
        flaps >= UNSTEADY_TIMES && flapped_at !== undefined && new Date(flapped_at) > since,
    )
    .toSorted(([, a], [, b]) => b.flaps - a.flaps)
    .slice(0, MOST_UNSTEADY)
    .map(([name, { flaps }]) => {
      const subject = name.slice(name.indexOf(':') + 1)
      return { label: isGap(subject) ? gapWords(subject).label : subject, times: flaps }
    })
}

/** Channels of a domain with the same receiver, who gets one message for all domains. */
interface Group {
  id: string
  /** The domain's own channels: an address may have been entered twice. */
  own: string[]
  members: { id: string; domain: string }[]
}

// Unspecified: channels of one key that lead to the same mailbox or chat get one digest of all
// their domains that are due together. Webhooks get one each: every channel has its own secret.
const GROUPED = ['mail', 'slack', 'teams']

async function groupsOf(
  tx: Transaction,
  { domain, digest_at, time_zone }: WatchRow,
): Promise<Group[]> {
  const groups = new Map<string, Group>()
  for (const { id: own, ...receiver } of await digestChannels(tx, domain)) {
    if (!GROUPED.includes(receiver.kind)) continue
    const members = await channelsOfReceiver(tx, receiver, time_zone)
    if (new Set(members.map((each) => each.domain)).size < 2) continue
    const { kind, target, key_id } = receiver
    const name = JSON.stringify([kind, target, key_id, time_zone, digest_at.toISOString()])
    const id = noticeIdOf(`digests ${name}`)
    groups.set(id, { id, own: [...(groups.get(id)?.own ?? []), own], members })
  }
  // In a fixed order, so that two transactions never wait for each other.
  return [...groups.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

interface Adding {
  watch: WatchRow
  group: Group
  row: DigestRow
  at: Date
}

/**
 * Adds a domain to the message of a group. It goes out when all domains are in it, or after
 * `GATHER_MS`. Late domains get another message.
 */
async function addToGroup(
  { baseUrl }: DigestsDeps,
  tx: Transaction,
  { watch, group, row, at }: Adding,
): Promise<void> {
  const { members } = group
  const ids = members.map(({ id }) => id)
  const domains = new Set(members.map(({ domain }) => domain))
  for (let id = group.id, n = 1; ; ) {
    const found = await lockDelivery(tx, id, ids)
    const rows = found === null ? [row] : [...digestsOf(found.notice), row]
    const [first] = members
    if (first === undefined) return
    const { domain } = found ?? first
    const notice = digestOfMany(rows, { id, at, domain, url: `${baseUrl}/watches` })
    const wait = rows.length >= domains.size ? 0 : GATHER_MS
    const next_at = tellAt(watch.quiet_hours, watch.time_zone, new Date(at.getTime() + wait))
    if (found === null) {
      const channel_id = first.id
      const made = await insertDelivery(tx, {
        channel_id,
        notice_id: id,
        domain,
        notice,
        created_at: at,
        next_at,
      })
      if (made) return
      // Another replica has created it meanwhile.
      continue
    }
    const isOut = found.delivered_at !== null || found.attempts > 0 || found.leased_until !== null
    if (!isOut && found.next_at !== null) {
      return changeDelivery(tx, found, { notice, next_at })
    }
    n += 1
    id = noticeIdOf(`${group.id} ${n}`)
  }
}
