import { component, createSignatureSync } from 'http-message-sig'
import type { Fetched } from '../../../../shared/web/http/fetched.ts'
import { createJwk, publicJwk, signingKey, thumbprintOf } from '../../jwk.ts'
import { descriptorOf } from '../../message.ts'

/** An agent that signs by Web Bot Auth, and the directory of its operator. */
export function makeSigner(origin: string) {
  const jwk = createJwk('EdDSA')
  const kid = thumbprintOf({ ...jwk })
  const key = signingKey(kid, jwk)
  let nonces = 0

  /** The headers of a signed request, with those that are given. */
  function sign(
    {
      method,
      url,
      headers = {},
    }: { method: string; url: string; headers?: Record<string, string> },
    at: Date,
    change: { nonce?: string; components?: string[] } = {},
  ): Record<string, string> {
    nonces += 1
    const sent = { ...headers, 'signature-agent': `sig1="${origin}"` }
    const created = Math.floor(at.getTime() / 1000)
    const { signature, signatureInput } = createSignatureSync(
      descriptorOf({ method, url, headers: new Headers(sent), body: new Uint8Array() }),
      {
        label: 'sig1',
        components: [
          ...['@method', '@authority', '@path', ...(change.components ?? [])],
          component('signature-agent', { key: 'sig1' }),
        ],
        parameters: {
          ...{ created, expires: created + 60, keyid: kid, tag: 'web-bot-auth' },
          nonce: change.nonce ?? `n${nonces}`,
        },
        signer: key,
      },
    )
    return { ...sent, 'signature-input': signatureInput, signature }
  }

  const directory = JSON.stringify({ keys: [publicJwk(kid, jwk)] })
  /** What directories answer: its own, and no other. */
  const readKeys = async (url: string): Promise<Fetched> => ({
    ...{ kind: 'answer', method: 'GET', url, final_url: url, redirects: [], headers: {} },
    status: url === `${origin}/.well-known/http-message-signatures-directory` ? 200 : 404,
    ...{ body: directory, truncated: false, ms: 1 },
  })
  return { sign, readKeys, kid, key, jwk, directory }
}
