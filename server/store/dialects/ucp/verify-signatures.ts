import type { MiddlewareHandler } from 'hono'
import { idOf } from '../../../http/mcp-post.ts'
import { KEPT_MS } from '../../checkout/idempotency.ts'
import type { Reply } from '../../http/reply.ts'
import { type Env, send } from '../../http/routing.ts'
import type { StoreRequest } from '../../http/store-request.ts'
import type { Jwk } from '../../signatures/jwk.ts'
import {
  SIGNATURE_ERRORS,
  type SignatureErrorName,
  verifyMessage,
} from '../../signatures/verify.ts'
import { refused } from '../mcp/refused.ts'
import { refuse } from '../refuse.ts'
import { faultData } from './envelope.ts'
import { readAgentHeader } from './negotiation/ucp-agent.ts'
import { OFFICIAL_PATHS } from './paths.ts'

/** The keys of an agent's profile; null when it cannot be read. */
export type ReadAgentKeys = (profileUrl: string) => Promise<readonly Jwk[] | null>

/**
 * Verifies a request that is signed by the keys of the profile in its `UCP-Agent`, over REST and MCP.
 * One that is not signed passes. `c.var.signedBy` says whose signature held: it speaks for that
 * profile alone, which may not be the one that the body of an MCP call names.
 */
export const verifySignatures =
  (readKeys: ReadAgentKeys, now: () => Date): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { method, url, raw } = c.req
    const { request } = c.var
    if (!request.official) return next()
    const profile = profileUrlOf(raw.headers.get('ucp-agent'))
    const message = {
      method,
      // Agents reach the store through its proxy, by TLS: `@scheme` and the port are those of https.
      url: url.replace(/^http:/, 'https:'),
      headers: raw.headers,
      body: isSigned(raw.headers) ? new Uint8Array(await c.req.arrayBuffer()) : new Uint8Array(),
    }
    const verdict = await verifyMessage(message, {
      now: now(),
      // Unspecified: signatures are taken as long as answers under idempotency keys are kept. A request
      // that is sent again by somebody else meets its answer, and later is too old.
      maxAgeMs: KEPT_MS,
      keys: async () => (profile === null ? [] : readKeys(profile)),
    })
    if (verdict.outcome === 'refused') {
      return send(await refusal(request, verdict.code, verdict.content, () => c.req.text()))
    }
    if (verdict.outcome === 'signed' && profile !== null) {
      c.set('signedBy', { profile, kid: verdict.kid })
    }
    return next()
  }

const isSigned = (headers: Headers) => headers.has('signature') || headers.has('signature-input')

function profileUrlOf(header: string | null): string | null {
  const read = readAgentHeader(header)
  return 'agent' in read ? read.agent.profileUrl : null
}

/** The codes of JSON-RPC that go with an HTTP status; 424 is an error of the profile. */
const RPC_CODES = { 400: -32600, 401: -32000, 424: -32001 }

/** In the form of the transport. */
async function refusal(
  request: StoreRequest,
  code: SignatureErrorName,
  content: string,
  readBody: () => Promise<string>,
): Promise<Reply> {
  const status = SIGNATURE_ERRORS[code]
  if (request.path !== OFFICIAL_PATHS.mcp) return refuse(request, status, code, content)
  return refused(idOf(parsed(await readBody())), {
    status,
    code: RPC_CODES[status],
    message: content,
    data: faultData(request, { code, content }),
  })
}

/** Undefined: it is no JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
