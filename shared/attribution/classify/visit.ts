/**
 * How a session came:
 * - `referral`: a person clicked in an assistant
 * - `agent`: software visits while a person waits
 * - `protocol`: software buys by UCP or ACP
 */
export const KINDS = ['referral', 'agent', 'protocol'] as const
export type Kind = (typeof KINDS)[number]
