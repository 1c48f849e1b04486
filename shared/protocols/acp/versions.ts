import { field, textsIn } from '../../web/json/json.ts'
import { versionsOf } from '../versions.ts'

/** A version of official ACP: all that differs between versions is here, and asked for here. */
interface AcpRelease<Version = string, Status = string> {
  version: Version
  /** The reference store sells in it. */
  isServed: boolean
  /** The walk buys in it. */
  isWalked: boolean
  /** One address, and one id of what is chosen; later there are details and choices by line. */
  hasOneAddress: boolean
  /**
   * A session names payment handlers, and its lines have totals; before there was one payment
   * provider, items with quantities were asked for, and lines had flat amounts.
   */
  hasHandlers: boolean
  /** It has carts, MCP and the discovery document. */
  hasDiscovery: boolean
  /** Every POST over REST has an idempotency key. */
  needsKey: boolean
  /** Messages have a `resolution`. */
  hasResolutions: boolean
  /** An agent may authenticate the buyer; before, that took data of the buyer's browser. */
  hasInterventions: boolean
  /** Payment handlers say how they are displayed. */
  displaysHandlers: boolean
  /** An address may name a company. */
  hasCompany: boolean
  /** The states of a session. */
  statuses: readonly Status[]
  /** `brief`: an order without lines and history, in webhooks without an id. */
  orders: 'brief' | 'whole'
  delegation: AcpDelegation
}

/** The delegation of a payment: the most digits of a card's IIN, and the fewest risk signals. */
export interface AcpDelegation {
  iinDigits: number
  minSignals: number
}

const FIRST = {
  version: '2025-09-29',
  isServed: false,
  isWalked: true,
  hasOneAddress: true,
  hasHandlers: false,
  hasDiscovery: false,
  needsKey: false,
  hasResolutions: false,
  hasInterventions: false,
  displaysHandlers: false,
  hasCompany: false,
  statuses: [
    'incomplete',
    'not_ready_for_payment',
    'requires_escalation',
    'authentication_required',
    'ready_for_payment',
    'pending_approval',
    'complete_in_progress',
    'completed',
    'canceled',
    'in_progress',
    'expired',
  ],
  orders: 'brief',
  delegation: { iinDigits: 6, minSignals: 1 },
} as const satisfies AcpRelease

const DECEMBER = {
  ...FIRST,
  version: '2025-12-12',
  hasOneAddress: false,
} as const satisfies AcpRelease
const JANUARY = { ...DECEMBER, version: '2026-01-16' } as const satisfies AcpRelease
const HANDLERS = {
  ...JANUARY,
  version: '2026-01-30',
  isServed: true,
  hasHandlers: true,
} as const satisfies AcpRelease

const DISCOVERY = {
  ...HANDLERS,
  version: '2026-04-17',
  hasDiscovery: true,
  needsKey: true,
  hasResolutions: true,
  hasInterventions: true,
  displaysHandlers: true,
  hasCompany: true,
  orders: 'whole',
  delegation: { iinDigits: 8, minSignals: 0 },
} as const satisfies AcpRelease

/** The published versions of official ACP, oldest first. */
const RELEASES = [FIRST, DECEMBER, JANUARY, HANDLERS, DISCOVERY] as const
type Release = (typeof RELEASES)[number]

export type AcpVersion = Release['version']
/** A state of a session, in any version. */
export type AcpStatus = Release['statuses'][number]

export const ACP = versionsOf<AcpRelease<AcpVersion, AcpStatus>>(RELEASES)

/**
 * The version to use with a store: the one in its acp.json. If this code does not know that one,
 * the newest known version that it also lists, or else the store's own.
 */
export function spokenAcpVersion(document: unknown): string {
  const protocol = field(document, 'protocol')
  const named = field(protocol, 'version')
  const listed = textsIn(field(protocol, 'supported_versions'))
  const common = ACP.all.findLast((version) => listed.includes(version))
  if (ACP.isNewer(named) && common !== undefined) return common
  return typeof named === 'string' && /^[\w.-]{1,40}$/.test(named) ? named : ACP.newest
}
