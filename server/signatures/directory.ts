import { component, createSignatureSync } from 'http-message-sig'
import { DIRECTORY_PATH, DIRECTORY_TYPE } from '../../shared/protocols/web-bot-auth.ts'
import type { Db } from '../db/connect.ts'
import type { PublicJwk, SigningKey } from './jwk.ts'
import type { KeyRing } from './keys.ts'
import { contentDigest } from './message.ts'

const TAG = 'http-message-signatures-directory'

/** Far longer than anyone keeps a copy, since the proof of a copy should not end before it. */
const PROVEN_SECONDS = 86_400

/** A directory as it is answered: `json` as `JSON.stringify` writes it. */
export interface Directory {
  json: { keys: { kty: string; crv: string; kid: string; x: string; use: string }[] }
  headers: Record<string, string>
}

/** The directory of these keys, with the proof that the service holds each that it can open. */
export async function serviceDirectory(
  ring: KeyRing,
  { db, origin, now }: { db: Db; origin: string; now: Date },
): Promise<Directory> {
  const keys = await ring.published(db, now)
  return directoryOf(keys, await ring.signers(db, now), origin, now)
}

/**
 * A directory that each of its keys signs for this authority, so that it cannot be served as that
 * of another (section "Possession Proof on the Directory Response").
 */
export function directoryOf(
  keys: readonly PublicJwk[],
  signers: readonly SigningKey[],
  origin: string,
  now: Date,
): Directory {
  // `alg` is left out: here it would be the name of RFC 9421, and in our profile that of a JWK.
  const json = { keys: keys.map(({ kid, kty, crv, x, use }) => ({ kty, crv, kid, x, use })) }
  const digest = contentDigest(Buffer.from(JSON.stringify(json)))
  const created = Math.floor(now.getTime() / 1000)
  const proofs = signers.map((key, n) =>
    createSignatureSync(
      {
        kind: 'response',
        status: 200,
        fields: [{ name: 'content-digest', value: digest }],
        request: { kind: 'request', method: 'GET', targetUri: origin + DIRECTORY_PATH, fields: [] },
      },
      {
        label: `binding${n}`,
        components: [component('@authority', { req: true }), 'content-digest'],
        parameters: { created, expires: created + PROVEN_SECONDS, keyid: key.kid, tag: TAG },
        signer: key,
      },
    ),
  )
  return {
    json,
    headers: {
      'content-type': DIRECTORY_TYPE,
      'content-digest': digest,
      'signature-input': proofs.map(({ signatureInput }) => signatureInput).join(', '),
      signature: proofs.map(({ signature }) => signature).join(', '),
    },
  }
}
