import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid, varchar } from 'drizzle-orm/pg-core'
import type { AccessKind } from '../../../shared/web/site-access.ts'
import { time } from '../values.ts'
import type { Scope } from './scopes.ts'

// Keys, sign-ins, links to what is shared, and the quotas of those who ask.

/** API keys. Of the secret only the SHA-256 is stored; `*` among the domains stands for all. */
export const api_keys = pgTable('api_keys', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Hex. A secret has 256 bits of entropy, so a fast hash suffices. */
  secret_sha256: text().notNull(),
  scopes: text().array().$type<Scope[]>().notNull(),
  domains: text().array().notNull(),
  created_at: time().notNull(),
  expires_at: time(),
  revoked_at: time(),
  /** To the minute; null before the first use. */
  last_used_at: time(),
  /** What for: `POST /api/audit`, or signing in. */
  last_used_for: text(),
  /** The key whose holder made it, and with which it ends; null where the operator did. */
  made_by: text(),
})

/** Requests per key and window. */
export const rate_limits = pgTable(
  'rate_limits',
  {
    key: varchar({ length: 255 }).primaryKey(),
    /** Requests so far in this window. */
    points: integer().notNull().default(0),
    /** End of the window. */
    expire: time(),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)

/** Who is signed in to the pages, by an API key. Found by the cookie. */
export const web_sessions = pgTable(
  'web_sessions',
  {
    /** The hash of the cookie's token: a copy of this table does not let anyone sign in. */
    token_sha256: text().primaryKey(),
    /** The session ends with its key. */
    key_id: text().notNull(),
    created_at: time().notNull(),
    expires_at: time().notNull(),
  },
  (table) => [index('web_sessions_expires').on(table.expires_at)],
)

/** Links that show a domain's report, its audit or one walk to anyone who has them. */
export const shares = pgTable(
  'shares',
  {
    id: text().primaryKey(),
    secret_sha256: text().notNull(),
    domain: text().notNull(),
    /** Which page the link opens, and no other. */
    view: text().$type<'report' | 'audit' | 'walk'>().notNull(),
    key_id: text().notNull(),
    created_at: time().notNull(),
    expires_at: time(),
    revoked_at: time(),
    /** The walk that a page of walks opens; null for the other pages. */
    walk_id: uuid(),
  },
  (table) => [
    index('shares_domain').on(table.domain),
    index('shares_ended').on(sql`least(${table.expires_at}, ${table.revoked_at})`),
  ],
)

/** What owners give for their sites, so that audits and walks are let in. */
export const site_access = pgTable(
  'site_access',
  {
    /** Without `www.`, where both names are one owner's. */
    domain: text().primaryKey(),
    /** What there is of it, and the names of its headers: all that is ever shown. */
    kinds: text().array().$type<AccessKind[]>().notNull(),
    header_names: text().array().notNull(),
    /** The secrets themselves, sealed with a key outside the database (`server/db/sealing`). */
    sealed: text().notNull(),
    /** Who gave it. */
    key_id: text().notNull(),
    set_at: time().notNull(),
    /** When its headers end; null where they do not. */
    ends_at: time(),
  },
  (table) => [index('site_access_ends').on(table.ends_at)],
)
