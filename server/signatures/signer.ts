import type { Db } from '../db/connect.ts'
import type { SigningKey } from './jwk.ts'
import { type RequestMessage, signMessage } from './message.ts'
import type { ServiceKeys } from './service-keys.ts'
import { webBotAuthHeaders } from './web-bot-auth.ts'

/** Signs the requests that go out in our own name. */
export interface Signer {
  /** Where our keys are published: `https://aisle.example`. */
  origin: string
  /** The headers that sign a request; none while there is no key to sign with. */
  sign: (request: RequestMessage) => Promise<Record<string, string>>
}

/** Whether stores can read keys there: the draft and UCP both demand https. */
const isPublished = (baseUrl: string): boolean => baseUrl.startsWith('https://')

/**
 * The service's own signer, by the keys in its database, once `use` has named it. Null where stores
 * could not read the keys, since what cannot be verified only adds doubt.
 */
export function createSigner(
  baseUrl: string,
  now: () => Date,
): (Signer & { use: (db: Db, keys: ServiceKeys) => void }) | null {
  if (!isPublished(baseUrl)) return null
  const origin = new URL(baseUrl).origin
  let keys: SigningKeys | null = null
  return {
    origin,
    use(db, { web, ucp }) {
      keys = { web: web.reader(db, now), ucp: ucp.reader(db, now) }
    },
    // Unspecified: while no key can be read a request goes out unsigned, as that of most agents.
    sign: async (request) =>
      keys === null ? {} : signRequest(request, { origin, keys, now: now() }).catch(() => ({})),
  }
}

/** Reads the key that signs now. */
export type SigningKeys = Record<'web' | 'ucp', () => Promise<SigningKey>>

/**
 * The headers that sign a request by Web Bot Auth. A request that names our profile is signed by
 * UCP's rules too, with another key: UCP's verifiers need not know Ed25519.
 */
export async function signRequest(
  request: RequestMessage,
  { origin, keys, now }: { origin: string; keys: SigningKeys; now: Date },
): Promise<Record<string, string>> {
  const web = webBotAuthHeaders(request, { key: await keys.web(), origin, now })
  if (!request.headers.get('ucp-agent')?.includes(`profile="${origin}/`)) return web
  const { 'signature-input': input, signature, 'signature-agent': agent = '' } = web
  const headers = new Headers([...request.headers, ['signature-agent', agent]])
  const ucp = signMessage({ ...request, headers }, await keys.ucp(), now)
  return {
    'signature-agent': agent,
    ...ucp,
    // RFC 9421, 4.3: signatures of several kinds are members of one dictionary.
    'signature-input': `${ucp['signature-input']}, ${input}`,
    signature: `${ucp.signature}, ${signature}`,
  }
}
