import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import * as z from 'zod'
import { Domain } from '../../shared/web/address/domain.ts'
import {
  type ApiKey,
  insertFirstKey,
  insertKey,
  insertOwnKey,
  isUseRecorded,
  type KeyRow,
  MOST_OWN_KEYS,
  touchKey,
  withoutSecret,
} from '../db/access/keys.ts'
import { SCOPES, Scope } from '../db/access/scopes.ts'
import type { Db } from '../db/connect.ts'
import { setRequestDomain } from '../db/connection/request-domain.ts'
import { ApiError } from '../http/api-error.ts'
import { coalesce } from '../http/coalesce.ts'
import type { ServerEnv } from '../http/env.ts'
import type { Log } from '../process/log.ts'
import { covers } from './covered-domains.ts'
import { hashSecret, mintKey } from './key-format.ts'
import { createKeyring, type Keyring } from './keyring.ts'

/** A domain, or `*` for all. What is wrong with it is said as of a domain. */
const CoveredDomain = z.union([z.literal('*'), Domain], {
  error: (issue) =>
    issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0]?.message : undefined,
})

/** What an operator decides about a key. */
export const NewKey = z.object({
  name: z.string().min(1).max(200),
  scopes: z.array(Scope).min(1),
  /**
   * The domains whose reports, stored audits, watches and walks the key opens; `*` stands for all.
   */
  domains: z.array(CoveredDomain),
  expires_at: z.date().nullable(),
})
export type NewKey = z.infer<typeof NewKey>

/** `key` can be shown only now: the database holds just a hash of its secret. */
export type CreatedKey = ApiKey & { key: string }

/** Makes a key and stores it. It is valid immediately. */
export async function createKey(db: Db, request: NewKey, now: Date): Promise<CreatedKey> {
  const { row, key } = newRow(request, now)
  await insertKey(db, row)
  return { ...withoutSecret(row), key }
}

/** The operator's key for an empty database: every scope and domain. Null if a key exists. */
export async function createFirstKey(db: Db, now: Date): Promise<CreatedKey | null> {
  const request = { name: 'operator', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  const { row, key } = newRow(request, now)
  return (await insertFirstKey(db, row)) ? { ...withoutSecret(row), key } : null
}

/** A fresh key and its row, which are not stored yet. */
function newRow(request: NewKey, now: Date): { row: KeyRow; key: string } {
  const { id, secret, key } = mintKey()
  const unused = { revoked_at: null, last_used_at: null, last_used_for: null, made_by: null }
  return {
    row: { ...request, ...unused, created_at: now, id, secret_sha256: hashSecret(secret) },
    key,
  }
}

/**
 * Makes a key with fewer rights for the holder of `parent`, with which it ends. Throws 403 where
 * the request asks for more than the parent may do, or the parent may not make any, 401 where the
 * parent was revoked meanwhile, and 409 where it has made too many (`ApiError`).
 */
export async function createOwnKey(
  db: Db,
  parent: ApiKey,
  request: NewKey,
  now: Date,
): Promise<CreatedKey> {
  // Unspecified: a key that was made with another makes no more: who has it could not be found
  // again.
  if (parent.made_by !== null) {
    throw notAllowed('This key was made with another one. Make keys with that one.')
  }
  const [scope] = request.scopes.filter((each) => !parent.scopes.includes(each))
  if (scope !== undefined) throw notAllowed(`Your key does not have the scope "${scope}" itself.`)
  const [domain] = request.domains.filter((each) => !covers(parent.domains, each))
  if (domain !== undefined) throw notAllowed(`Your key does not cover ${domain} itself.`)
  const { expires_at } = parent
  const outlives = expires_at !== null && (request.expires_at ?? expires_at) > expires_at
  const ends = request.expires_at === null || outlives ? expires_at : request.expires_at
  const { row, key } = newRow({ ...request, expires_at: ends }, now)
  const own = { ...row, made_by: parent.id }
  const made = await insertOwnKey(db, own)
  if (made === 'revoked') throw revoked()
  if (made === 'too_many') {
    throw new ApiError(
      409,
      'too_many_keys',
      `Your key has ${MOST_OWN_KEYS} others already. Revoke one that is not needed any more: it stops counting a day after it was made.`,
    )
  }
  return { ...withoutSecret(own), key }
}

const notAllowed = (message: string) => new ApiError(403, 'more_than_own', message)

interface KeyDeps {
  db: Db
  now: () => Date
  log: Log
}

/**
 * Admits requests with a valid key that has this scope, and puts the key into `c.var`. Throws 401
 * or 403 (`ApiError`).
 */
export function requireKey(deps: KeyDeps, scope: Scope) {
  const authenticateRequest = createAuthenticator(deps, scope)
  return createMiddleware<ServerEnv>(async (c, next) => {
    await authenticateRequest(c)
    await next()
  })
}

/**
 * The check of `requireKey` as a function, for handlers that run without middleware. Null admits
 * any valid key: what it may do is decided later. `keys` may remember what it finds.
 */
export function createAuthenticator(
  { db, now, log }: KeyDeps,
  scope: Scope | null,
  keys = createKeyring(db),
) {
  // Of many concurrent requests with one key, one records the use.
  const touch = coalesce(
    ({ key }: { key: ApiKey; use: string }) => key.id,
    ({ key, use }) => touchKey(db, key, { now: now(), use }),
  )

  return async (c: Context<ServerEnv>): Promise<void> => {
    const key = await authenticate(keys, c.req.header('Authorization'), now)
    c.set('key', key)
    if (!isUseRecorded(key, now())) {
      // Not awaited: a caller must not wait for our bookkeeping, nor fail with it.
      touch({ key, use: `${c.req.method} ${routePath(c)}` }).catch((err: unknown) =>
        log.warn({ err }, 'last use of the key not recorded'),
      )
    }
    if (scope !== null) requireScope(c, scope)
  }
}

/** Throws 403 unless the request's key has the scope (RFC 6750, 3.1: insufficient_scope). */
export function requireScope(c: Context<ServerEnv>, scope: Scope): void {
  if (c.get('key').scopes.includes(scope)) return
  throw new ApiError(
    403,
    'insufficient_scope',
    `This key does not have the scope "${scope}". Use a key that has it.`,
    { headers: { 'WWW-Authenticate': challenge('insufficient_scope', scope) } },
  )
}

/**
 * Throws 403 unless the request's key covers the domain, which is normalised: from then on the
 * request is for that domain. The message does not say whether the domain is known.
 */
export function requireDomain(c: Context<ServerEnv>, domain: string): void {
  setRequestDomain(domain)
  if (covers(c.get('key').domains, domain)) return
  throw new ApiError(
    403,
    'domain_not_allowed',
    `This key does not cover ${domain}. Use a key that was created for that domain.`,
  )
}

/**
 * The valid key in an Authorization header (spec, Authentication); throws 401 otherwise. Keys that
 * were revoked or have expired are told apart from unknown ones: their holder knows the secret.
 */
export async function authenticate(
  keys: Keyring,
  header: string | undefined,
  clock: () => Date,
): Promise<ApiKey> {
  if (!header) {
    throw new ApiError(
      401,
      'missing_key',
      'Send your API key in the header "Authorization: Bearer <API_KEY>".',
      { headers: { 'WWW-Authenticate': challenge() } },
    )
  }
  // Not echoed: what stands there instead may be a key.
  if (!/^Bearer( |$)/i.test(header)) {
    const message = 'Write "Bearer" and a space before the key: "Authorization: Bearer <API_KEY>".'
    throw refuse('invalid_key', message)
  }
  const [, token = ''] = /^Bearer +(\S+) *$/i.exec(header) ?? []
  const key = await keys.find(token)
  const now = clock()
  if (!key) {
    throw refuse('invalid_key', 'This is not a valid API key. Check that it is complete.')
  }
  // Without comparing times: the clock of the replica that revoked it may be ahead of ours.
  if (key.revoked_at !== null) throw revoked()
  if (key.expires_at && key.expires_at <= now) {
    throw refuse('expired_key', 'This key has expired. Ask the operator for a new one.')
  }
  return key
}

/** RFC 6750, 3.1: `invalid_token` covers expired, revoked and malformed keys alike. */
const refuse = (code: string, message: string) =>
  new ApiError(401, code, message, { headers: { 'WWW-Authenticate': challenge('invalid_token') } })

const revoked = () => refuse('revoked_key', 'This key was revoked. Ask the operator for a new one.')

/**
 * The value of WWW-Authenticate (RFC 6750, 3). Without credentials in the request it names no
 * error.
 */
function challenge(error?: string, scope?: Scope): string {
  const parts = ['realm="aisle"', error && `error="${error}"`, scope && `scope="${scope}"`]
  return `Bearer ${parts.filter(Boolean).join(', ')}`
}
