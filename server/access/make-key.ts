import * as z from 'zod'
import { Domain } from '../../shared/web/address/domain.ts'
import {
  type ApiKey,
  insertFirstKey,
  insertKey,
  insertOwnKey,
  type KeyRow,
  MOST_OWN_KEYS,
  withoutSecret,
} from '../db/access/keys.ts'
import { SCOPES, Scope } from '../db/access/scopes.ts'
import type { Db } from '../db/connect.ts'
import { ApiError } from '../http/api-error.ts'
import { revoked } from './auth.ts'
import { covers } from './covered-domains.ts'
import { hashSecret, mintKey } from './key-format.ts'

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
