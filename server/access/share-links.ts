import { timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../../shared/web/moment.ts'
import { findShare, insertShare, MAX_SHARES, type Share } from '../db/access/shares.ts'
import type { Db } from '../db/connect.ts'
import { ApiError } from '../http/api-error.ts'
import { hashSecret, mintKey, parseKey } from './key-format.ts'

// Unspecified: a share link is valid for 7, 30 or 90 days, or until it is revoked, as its owner
// chooses.
export const SHARE_DAYS = [7, 30, 90] as const

/**
 * What the link shows, and who made it: a page of a domain, or one walk. `days` null: until it is
 * revoked.
 */
type NewShare = Pick<Share, 'domain' | 'key_id'> & { days: number | null } & (
    | { view: 'report' | 'audit' }
    | { view: 'walk'; walk_id: string }
  )

/**
 * Creates a link. Its token can be shown only now: just a hash of its secret is stored.
 * `expires_at` is null for a link without an end. Throws 409 where there are as many as may be
 * (`ApiError`).
 */
export async function createShare(
  db: Db,
  { days, ...share }: NewShare,
  now: Date,
): Promise<{ id: string; token: string; expires_at: Date | null }> {
  const { id, secret, key } = mintKey('share')
  const expires_at = days === null ? null : new Date(now.getTime() + days * DAY_MS)
  const isMade = await insertShare(db, {
    walk_id: null,
    ...share,
    id,
    secret_sha256: hashSecret(secret),
    created_at: now,
    expires_at,
    revoked_at: null,
  })
  if (!isMade) {
    const shown = share.view === 'walk' ? 'walk' : 'page'
    throw new ApiError(
      409,
      'too_many_shares',
      `This ${shown} already has ${MAX_SHARES} active links. Revoke some of them first.`,
    )
  }
  return { id, token: key, expires_at }
}

/** What a token opens; null if it is forged, expired or revoked: callers do not learn which. */
export async function openShare(db: Db, token: string, now: Date): Promise<Share | null> {
  const parts = parseKey(token, 'share')
  const row = parts && (await findShare(db, parts.id))
  if (!parts || !row) return null
  const { secret_sha256, ...share } = row
  const isTrue = timingSafeEqual(Buffer.from(hashSecret(parts.secret)), Buffer.from(secret_sha256))
  const isOver = share.expires_at !== null && share.expires_at <= now
  return isTrue && !isOver && share.revoked_at === null ? share : null
}
