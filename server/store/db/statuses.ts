/** The specification's own UCP and ACP, as rows of the database have them. */
export const SPEC_UCP = 'ucp'
export const SPEC_ACP = 'acp'

/** The UCP and ACP that their makers publish. */
export const OFFICIAL_UCP = 'ucp_official'
export const OFFICIAL_ACP = 'acp_official'

/** What a session is opened in. Each of them has the same states, charge and order. */
export const PROTOCOLS = [SPEC_UCP, SPEC_ACP, OFFICIAL_UCP, OFFICIAL_ACP] as const
export type Protocol = (typeof PROTOCOLS)[number]
export type OfficialProtocol = Extract<Protocol, `${string}_official`>

export const isOfficialProtocol = (protocol: Protocol): protocol is OfficialProtocol =>
  protocol.endsWith('_official')

/** The report counts a protocol, whichever dialect of it (spec, Attribution event: `source`). */
export const REPORTED_AS = {
  [SPEC_UCP]: 'ucp',
  [SPEC_ACP]: 'acp',
  [OFFICIAL_UCP]: 'ucp',
  [OFFICIAL_ACP]: 'acp',
} as const satisfies Record<Protocol, string>
export type ProtocolSource = (typeof REPORTED_AS)[Protocol]

// Unspecified: UCP sessions have the states of ACP's, and their cart does not show them.
/** Where a checkout session can be. */
export const SESSION_STATUSES = [
  'pending_confirmation',
  'completing',
  'completed',
  'expired',
  /** The agent or the buyer gave it up. */
  'canceled',
] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** Where an order can be; `disputed` is a flag beside it. */
export const ORDER_STATUSES = [
  'awaiting_payment',
  'confirmed',
  'processing',
  'shipped',
  'delivered',
  'canceled',
  'returned',
  'payment_failed',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** Why a person must look at a payment. */
export type ReviewCause =
  /** It is of another amount or currency than what it was made for: it paid for nothing. */
  | 'amount'
  /** The order was paid by another one. */
  | 'second_payment'
  /** It came after its pieces were sold to others. */
  | 'stock'
  /** It came after its session was canceled. */
  | 'canceled'
  /** The PSP does not say its amount, and the delivery that was chosen is not offered any more. */
  | 'delivery'
  /** The buyer's bank takes it back. */
  | 'dispute'
