import type { GapId } from '../words.ts'
import type { ShopPlatform } from './signs.ts'

/** Who can do it: in the shop's admin, in its code, or on the server or the network before it. */
type Doer = 'merchant' | 'developer' | 'host'

/** How long it takes someone who knows the place: up to an hour, up to a day, several days. */
export type Effort = 'minutes' | 'hours' | 'days'

/** What to do about a gap on one platform. */
export interface Remedy {
  /** Where, and what to do there. */
  steps: string
  who: Doer
  effort: Effort
  /** The platform's own page about it, or the best there is. */
  source: string
}

/** One remedy, for the gaps that it closes. */
export type PlatformRemedies = readonly (Remedy & { gaps: readonly GapId[] })[]

export type RemediesByPlatform = Readonly<Record<ShopPlatform, PlatformRemedies>>
