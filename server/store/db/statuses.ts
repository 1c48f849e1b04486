/** The specification's own UCP and ACP, as database rows name them. */
export const SPEC_UCP = 'ucp'
export const SPEC_ACP = 'acp'

/** Official UCP and ACP. */
export const OFFICIAL_UCP = 'ucp_official'
export const OFFICIAL_ACP = 'acp_official'

/** The dialect that a session is opened in. All have the same states, charge and order. */
export const PROTOCOLS = [SPEC_UCP, SPEC_ACP, OFFICIAL_UCP, OFFICIAL_ACP] as const
export type Protocol = (typeof PROTOCOLS)[number]
export type OfficialProtocol = Extract<Protocol, `${string}_official`>

export const isOfficialProtocol = (protocol: Protocol): protocol is OfficialProtocol =>
  protocol.endsWith('_official')

/** Reports count by protocol, not by dialect (spec, Attribution event: `source`). */
export const REPORTED_AS = {
  [SPEC_UCP]: 'ucp',
  [SPEC_ACP]: 'acp',
  [OFFICIAL_UCP]: 'ucp',
  [OFFICIAL_ACP]: 'acp',
} as const satisfies Record<Protocol, string>
export type ProtocolSource = (typeof REPORTED_AS)[Protocol]

// Unspecified: UCP sessions have the states of ACP's, and their cart does not show them.
/** The states of a checkout session. */
export const SESSION_STATUSES = [
  'pending_confirmation',
  'completing',
  'completed',
  'expired',
  /** The agent or the buyer cancelled it. */
  'canceled',
] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** The states of an order; `disputed` is a separate flag. */
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

/** Whether it was paid: before that, only the store treats it as an order. */
export const isPlaced = (status: OrderStatus): boolean =>
  status !== 'awaiting_payment' && status !== 'payment_failed'

/** Why a person must check a payment. */
export type ReviewCause =
  /** Its amount or currency differs from the charge: it paid for nothing. */
  | 'amount'
  /** Another payment had already paid the order. */
  | 'second_payment'
  /** It came after its items were sold to others. */
  | 'stock'
  /** It came after its session was canceled. */
  | 'canceled'
  /** The PSP does not state its amount, and the chosen delivery is no longer offered. */
  | 'delivery'
  /** The buyer's bank takes it back. */
  | 'dispute'
