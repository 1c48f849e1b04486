import { hash } from 'node:crypto'

// Keys of events and ids of sessions are stored as the first 96 bits of their SHA-256, which are 16
// characters, within their domain. Among a billion keys of one domain the chance of two equal ones
// is one in 10^11; the second event then counts as a repeat. Who searches for such a pair on
// purpose only loses an event of their own domain.

/** The hash that stands for an event's key or a session's id. */
export const shortKey = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16)

/** `shortKey` as an expression of Postgres. */
export const shortKeyIn = (text: string): string =>
  `translate(encode(substring(sha256(convert_to(${text}, 'UTF8')) from 1 for 12), 'base64'), '+/', '-_')`
