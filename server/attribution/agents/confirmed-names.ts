import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'

/**
 * The domains of the names that the addresses of agents have, where their operator documents that
 * the name of an address tells it, and the address of that name confirms it.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  // https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests
  Google: ['googlebot.com', 'google.com', 'googleusercontent.com'],
  // https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26
  Microsoft: ['search.msn.com'],
  // https://support.apple.com/119829
  Apple: ['applebot.apple.com'],
  // https://developer.amazon.com/amazonbot
  Amazon: ['crawl.amazonbot.amazon'],
}

/** What addresses are called, and what addresses names have. They reject where there is nothing. */
interface NameLookup {
  reverse: (address: string) => Promise<string[]>
  resolve4: (name: string) => Promise<string[]>
  resolve6: (name: string) => Promise<string[]>
}

export interface ConfirmedNames {
  /** Whether names can tell the agents of an operator. */
  tell: (operator: string) => boolean
  /** Looks these addresses up, as far as that is not known. Never rejects. */
  lookUp: (addresses: readonly string[]) => Promise<void>
  /** Whether an address that was looked up has a confirmed name of the operator. */
  isOf: (address: string, operator: string) => boolean
}

// Unspecified: what an address is called counts for a day, 20,000 addresses are remembered, and
// 600 are looked up in a minute: those beyond are judged by the published ranges alone.
const KEPT = { max: 20_000, ttl: 86_400_000 }
const MOST_OF_MINUTE = 600
const AT_ONCE = 16
const MINUTE_MS = 60_000
const MOST_NAMES = 5

/** Names of addresses by forward-confirmed reverse DNS (RFC 1912, 2.1). */
export function createConfirmedNames(lookup: NameLookup, now: () => Date): ConfirmedNames {
  const confirmed = new LRUCache<string, string[]>(KEPT)
  const limit = pLimit(AT_ONCE)
  let spent = { since: 0, lookups: 0 }

  async function namesOf(address: string): Promise<string[]> {
    const names = (await lookup.reverse(address)).slice(0, MOST_NAMES)
    const listed = names.map(bare).filter((name) => OPERATORS.some((each) => isBelow(name, each)))
    const proved = await Promise.all(
      listed.map(async (name) => {
        const resolve = address.includes(':') ? lookup.resolve6 : lookup.resolve4
        return (await resolve(name)).includes(address) ? [name] : []
      }),
    )
    return proved.flat()
  }

  return {
    tell: (operator) => Object.hasOwn(NAMES, operator),
    async lookUp(addresses) {
      const at = now().getTime()
      if (at - spent.since >= MINUTE_MS) spent = { since: at, lookups: 0 }
      const unknown = [...new Set(addresses)].filter((address) => !confirmed.has(address))
      const asked = unknown.slice(0, Math.max(0, MOST_OF_MINUTE - spent.lookups))
      spent.lookups += asked.length
      await Promise.all(
        asked.map((address) =>
          limit(async () => {
            const names = await namesOf(address).catch((error) => (isAbsent(error) ? [] : null))
            // A server of names that is down proves nothing, and is asked again.
            if (names !== null) confirmed.set(address, names)
          }),
        ),
      )
    },
    isOf: (address, operator) =>
      (confirmed.get(address) ?? []).some((name) =>
        (NAMES[operator] ?? []).some((domain) => isBelow(name, domain)),
      ),
  }
}

const OPERATORS = Object.values(NAMES).flat()

const bare = (name: string): string => name.toLowerCase().replace(/\.$/, '')

const isBelow = (name: string, domain: string): boolean => name.endsWith(`.${domain}`)

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOTFOUND', 'ENODATA'].includes(String(error.code))
