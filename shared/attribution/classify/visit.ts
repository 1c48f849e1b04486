/**
 * How a session came:
 * - `referral`: a person clicked in an assistant
 * - `agent`: software visits while a person waits
 * - `protocol`: software buys by UCP or ACP
 */
export const KINDS = ['referral', 'agent', 'protocol'] as const
export type Kind = (typeof KINDS)[number]

/**
 * Instead of a kind, of what happened in the store's own checkout without a visit that a browser
 * reported and without a surface: nothing shows that AI brought it.
 */
export const UNATTRIBUTED = 'unattributed'
/** What an event counts as. */
export type CountedKind = Kind | typeof UNATTRIBUTED
