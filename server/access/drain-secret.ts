import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { findKey, type KeyRow, withoutSecret } from '../db/access/keys.ts'
import type { Db } from '../db/connect.ts'
import { ApiError } from '../http/api-error.ts'
import type { ServerEnv } from '../http/env.ts'
import { refuseKey, requireValid } from './auth.ts'
import { isKeyId } from './key-format.ts'

// Unspecified: Vercel signs what its drains send with a secret that both sides know, where we keep
// hashes of keys alone. The secret of a key's drains is made of that hash: it ends with the key.

/** What a drain of a key signs with. */
const drainSecret = ({ secret_sha256 }: Pick<KeyRow, 'secret_sha256'>): string =>
  createHmac('sha256', secret_sha256).update('vercel drain').digest('hex')

/** The secret of the drains of the key with this id, for who is signed in with it. */
export async function drainSecretOf(db: Db, id: string): Promise<string | null> {
  const key = await findKey(db, id)
  return key && drainSecret(key)
}

/**
 * Puts the key of a drain into `c.var`. Throws 401 unless it is valid and the body signed with its
 * secret (https://vercel.com/docs/drains/security).
 */
export async function authenticateDrain(
  { db, now }: { db: Db; now: () => Date },
  c: Context<ServerEnv>,
  { id, body }: { id: string; body: Uint8Array },
): Promise<void> {
  const key = isKeyId(id) ? await findKey(db, id) : null
  if (key === null)
    throw refuseKey('invalid_key', 'There is no key with this id. Check the address.')
  const own = createHmac('sha1', drainSecret(key)).update(body).digest()
  const sent = Buffer.from(c.req.header('x-vercel-signature') ?? '', 'hex')
  if (sent.length !== own.length || !timingSafeEqual(sent, own)) {
    throw new ApiError(
      401,
      'invalid_signature',
      'The body is not signed with the secret of this drain. Copy the secret from the page of fetches.',
    )
  }
  requireValid(key, now())
  c.set('key', withoutSecret(key))
}
