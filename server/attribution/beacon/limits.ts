import { blockOf, networkOf } from '../../http/client-address.ts'
import { createKeyOf, createWindows } from './windows.ts'

// How the bounds were chosen. Of the sessions of 973 shops, 0.2% came from ChatGPT (August 2024 to
// July 2025); of the visits of ten industries 1.1% came from all assistants, of its busiest for
// shops 1.9% (2025). A shop of 30 million visits a month has a million a day, so 10,000 to 19,000
// AI sessions; most shops have fewer than 100. One person in 2,500 of a country of 50 million would
// be 20,000. Carriers put hundreds to thousands of subscribers behind one address: even 20,000
// subscribers of that country are 8 sessions a day, and a /24 with 2,000 at each address is 205.

// Unspecified: sessions from a storefront are bounded, and those over a bound are set aside: no row
// is stored of them, they count in no figure but `set_aside`, and 429 answers them. A session that
// is over the bound of its address or network takes nothing from that of its property.

/**
 * Per property and day, by all addresses. With the longest that a beacon can hold, the tables grow
 * by 2.3 kB each.
 */
export const PER_PROPERTY_AND_DAY = 20_000

// Unspecified: a network is a /24 of IPv4 or a /48 of IPv6, the smallest that are routed on their
// own; an address is one of IPv4 or a /64.

/** Per property, day and network: 20 of them at their bound are as much as a property's own. */
const PER_NETWORK_AND_DAY = 1000

/** Per property and second: by default, ten networks together are as many as a property's own. */
const PER_NETWORK = 30

/** Per property, second and address: three that flood leave their network room for others. */
const PER_ADDRESS = 10

/** Per property, day and address: 37 times the 8 of a carrier's address above. */
const PER_ADDRESS_AND_DAY = 300

/**
 * Per property, day, address and User-Agent, because a forged burst has no variety. The browsers of
 * a carrier's address are of at least some ten versions.
 */
const PER_BROWSER_AND_DAY = 100

/** Per second and address, for all properties together: guessing ids is limited as well. */
const CALLS = 60

/** At once, after a pause: pages of many shops that people behind one address open. */
const BURST = 120
const BURST_SECONDS = 10

const DAY_SECONDS = 86_400

/** What a beacon was too many of. */
export type Bound = 'address' | 'network' | 'property'

/** Too many: of what, within which time, and in how many seconds there may be another. */
export interface Over {
  bound: Bound
  per: 'second' | 'day'
  retryAfter: number
}

/** A beacon that may count. Null for an unknown address: all of those share one. */
interface BeaconSender {
  propertyId: string
  address: string | null
  userAgent: string
}

/** Limits on the public endpoint, which anyone may call. Null: within them. */
interface BeaconLimits {
  /** Counts any call, also one that asks for nothing that is there. */
  countCall: (address: string | null) => Over | null
  /** Counts a beacon from a page of a property. */
  countBeacon: (sender: BeaconSender) => Over | null
}

/**
 * Kept in the memory of this process, in a fixed size and without an address in it: replicas bound
 * a sender each for itself, and a property's day together (`BeaconDays`). `perProperty` is how many
 * a property may have per second, so that one does not take the capacity of the others.
 */
export function createBeaconLimits(now: () => Date, perProperty: number): BeaconLimits {
  const inSecond = (most: number) => ({ most, seconds: 1 })
  const inDay = (most: number) => ({ most, seconds: DAY_SECONDS })
  const keyOf = createKeyOf()
  const callers = createWindows({
    second: inSecond(CALLS),
    burst: { most: BURST - CALLS, seconds: BURST_SECONDS },
  })
  const addresses = createWindows({
    second: inSecond(PER_ADDRESS),
    day: inDay(PER_ADDRESS_AND_DAY),
  })
  const browsers = createWindows({ day: inDay(PER_BROWSER_AND_DAY) })
  const networks = createWindows({
    second: inSecond(PER_NETWORK),
    day: inDay(PER_NETWORK_AND_DAY),
  })
  const properties = createWindows({ second: inSecond(perProperty) })

  return {
    countCall(address) {
      const at = now().getTime()
      const caller = callers.of(keyOf(networkOf(address)))
      const isOver =
        callers.count(caller, 'second', at) !== null && callers.count(caller, 'burst', at) !== null
      return isOver ? { bound: 'address', per: 'second', retryAfter: 1 } : null
    },
    // From the narrowest to the widest: what is over one of them is not counted in the next.
    countBeacon({ propertyId, address, userAgent }) {
      const at = now().getTime()
      const from = keyOf(networkOf(address))
      const sender = addresses.of(`${propertyId} ${from}`)
      const inNetwork = () => {
        const network = networks.of(`${propertyId} ${keyOf(blockOf(address))}`)
        return (
          over('network', 'second', networks.count(network, 'second', at)) ??
          over('network', 'day', networks.count(network, 'day', at))
        )
      }
      const browser = () => browsers.of(keyOf(propertyId, from, userAgent))
      return (
        over('address', 'second', addresses.count(sender, 'second', at)) ??
        over('address', 'day', browsers.count(browser(), 'day', at)) ??
        over('address', 'day', addresses.count(sender, 'day', at)) ??
        inNetwork() ??
        over('property', 'second', properties.count(properties.of(propertyId), 'second', at))
      )
    },
  }
}

const over = (bound: Bound, per: Over['per'], retryAfter: number | null): Over | null =>
  retryAfter === null ? null : { bound, per, retryAfter }
