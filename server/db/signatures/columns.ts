import { type BuildColumns, sql } from 'drizzle-orm'
import {
  type ExtraConfigColumn,
  index,
  jsonb,
  type PgTableWithColumns,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { time } from '../values.ts'

// The service's own keys and those of the store have the same columns (`server/signatures`).

/** How a key signs, as a JWK says it. */
export type SigningAlg = 'ES256' | 'EdDSA'

/** What is public of a signing key: P-256 has both coordinates, Ed25519 one. */
export interface KeptJwk {
  kty: 'EC' | 'OKP'
  crv: 'P-256' | 'Ed25519'
  x: string
  y?: string
}

/** With its private half. */
export type PrivateJwk = KeptJwk & { d: string }

/** UCP demands seven days from the last signature; the eighth is for clocks and slow deliveries. */
export const PUBLISHED_DAYS = 8

export const signingKeyColumns = () => ({
  kid: text().primaryKey(),
  alg: text().$type<SigningAlg>().notNull(),
  jwk: jsonb().$type<KeptJwk>().notNull(),
  /** Its private half `d`, sealed. */
  sealed: text().notNull(),
  created_at: time().notNull(),
  /**
   * When the next key takes over, possibly in the future; this key stays published for a while
   * after.
   */
  retired_at: time(),
})

export type SigningKeyTable = PgTableWithColumns<{
  name: 'signing_keys'
  schema: string | undefined
  columns: BuildColumns<'signing_keys', ReturnType<typeof signingKeyColumns>, 'pg'>
  dialect: 'pg'
}>

/** Only one key of a kind is the newest, even if several replicas make one. */
export const oneNewestKey = ({ alg }: { alg: ExtraConfigColumn }) => [
  uniqueIndex('signing_keys_current').on(alg).where(sql`retired_at is null`),
]

/** Nonces of signatures that were verified, until their signatures have expired. */
export const usedNonceColumns = () => ({
  /** A hash of the signer and its nonce. */
  nonce: text().primaryKey(),
  /** A hash of what it was used for: the same thing may be repeated. */
  used_for: text().notNull(),
  until: time().notNull(),
})

export type UsedNonceTable = PgTableWithColumns<{
  name: 'used_nonces'
  schema: string | undefined
  columns: BuildColumns<'used_nonces', ReturnType<typeof usedNonceColumns>, 'pg'>
  dialect: 'pg'
}>

export const nonceEnds = ({ until }: { until: ExtraConfigColumn }) => [
  index('used_nonces_until').on(until),
]
