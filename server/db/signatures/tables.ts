import { pgTable } from 'drizzle-orm/pg-core'
import { oneNewestKey, signingKeyColumns } from './columns.ts'

/** The keys that the service signs its own requests with; the oldest that is not retired signs. */
export const service_keys = pgTable('signing_keys', signingKeyColumns(), oneNewestKey)
