import type { Context, MiddlewareHandler } from 'hono'
import { idOf } from '../../../../http/mcp-post.ts'
import {
  type KeysAt,
  type VerifyAgentOptions,
  verifyAgent,
} from '../../../../signatures/agents/verify-agent.ts'
import { componentsToCover, type RequestMessage } from '../../../../signatures/message.ts'
import {
  SIGNATURE_ERRORS,
  type SignatureErrorName,
  verifyMessage,
} from '../../../../signatures/verify.ts'
import { KEPT_MS } from '../../../checkout/idempotency.ts'
import { type Env, send } from '../../../http/routing.ts'
import type { Reply, StoreRequest } from '../../../http/store-request.ts'
import { refused } from '../../mcp/refused.ts'
import { refuse } from '../../refuse.ts'
import { type RpcRefusal, toRpc } from '../envelope.ts'
import { OFFICIAL_PATHS } from '../paths.ts'
import { readAgentHeader } from './negotiate.ts'
import type { FoundKeys, NegotiationRefusal } from './platform-profiles.ts'

/** Reads the keys of an agent, for a request. */
interface AgentKeys {
  ofProfile: (profileUrl: string, c: Context<Env>) => Promise<FoundKeys>
  /** Those of a directory (Web Bot Auth). */
  ofDirectory: (url: string, c: Context<Env>, missing?: string) => Promise<KeysAt>
}

/**
 * Verifies a signed request by the keys of the profile in its `UCP-Agent`, over REST and
 * MCP. `c.var.signedBy` is the profile whose signature is valid: it speaks
 * for that profile only, which may not be the one in the body of an MCP call.
 */
export const verifySignatures =
  (keysOf: AgentKeys, now: () => Date): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { method, url, raw } = c.req
    const { request } = c.var
    const agent = readAgentHeader(raw.headers.get('ucp-agent'))
    const unread: { refusal?: NegotiationRefusal } = {}
    const keys = async () => {
      const found = 'refusal' in agent ? agent : await keysOf.ofProfile(agent.agent.profileUrl, c)
      if ('keys' in found) return found.keys
      unread.refusal = found.refusal
      return null
    }
    const message = {
      method,
      // Agents reach the store through its proxy, by TLS: `@scheme` and the port are those of
      // https.
      url: url.replace(/^http:/, 'https:'),
      headers: raw.headers,
      body: new Uint8Array(await c.req.arrayBuffer()),
    }
    const verdict = await verifyMessage(message, {
      now: now(),
      // Unspecified: signatures are valid as long as answers under idempotency keys are stored. A
      // replayed request gets its stored answer, and later its signature is too old.
      maxAgeMs: KEPT_MS,
      keys,
    })
    const isNewKey = verdict.outcome === 'refused' && verdict.code === 'key_not_found'
    if (isNewKey && 'agent' in agent) {
      const { profileUrl } = agent.agent
      const signed = await signedByOrigin(message, profileUrl, {
        now: now(),
        keysAt: (url, missing) => keysOf.ofDirectory(url, c, missing),
      })
      if (signed !== null) {
        c.set('signedBy', { profile: profileUrl, ...signed })
        return next()
      }
    }
    if (verdict.outcome === 'refused') {
      const refusal = unread.refusal ?? signatureRefusal(verdict)
      return send(await refusalReply(request, refusal, () => c.req.text()))
    }
    if (verdict.outcome === 'signed' && 'agent' in agent) {
      const { kid, nonce } = verdict
      const profile = agent.agent.profileUrl
      c.set('signedBy', { profile, kid, ...(nonce !== undefined && { nonce }) })
    }
    return next()
  }

// Unspecified: an agent may keep its key in the directory of Web Bot Auth instead of its profile.
// Who publishes a directory speaks for the whole origin, and so for a profile there. The signature
// covers what UCP demands, or it would open other requests as well.
/** The key that signed for the origin of a profile; null if none did. */
async function signedByOrigin(
  message: RequestMessage,
  profileUrl: string,
  options: VerifyAgentOptions,
): Promise<{ kid: string; nonce?: string } | null> {
  const verdict = await verifyAgent(message, options)
  if (verdict.outcome !== 'verified' || verdict.scheme !== 'web_bot_auth') return null
  const { signer, covered, kid, nonce } = verdict
  const isOfProfile = signer === URL.parse(profileUrl)?.origin
  const coversAll = componentsToCover(message).every((name) => covered.has(name))
  return isOfProfile && coversAll ? { kid, ...(nonce !== undefined && { nonce }) } : null
}

/** JSON-RPC's codes for HTTP statuses; 424 is an error of the profile. */
const RPC_CODES = { 400: -32600, 401: -32000, 424: -32001 }

function signatureRefusal({ code, content }: { code: SignatureErrorName; content: string }) {
  const status = SIGNATURE_ERRORS[code]
  return { status, rpcCode: RPC_CODES[status], code, content }
}

/** A refusal in the form of the transport: REST's, or JSON-RPC's. */
async function refusalReply(
  request: StoreRequest,
  refusal: RpcRefusal,
  readBody: () => Promise<string>,
): Promise<Reply> {
  if (request.path === OFFICIAL_PATHS.mcp) {
    return refused(idOf(parsed(await readBody())), toRpc(request, refusal))
  }
  const { status, code, content, retryAfter } = refusal
  const reply = refuse(request, status, code, content)
  return retryAfter === undefined
    ? reply
    : { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } }
}

/** Undefined: it is not JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
