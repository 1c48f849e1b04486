import { parse } from 'cache-control-parser'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import * as z from 'zod'
import { hasCapability } from '../../../../../shared/protocols/ucp/names.ts'
import { UCP, type UcpVersion } from '../../../../../shared/protocols/ucp/versions.ts'
import type { Fetched } from '../../../../../shared/web/http/fetched.ts'
import { isRecord } from '../../../../../shared/web/json/json.ts'
import { type Fetcher, fetchOnce } from '../../../../audit/probe/fetch/fetch.ts'
import type { FetchLimits } from '../../../../audit/probe/fetch/session.ts'
import type { Jwk } from '../../../../signatures/jwk.ts'
import { STORE_AGENT } from '../../../shop/settings.ts'

const Capability = z.looseObject({
  version: z.string(),
  extends: z.union([z.string(), z.array(z.string())]).optional(),
})
/** Capabilities by their names, as both sides list them. */
export const Capabilities = z.record(z.string(), z.array(Capability))
export type Capabilities = Readonly<z.infer<typeof Capabilities>>

/** A platform's profile; in a version that we do not speak, its content is not read. */
export const PlatformProfile = z.looseObject({
  ucp: z.looseObject({ version: z.string().max(40) }),
})
export type PlatformProfile = z.infer<typeof PlatformProfile>

type FoundProfile = { profile: PlatformProfile } | { refusal: NegotiationRefusal }

/** Who makes us read a profile. */
export interface ProfileReader {
  /** The client's network, as `blockOf` names it; null for a connection without an address. */
  network: () => string | null
  /** The call is signed by the keys of this profile. */
  hasSigned: boolean
  /** Whether anything was bought for this platform; only asked before its profile is fetched. */
  hasBought: () => Promise<boolean>
}

const ANYONE: ProfileReader = {
  network: () => null,
  hasSigned: false,
  hasBought: async () => false,
}

/** The profiles of the platforms that call us. */
export interface PlatformProfiles {
  /** Fetches it unless it is cached. Rejects only if `hasBought` does. */
  find(url: string, reader?: ProfileReader): Promise<FoundProfile>
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
/** Of known platforms, and as many of strangers. Of each a few KiB are kept at most. */
const MOST_PROFILES = 500
/** UCP overview, Caching: a minute at least, regardless of the profile's own headers. */
const SHORTEST_S = 60
/** A platform that rotates its keys keeps the old ones longer than this. */
const LONGEST_S = 3600
// Unspecified: a profile that could not be read is fetched again after ten seconds.
const FAILED_S = 10

// Unspecified: while the budget is used up, a cached profile is used for an hour longer, so that
// strangers who name made-up profiles do not lock out earlier callers.
const STALE_S = 3600

interface Budget {
  points: number
  /** Seconds. */
  duration: number
}

/** For all platforms of one standing, so that made-up addresses cannot turn us against others. */
const FETCHES: Budget = { points: 120, duration: 60 }
const MOST_UNDER_WAY = 16

/** Of these, for the strangers of one network. */
const NETWORK_FETCHES: Budget = { points: 24, duration: 60 }
const MOST_OF_NETWORK = 4

/** The limits of the fetcher, as `createFetcher` takes them. */
export const PROFILE_FETCHER = { userAgent: STORE_AGENT, limits: PROFILE_LIMITS }

/** Where a platform stands with us; each has a budget of its own. A signature costs nothing. */
type Standing = 'bought' | 'signed' | 'stranger'

/** A fetch, and who caused it. */
interface Asked {
  standing: Standing
  network: string | null
}

interface Kept {
  found: FoundProfile
  /** Milliseconds on the clock. */
  freshUntil: number
}

/**
 * Caches profiles in memory; each is fetched once at a time. Unspecified: a platform is known once
 * a call of it was signed, or something was bought for it. Strangers have a memory and a budget of
 * their own, and each network a share of it: however many come, they take nothing from the others.
 */
export function createPlatformProfiles({
  fetcher,
  budget = FETCHES,
  networkBudget = NETWORK_FETCHES,
  clock = () => performance.now(),
}: {
  /** Made with PROFILE_FETCHER. Its guard keeps an address from leading into our own network. */
  fetcher: Fetcher
  budget?: Budget
  networkBudget?: Budget
  /** Milliseconds. */
  clock?: () => number
}): PlatformProfiles {
  const memory = () =>
    new LRUCache<string, Kept>({ max: MOST_PROFILES, ttlResolution: 0, perf: { now: clock } })
  const known = memory()
  const strangers = memory()
  const underWay = new Map<string, Asked & { fetching: Promise<FoundProfile> }>()
  const fetches = new RateLimiterMemory(budget)
  const fetchesOfNetworks = new RateLimiterMemory(networkBudget)

  const keep = (url: string, kept: Kept, isKnown: boolean) => {
    const ttl = kept.freshUntil + STALE_S * 1000 - clock()
    if (isKnown) strangers.delete(url)
    const memoryOfIts = isKnown ? known : strangers
    memoryOfIts.set(url, kept, { ttl })
  }

  /** Takes a fetch off the budgets; null, or the seconds until there is another. */
  const spend = async ({ standing, network }: Asked): Promise<number | null> => {
    const wait = await waitFor(fetches, standing)
    if (wait !== null || standing !== 'stranger' || network === null) return wait
    // Last, so that no more networks are counted than there are fetches.
    const waitOfNetwork = await waitFor(fetchesOfNetworks, network)
    if (waitOfNetwork !== null) await fetches.reward(standing)
    return waitOfNetwork
  }

  const fetchProfile = async (url: string, asked: Asked) => {
    const busyFor = await spend(asked)
    if (busyFor !== null) return tooBusy(busyFor)
    const fetched = await fetchOnce(fetcher, {
      url,
      headers: { accept: 'application/json' },
      maxBytes: MAX_BYTES,
      redirect: 'manual',
    })
    const found = readProfile(fetched)
    const freshUntil = clock() + secondsToKeep(fetched, found) * 1000
    keep(url, { found, freshUntil }, asked.standing !== 'stranger' || known.has(url))
    return found
  }

  const begin = (url: string, asked: Asked) => {
    const { standing, network } = asked
    const alike = [...underWay.values()].filter((each) => each.standing === standing)
    const ofNetwork = alike.filter((each) => network !== null && each.network === network)
    const isFull = standing === 'stranger' && ofNetwork.length >= MOST_OF_NETWORK
    if (isFull || alike.length >= MOST_UNDER_WAY) return tooBusy(1)
    const fetching = fetchProfile(url, asked).finally(() => underWay.delete(url))
    underWay.set(url, { ...asked, fetching })
    return fetching
  }

  const findKept = (url: string) => known.get(url) ?? strangers.get(url)
  const freshOf = (kept: Kept | undefined): FoundProfile | null =>
    kept !== undefined && kept.freshUntil > clock() ? kept.found : null

  return {
    async find(url, { network, hasSigned, hasBought } = ANYONE) {
      const before = findKept(url)
      if (hasSigned && before !== undefined && !known.has(url)) keep(url, before, true)
      const fresh = freshOf(before)
      if (fresh) return fresh
      // Before anything is awaited: a client that leaves has no address any more.
      const from = network()
      const standing = (await hasBought())
        ? 'bought'
        : hasSigned || known.has(url)
          ? 'signed'
          : 'stranger'
      // Another caller may have read it meanwhile.
      const kept = findKept(url)
      const found =
        freshOf(kept) ??
        (await (underWay.get(url)?.fetching ?? begin(url, { standing, network: from })))
      return isBusy(found) && kept && 'profile' in kept.found ? kept.found : found
    },
  }
}

/** Takes one point; null, or the seconds until there is another. */
const waitFor = (limiter: RateLimiterMemory, key: string): Promise<number | null> =>
  limiter.consume(key).then(
    () => null,
    ({ msBeforeNext }: RateLimiterRes) => Math.ceil(msBeforeNext / 1000),
  )

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
    return { profile: keptPart(PlatformProfile.parse(JSON.parse(body))) }
  } catch {
    const content = 'Your profile is not a JSON object with ucp.version. Fix it and try again.'
    return refusal('profile_malformed', content)
  }
}

/**
 * All that we read of a profile, in its own form. A profile may have 128 KiB, and JSON of many
 * small parts takes twenty times its length in memory.
 */
function keptPart({ ucp, keys, signing_keys }: PlatformProfile): PlatformProfile {
  const { version } = ucp
  const read = Capabilities.safeParse(ucp.capabilities ?? {})
  const capabilities = read.success && UCP.isServed(version) ? spoken(read.data, version) : {}
  return {
    ucp: { version, capabilities: read.success ? capabilities : MALFORMED },
    keys: [keys, signing_keys]
      .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
      .flatMap((key) => Key.safeParse(key).data ?? [])
      .slice(0, MOST_KEYS),
  }
}

/** In place of capabilities that are not a map of lists, which is only told if we need them. */
const MALFORMED = 'malformed'

/** What a version of UCP has, each with the address for webhooks that its entry may name. */
const spoken = (theirs: Capabilities, version: UcpVersion): Capabilities =>
  Object.fromEntries(
    Object.entries(theirs).flatMap(([name, entries]) => {
      const entry = entries.find((each) => each.version === version)
      if (entry === undefined || !hasCapability(version, name)) return []
      const { data: config } = WebhookConfig.safeParse(entry.config)
      return [[name, [{ version, ...(config && { config }) }]]]
    }),
  )

/** UCP, Order, Webhooks: where a platform wants the events of its orders. */
export const WebhookConfig = z.object({ webhook_url: z.url({ protocol: /^https$/ }).max(2000) })

/** A platform publishes its key and a few that it had before. */
const MOST_KEYS = 32
const Member = z.string().max(200).optional()
/** What verifies a signature, or says that the key is of a kind that we do not take. */
const Key = z.object({
  ...{ kid: Member, kty: Member, crv: Member, x: Member, y: Member, alg: Member, use: Member },
})

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
  async (profileUrl: string, reader?: ProfileReader): Promise<FoundKeys> => {
    const found = await platforms.find(profileUrl, reader)
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
