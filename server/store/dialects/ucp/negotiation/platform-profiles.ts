import { parse } from 'cache-control-parser'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import * as z from 'zod'
import type { Fetched } from '../../../../../shared/web/http/fetched.ts'
import { isRecord } from '../../../../../shared/web/json/json.ts'
import { type Fetcher, fetchOnce } from '../../../../audit/probe/fetch/fetch.ts'
import type { FetchLimits } from '../../../../audit/probe/fetch/session.ts'
import { STORE_AGENT } from '../../../shop/settings.ts'
import type { Jwk } from '../../../signatures/jwk.ts'

/** A platform's profile; in a version that we do not speak, its content is not read. */
export const PlatformProfile = z.looseObject({
  ucp: z.looseObject({ version: z.string().max(40) }),
})
export type PlatformProfile = z.infer<typeof PlatformProfile>

type FoundProfile = { profile: PlatformProfile } | { refusal: NegotiationRefusal }

/** The profiles of the platforms that call us. */
export interface PlatformProfiles {
  /** Fetches it unless it is cached. Never throws. */
  find(url: string): Promise<FoundProfile>
}

/** A platform waits for its profile before it gets its answer. */
const PROFILE_LIMITS: Partial<FetchLimits> = {
  connectMs: 2000,
  headersMs: 3000,
  totalMs: 4000,
  auditMs: 4500,
}

/** UCP overview, Fetching: 128 KiB at least. */
const MAX_BYTES = 128 * 1024
const MOST_PROFILES = 500
/**
 * The most characters of all cached profiles: JSON of many small parts takes twenty times its
 * length in memory.
 */
const MOST_CHARS = 4 * 1024 * 1024
/** UCP overview, Caching: a minute at least, regardless of the profile's own headers. */
const SHORTEST_S = 60
/** A platform that rotates its keys keeps the old ones longer than this. */
const LONGEST_S = 3600
// Unspecified: a profile that could not be read is fetched again after ten seconds.
const FAILED_S = 10

// Unspecified: while the budget is used up, a cached profile is used for an hour longer, so that
// strangers who name made-up profiles do not lock out earlier callers.
const STALE_S = 3600

/** For all platforms together, so that made-up addresses cannot turn us against a third party. */
const FETCHES = { points: 120, duration: 60 }
const MOST_UNDER_WAY = 16

/** The limits of the fetcher, as `createFetcher` takes them. */
export const PROFILE_FETCHER = { userAgent: STORE_AGENT, limits: PROFILE_LIMITS }

/** Caches profiles in memory; each is fetched once at a time, all within one budget. */
export function createPlatformProfiles({
  fetcher,
  budget = FETCHES,
  clock = () => performance.now(),
}: {
  /** Made with PROFILE_FETCHER. Its guard keeps an address from leading into our own network. */
  fetcher: Fetcher
  budget?: { points: number; duration: number }
  /** Milliseconds. */
  clock?: () => number
}): PlatformProfiles {
  const known = new LRUCache<string, { found: FoundProfile; freshUntil: number }>({
    max: MOST_PROFILES,
    maxSize: MOST_CHARS,
    ttlResolution: 0,
    perf: { now: clock },
  })
  const underWay = new Map<string, Promise<FoundProfile>>()
  const limiter = new RateLimiterMemory(budget)

  const fetchProfile = async (url: string): Promise<FoundProfile> => {
    const busyFor = await limiter.consume('all').then(
      () => null,
      ({ msBeforeNext }: RateLimiterRes) => Math.ceil(msBeforeNext / 1000),
    )
    if (busyFor !== null) return tooBusy(busyFor)
    const fetched = await fetchOnce(fetcher, {
      url,
      headers: { accept: 'application/json' },
      maxBytes: MAX_BYTES,
      redirect: 'manual',
    })
    const found = readProfile(fetched)
    const isRead = 'profile' in found && fetched.kind === 'answer'
    const size = url.length + (isRead ? fetched.body.length : 0)
    const keepMs = secondsToKeep(fetched, found) * 1000
    const freshUntil = clock() + keepMs
    known.set(url, { found, freshUntil }, { ttl: keepMs + STALE_S * 1000, size })
    return found
  }

  const fetchNow = (url: string): Promise<FoundProfile> | FoundProfile => {
    if (underWay.size >= MOST_UNDER_WAY) return tooBusy(1)
    const fetching = fetchProfile(url).finally(() => underWay.delete(url))
    underWay.set(url, fetching)
    return fetching
  }

  return {
    async find(url) {
      const kept = known.get(url)
      if (kept && kept.freshUntil > clock()) return kept.found
      const found = await (underWay.get(url) ?? fetchNow(url))
      return isBusy(found) && kept && 'profile' in kept.found ? kept.found : found
    },
  }
}

const tooBusy = (seconds: number) =>
  refusal(
    'temporarily_unavailable',
    'We are reading the profiles of too many platforms at the moment. Try again later.',
    seconds,
  )

const isBusy = (found: FoundProfile): boolean =>
  'refusal' in found && found.refusal.code === 'temporarily_unavailable'

function readProfile(fetched: Fetched): FoundProfile {
  // A failed connection is not described: the address is a stranger's, the network is ours.
  if (fetched.kind !== 'answer') {
    return refusal('profile_unreachable', 'Your profile did not answer. Serve it over https.')
  }
  const { status, body, truncated } = fetched
  if (status < 200 || status > 299) {
    const content = `Your profile answered with status ${status}. Serve it with 200, without redirects.`
    return refusal('profile_unreachable', content)
  }
  if (truncated) {
    const content = `Your profile is larger than ${MAX_BYTES / 1024} KiB. Shorten it.`
    return refusal('profile_malformed', content)
  }
  try {
    return { profile: PlatformProfile.parse(JSON.parse(body)) }
  } catch {
    const content = 'Your profile is not a JSON object with ucp.version. Fix it and try again.'
    return refusal('profile_malformed', content)
  }
}

function secondsToKeep(fetched: Fetched, found: FoundProfile): number {
  if ('refusal' in found || fetched.kind !== 'answer') return FAILED_S
  const maxAge = parse(fetched.headers['cache-control'] ?? '')['max-age'] ?? 0
  return Math.min(Math.max(maxAge, SHORTEST_S), LONGEST_S)
}

export type FoundKeys = { keys: readonly Jwk[] } | { refusal: NegotiationRefusal }

/**
 * The published keys in a platform's profile, not validated: `keys` since 2026-08-25,
 * `signing_keys` before.
 */
export const keysOfPlatforms =
  (platforms: PlatformProfiles) =>
  async (profileUrl: string): Promise<FoundKeys> => {
    const found = await platforms.find(profileUrl)
    if ('refusal' in found) return found
    const lists = [found.profile.keys, found.profile.signing_keys]
    return {
      keys: lists.flatMap((list): Jwk[] => (Array.isArray(list) ? list.filter(isRecord) : [])),
    }
  }

/** Why a platform is refused: HTTP status, and JSON-RPC code over MCP (UCP overview, Errors). */
const REFUSALS = {
  invalid_profile_url: { status: 400, rpcCode: -32001 },
  profile_unreachable: { status: 424, rpcCode: -32001 },
  profile_malformed: { status: 422, rpcCode: -32001 },
  version_unsupported: { status: 422, rpcCode: -32001 },
  temporarily_unavailable: { status: 503, rpcCode: -32000 },
} as const

export interface NegotiationRefusal {
  status: number
  rpcCode: number
  code: keyof typeof REFUSALS
  content: string
  /** Seconds. */
  retryAfter?: number
}

/** A refusal of the negotiation, with the status of its code. */
export const refusal = (
  code: NegotiationRefusal['code'],
  content: string,
  retryAfter?: number,
): { refusal: NegotiationRefusal } => ({
  refusal: { ...REFUSALS[code], code, content, ...(retryAfter !== undefined && { retryAfter }) },
})
