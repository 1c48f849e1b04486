import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { type ApiKey, findKeys, isUseRecorded, touchKey, withoutSecret } from '../db/access/keys.ts'
import type { Scope } from '../db/access/scopes.ts'
import { createLookUp, rememberFound } from '../db/batching/look-up.ts'
import type { Db } from '../db/connect.ts'
import { setRequestDomain } from '../db/connection/request-domain.ts'
import { ApiError } from '../http/api-error.ts'
import { coalesce } from '../http/coalesce.ts'
import type { ServerEnv } from '../http/env.ts'
import type { Log } from '../process/log.ts'
import { covers } from './covered-domains.ts'
import { hashSecret, parseKey } from './key-format.ts'

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
    throw refuseKey('invalid_key', message)
  }
  const [, token = ''] = /^Bearer +(\S+) *$/i.exec(header) ?? []
  const key = await keys.find(token)
  const now = clock()
  if (!key) {
    throw refuseKey('invalid_key', 'This is not a valid API key. Check that it is complete.')
  }
  requireValid(key, now)
  return key
}

/** Throws 401 for a key that was revoked or has expired. */
export function requireValid(key: ApiKey, now: Date): void {
  // Without comparing times: the clock of the replica that revoked it may be ahead of ours.
  if (key.revoked_at !== null) throw revoked()
  if (key.expires_at && key.expires_at <= now) {
    throw refuseKey('expired_key', 'This key has expired. Ask the operator for a new one.')
  }
}

/** RFC 6750, 3.1: `invalid_token` covers expired, revoked and malformed keys alike. */
export const refuseKey = (code: string, message: string) =>
  new ApiError(401, code, message, { headers: { 'WWW-Authenticate': challenge('invalid_token') } })

export const revoked = () =>
  refuseKey('revoked_key', 'This key was revoked. Ask the operator for a new one.')

/**
 * The value of WWW-Authenticate (RFC 6750, 3). Without credentials in the request it names no
 * error.
 */
function challenge(error?: string, scope?: Scope): string {
  const parts = ['realm="aisle"', error && `error="${error}"`, scope && `scope="${scope}"`]
  return `Bearer ${parts.filter(Boolean).join(', ')}`
}

/** Finds keys by their full text. */
export interface Keyring {
  /** The stored key, valid or not; null if there is none. */
  find(key: string): Promise<ApiKey | null>
}

/**
 * Looks up keys in batches, so that one query serves all waiting requests. A query starts after the
 * requests that it serves, so that a revocation takes effect immediately.
 */
export function createKeyring(db: Db): Keyring {
  const findRow = createLookUp((ids) => findKeys(db, ids))
  return {
    async find(key) {
      const parts = parseKey(key)
      const row = parts && (await findRow(parts.id))
      return row && hashesTo(parts.secret, row.secret_sha256) ? withoutSecret(row) : null
    },
  }
}

// Unspecified: a revoked key may still report events for five seconds, on servers that have just
// seen it. It reads nothing meanwhile.
/** Remembers the keys that a keyring finds, until a use of theirs is to be recorded. */
export function rememberKeys(keys: Keyring, now: () => Date): Keyring {
  const find = rememberFound(keys.find)
  // Otherwise each of the following requests would record the use again.
  return { find: (key) => find(key, (remembered) => isUseRecorded(remembered, now())) }
}

/** In constant time, so that the time of an answer says nothing about the hash. */
const hashesTo = (secret: string, hash: string) =>
  timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(hash))
