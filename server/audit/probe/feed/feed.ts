import type { FeedSeen, PageSeen } from '../../../../shared/audit/evidence.ts'
import type { Fetched } from '../../../../shared/web/http/fetched.ts'
import { presenceOf } from '../../../../shared/web/http/presence.ts'
import type { SealedPage } from '../../judging/sealed-page.ts'
import { BODY_CAPS } from '../fetch/request.ts'
import { type AuditSession, unread } from '../session.ts'
import {
  type Candidate,
  linkedFeeds,
  platformFeeds,
  robotsFeeds,
  usualFeeds,
} from './candidates.ts'
import { type FeedRead, notAFeed } from './format.ts'
import { createFeedStream, type FeedLimits } from './stream.ts'

// Unspecified: feeds are looked for at four addresses at most, announced ones first, so that an
// audit without a feed stays within its budget.
const MAX_REQUESTS = 4
const MAX_PER_SOURCE = 2

// Unspecified: a feed is read for six seconds, and to 64 MiB: the other requests of an audit take
// as long, and one of 50 MB has fifty thousand rows.
const LIMITS: FeedLimits = { ms: 6_000, bytes: BODY_CAPS.feed }

/** Servers that choose by it send the form that says most. */
const ACCEPT =
  'application/rss+xml, application/atom+xml, text/tab-separated-values, text/csv, application/json, */*;q=0.5'

/** An address, what it answered, and what was read of it. */
type Tried = Candidate & FeedRead & { fetched: Fetched }

/**
 * Looks for the store's product feed where the store announces it, where its platform keeps it, and
 * last at a few usual paths, with at most four requests. A feed that is announced costs one.
 */
export async function probeFeed(
  session: AuditSession,
  site: { domain: string; origin: string; homePage: PageSeen<SealedPage>; robots: Fetched },
  limits = LIMITS,
): Promise<FeedSeen> {
  const tries: Tried[] = []
  const isNew = ({ url }: Candidate) => tries.every((tried) => tried.url !== url)
  for (const candidate of announcedFeeds(site)) {
    if (tries.length === MAX_REQUESTS) break
    if (!isNew(candidate)) continue
    const tried = await tryFeed(session, candidate, limits)
    tries.push(tried)
    if (tried.kind !== null) break
  }
  if (tries.every(({ kind }) => kind === null)) {
    // Guesses are independent of each other, so they are asked together.
    const guesses = usualFeeds(site.origin)
      .filter(isNew)
      .slice(0, MAX_REQUESTS - tries.length)
    tries.push(
      ...(await Promise.all(guesses.map((candidate) => tryFeed(session, candidate, limits)))),
    )
  }
  const { kind, url, ...seen } = tellingOf(tries)
  return { ...seen, kind, url: kind === null ? null : url, tried: tries.map((tried) => tried.url) }
}

/** Where the store itself says that there is a feed, the surest first. */
const announcedFeeds = (site: {
  origin: string
  homePage: PageSeen<SealedPage>
  robots: Fetched
}): Candidate[] => [
  ...linkedFeeds(site.homePage.page).slice(0, MAX_PER_SOURCE),
  ...robotsFeeds(site.robots).slice(0, MAX_PER_SOURCE),
  ...platformFeeds(site.homePage, site.origin),
]

/** Reads one address as it answers. An error page that looks like a feed does not count. */
async function tryFeed(
  session: AuditSession,
  candidate: Candidate,
  limits: FeedLimits,
): Promise<Tried> {
  const stream = createFeedStream(session, limits)
  try {
    const fetched = await session.request({
      url: candidate.url,
      headers: { accept: ACCEPT },
      maxBytes: limits.bytes,
      read: (bytes, headers) => stream.write(bytes, headers['content-type']),
    })
    const isError = fetched.kind === 'answer' && (fetched.status < 200 || fetched.status >= 300)
    if (isError || fetched.kind === 'not_asked') return { ...candidate, ...notAFeed(), fetched }
    const isCut = fetched.kind === 'no_answer' || fetched.truncated
    const ended = await stream.end(isCut)
    if ('read' in ended) return { ...candidate, ...ended.read, fetched }
    const unreadable = fetched.kind === 'answer' ? unread(fetched, ended) : fetched
    return { ...candidate, ...notAFeed(), fetched: unreadable }
  } finally {
    stream.close()
  }
}

/** The feed; without one, the answer that leaves open whether there is one. */
function tellingOf(tries: readonly Tried[]): Tried {
  const open = ({ fetched }: Tried) => !['present', 'absent'].includes(presenceOf(fetched).is)
  const nothing: Fetched = { kind: 'not_asked', reason: 'no address of a feed was tried' }
  return (
    tries.find(({ kind }) => kind !== null) ??
    tries.find(open) ??
    tries[0] ?? { ...notAFeed(), url: '', found_by: '', fetched: nothing }
  )
}
