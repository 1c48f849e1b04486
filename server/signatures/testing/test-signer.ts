import { createJwk, publicJwk, signingKey, thumbprintOf } from '../jwk.ts'
import { type Signer, signRequest } from '../signer.ts'

const made = (alg: 'ES256' | 'EdDSA') => {
  const jwk = createJwk(alg)
  const kid = thumbprintOf({ ...jwk })
  return { published: publicJwk(kid, jwk), key: async () => signingKey(kid, jwk) }
}

const [web, ucp] = [made('EdDSA'), made('ES256')]

/** What the profile of the signer publishes. */
export const TEST_KEYS = [ucp.published, web.published]

/** Signs as the service does, by keys that stay the same in one test file. */
export const TEST_SIGNER: Signer = {
  origin: 'https://aisle.example',
  sign: (request) =>
    signRequest(request, {
      origin: TEST_SIGNER.origin,
      keys: { web: web.key, ucp: ucp.key },
      now: new Date(),
    }),
}
