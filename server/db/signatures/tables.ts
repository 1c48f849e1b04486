import { pgTable } from 'drizzle-orm/pg-core'
import { nonceEnds, oneNewestKey, signingKeyColumns, usedNonceColumns } from './columns.ts'

/** The keys that the service signs its own requests with; the oldest that is not retired signs. */
export const service_keys = pgTable('signing_keys', signingKeyColumns(), oneNewestKey)

/** The nonces of agents that made a reported request. */
export const service_nonces = pgTable('used_nonces', usedNonceColumns(), nonceEnds)
