import { parse } from 'cache-control-parser'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import * as z from 'zod'
import type { Fetched } from '../../../shared/web/http/fetched.ts'
import { type Jwk, thumbprintOf } from '../jwk.ts'
import type { KeysAt } from './verify-agent.ts'

/** Reads key directories and keeps what they hold. */
export interface Directories {
  /**
   * The keys at an address. `asker` is who makes us read it: a client's network, or a key of the
   * API. A directory without the `missing` key is read again, at most once a minute.
   */
  keysAt(url: string, asker: string | null, missing?: string): Promise<KeysAt>
}

/** The limits of one read, for the fetcher (draft-ietf-webbotauth-httpsig-protocol-01, 4.8). */
export const DIRECTORY_LIMITS = { connectMs: 2000, headersMs: 3000, totalMs: 4000, auditMs: 4500 }

/** UCP's profiles, which hold keys too, may have 128 KiB. */
const MAX_DIRECTORY_BYTES = 128 * 1024

/** How a directory is asked for. The draft lets no redirect be followed. */
export const directoryRequest = (url: string) => ({
  url,
  headers: { accept: 'application/http-message-signatures-directory+json, application/json' },
  maxBytes: MAX_DIRECTORY_BYTES,
  redirect: 'manual' as const,
})

/** A signer publishes its key, the one before and the next. */
const MOST_KEYS = 32
const MOST_DIRECTORIES = 500

/** Removing a key from its directory is the only way to revoke it: no copy is kept for longer. */
const LONGEST_S = 3600
const SHORTEST_S = 60
// Unspecified: what could not be read is read again after a minute; the draft allows five.
const FAILED_S = 60
/** A directory that does not answer revokes nothing: its keys are used for that much longer. */
const STALE_S = 24 * 3600

/** Made-up signers cannot turn us against others: reads in all, and those of one asker. */
const READS = { points: 120, duration: 60 }
const READS_OF_ASKER = { points: 24, duration: 60 }
const MOST_UNDER_WAY = 16

/**
 * The public examples of RFC 9421 and of Web Bot Auth, by their thumbprints: anyone can sign with
 * them (draft-ietf-webbotauth-httpsig-protocol-01, 4.9).
 */
const EXAMPLE_KEYS = new Set([
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
])

interface Kept {
  found: KeysAt
  /** Milliseconds on the clock. */
  readAt: number
  freshUntil: number
}

/** `read` asks as `directoryRequest` has it, and reaches public hosts alone. */
export function createDirectories({
  read,
  isListed = () => false,
  clock = () => performance.now(),
}: {
  read: (url: string) => Promise<Fetched>
  /** Whether it is one of a few that strangers shall not push out. */
  isListed?: (url: string) => boolean
  /** Milliseconds. */
  clock?: () => number
}): Directories {
  const listed = new LRUCache<string, Kept>({ max: MOST_DIRECTORIES })
  const others = new LRUCache<string, Kept>({ max: MOST_DIRECTORIES })
  const memoryOf = (url: string) => (isListed(url) ? listed : others)
  const underWay = new Map<string, Promise<KeysAt>>()
  const reads = new RateLimiterMemory(READS)
  const readsOfAskers = new RateLimiterMemory(READS_OF_ASKER)

  async function readAgain(url: string, asker: string | null): Promise<KeysAt> {
    if (underWay.size >= MOST_UNDER_WAY || !(await takeRead(url, asker))) return BUSY
    const fetched = await read(url)
    const found = keysIn(fetched)
    const now = clock()
    const kept = memoryOf(url)
    const before = kept.get(url)
    const isDown = 'problem' in found && found.problem === 'directory_unreachable'
    if (isDown && before && 'keys' in before.found && before.readAt + STALE_S * 1000 > now) {
      kept.set(url, { ...before, freshUntil: now + FAILED_S * 1000 })
      return before.found
    }
    kept.set(url, { found, readAt: now, freshUntil: now + secondsToKeep(fetched, found) * 1000 })
    return found
  }

  /** Whether there is a read left: of a listed one, else of the asker and of all the others. */
  async function takeRead(url: string, asker: string | null): Promise<boolean> {
    const isThere = (limiter: RateLimiterMemory, key: string) =>
      limiter.consume(key).then(
        () => true,
        () => false,
      )
    if (isListed(url)) return isThere(reads, 'listed')
    return (
      (asker === null || (await isThere(readsOfAskers, asker))) && (await isThere(reads, 'others'))
    )
  }

  return {
    async keysAt(url, asker, missing) {
      const known = memoryOf(url).get(url)
      const isOld = known !== undefined && clock() - known.readAt >= SHORTEST_S * 1000
      const isFresh = known !== undefined && known.freshUntil > clock()
      if (known && isFresh && !(missing !== undefined && isOld)) return known.found
      const reading = underWay.get(url) ?? readAgain(url, asker).finally(() => underWay.delete(url))
      underWay.set(url, reading)
      const found = await reading
      return found === BUSY && known && 'keys' in known.found ? known.found : found
    },
  }
}

const BUSY: KeysAt = { problem: 'directory_busy' }

const Member = z.string().max(1024).optional()
/** What verifies a signature, or says that it does not. */
const Key = z.object({
  ...{ kid: Member, kty: Member, crv: Member, x: Member, y: Member, n: Member, e: Member },
  ...{ alg: Member, use: Member, nbf: z.number().optional(), exp: z.number().optional() },
})
/** A directory, or a profile of UCP, which before 2026-08-25 had them as `signing_keys`. */
const KeySet = z.union([
  z.object({ keys: z.array(z.unknown()) }),
  z.object({ signing_keys: z.array(z.unknown()) }),
])

/** Unspecified: its content type is not looked at: who can answer there speaks for the domain. */
function keysIn(fetched: Fetched): KeysAt {
  if (fetched.kind !== 'answer' || fetched.status !== 200) {
    return { problem: 'directory_unreachable' }
  }
  const read = fetched.truncated ? null : KeySet.safeParse(parsed(fetched.body)).data
  if (!read) return { problem: 'directory_malformed' }
  const published = 'keys' in read ? read.keys : read.signing_keys
  const keys = published.slice(0, MOST_KEYS).flatMap((key): Jwk[] => {
    const jwk = Key.safeParse(key).data
    return jwk === undefined || EXAMPLE_KEYS.has(thumbprintOf(jwk)) ? [] : [jwk]
  })
  return { keys }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function secondsToKeep(fetched: Fetched, found: KeysAt): number {
  if ('problem' in found || fetched.kind !== 'answer') return FAILED_S
  const maxAge = parse(fetched.headers['cache-control'] ?? '')['max-age'] ?? LONGEST_S
  return Math.min(Math.max(maxAge, SHORTEST_S), LONGEST_S)
}
