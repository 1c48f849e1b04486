import { mcpBody } from '../../../shared/protocols/mcp-answer.ts'
import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import type { BuyerOperation, DialectCall, Opening } from '../../../shared/walk/operation.ts'
import type { Performed } from '../../../shared/walk/purchase/deps.ts'
import { isEnded, isOver, saysEnded, type WalkReply } from '../../../shared/walk/session.ts'
import type { Exchange } from '../../../shared/walk/transcript.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import { jsonOf } from '../../../shared/web/http/presence.ts'
import { retryAfterMs } from '../../../shared/web/http/retry-after.ts'
import { field, isRecord } from '../../../shared/web/json/json.ts'
import type { Jwk } from '../../signatures/jwk.ts'
import { judgeAuthorization } from '../../signatures/mandates/merchant-authorization.ts'
import { BODY_CAPS } from '../probe/fetch/request.ts'
import type { OpenedMcp } from '../probe/mcp.ts'
import { type AuditSession, notAsked, requestJson } from '../probe/session.ts'
import { unsignedSession } from '../probe/signed-or-not.ts'
import type { Ledger } from './ledger.ts'
import type { RouteAddress } from './route-address.ts'

/** The most requests of one purchase, for any answers of the store. */
export const MOST_REQUESTS = 60

/** How often a store that asks us to wait is retried, and the longest wait. */
const RETRIES = 2
const MAX_WAIT_MS = 10_000
const DEFAULT_WAIT_MS = 1000

/** How many milliseconds after sending a connection is dropped on purpose. */
const LOSE_MS = 40

/** The connection to one dialect of one store. */
export interface SpokenLine {
  dialect: WalkDialect
  /** Records its requests. */
  session: AuditSession
  /** The recordings since the last call, masked. */
  taken: () => Exchange[]
  /** Called when the store refuses what is signed, and lets in what is not. */
  onRefusedSigned: () => void
  /** The store's MCP service, if the dialect runs over it. */
  mcp: OpenedMcp | null
  /** The keys of the store's profile, where it is asked to sign its checkouts. */
  storeKeys?: readonly Jwk[]
  /** A recorded session that can be closed in the middle of a request. */
  brittle: () => { session: AuditSession; close: () => Promise<void> }
  pause: (ms: number) => Promise<unknown>
}

/** The ledger of open sessions. */
interface Bookkeeping {
  ledger: Ledger
  walk: string
  domain: string
  route: RouteAddress
  now: () => Date
}

/** The requests of one purchase, each operation noted in the ledger before and after. */
export function createPerformer(
  line: SpokenLine,
  books: Bookkeeping,
): (operation: BuyerOperation, how?: { lose?: boolean }) => Promise<Performed> {
  let requests = 0
  let openings = 0
  let isCompared = false
  let token: string | null = null
  /** The ledger's key of a session. */
  const keys = new Map<string, string>()

  return async (operation, { lose = false } = {}) => {
    const call = line.dialect.call(operation)
    if (call === null) {
      const why = `${line.dialect.label} has no such call`
      return { exchanges: [], reply: { is: 'silent', why } }
    }
    if (requests >= MOST_REQUESTS) {
      const why = `a store is asked at most ${MOST_REQUESTS} times for one purchase`
      return { exchanges: [], reply: { is: 'silent', why } }
    }
    let key: string | null = null
    // A cart holds nothing back from others, and ends by itself.
    if (operation.op === 'open' && !operation.dryRun && operation.at === undefined) {
      openings += 1
      key = openings === 1 ? operation.key : `${operation.key}#${openings}`
      await note(books, key, operation)
    }
    let seen = lose ? await loseAnswer(line, call) : await sendPatiently(line, call)
    let reply = line.dialect.read(operation, seen)
    if (!lose && !isCompared && line.session.signedAs() !== null && isTurnedAway(reply)) {
      isCompared = true
      const alone = requestsAlone(line.mcp, call)
      const unsigned = await sendCall(unsignedSession(line.session), null, alone)
      const without = line.dialect.read(operation, unsigned)
      if (unsigned.fetched.kind === 'answer' && !isTurnedAway(without)) {
        line.session.stopSigning()
        line.onRefusedSigned()
        seen = unsigned
        reply = without
      }
    }
    if (operation.op === 'complete') token = operation.payment.token
    const exchanges = line.taken()
    requests += exchanges.length
    const { ledger } = books
    await keepBooks(operation, reply, { key, keys, ledger, can: line.dialect.can })
    const echo = token === null ? null : echoIn(token, jsonOf(seen))
    const signature = await signatureOf(line, reply, seen)
    return { exchanges, reply, echo, ...(signature && { signature }) }
  }
}

/** Whether a store signed the checkout that it shows; null where it need not. */
async function signatureOf(
  { dialect, storeKeys }: SpokenLine,
  reply: WalkReply,
  seen: JsonSeen,
): Promise<'valid' | 'missing' | 'invalid' | null> {
  if (storeKeys === undefined || reply.is !== 'session') return null
  const read = dialect.name === 'ucp_mcp' ? mcpBody(seen) : { body: jsonOf(seen) }
  const body = 'body' in read ? read.body : null
  if (!isRecord(body)) return null
  const agreed = field(body.ucp, 'capabilities')
  const isAgreed = isRecord(agreed) && Object.keys(agreed).some((name) => name.endsWith(MANDATE))
  if (!isAgreed) return null
  const verdict = await judgeAuthorization(body, storeKeys)
  return verdict === 'valid' ? verdict : verdict === MISSING ? 'missing' : 'invalid'
}

/** How the names of AP2's mandates end in all versions. */
const MANDATE = '.ap2_mandate'
const MISSING = 'merchant_authorization_missing'

/** Whether a store turns the caller away, independent of what is asked. */
export const isTurnedAway = (reply: WalkReply): boolean =>
  reply.is === 'refused' && reply.refusal.reason === 'caller'

/** What JSON-RPC and MCP put around a payload. */
const WRAPPED = /^result\.(?:structuredContent\.)?/

/** The place of a secret in an answer, as a dotted path; null where it is not. */
function echoIn(secret: string, value: unknown, path = ''): string | null {
  if (typeof value === 'string') {
    // A tool may say all of it as a text.
    const isText = value.startsWith('{') && value.includes(JSON.stringify(secret))
    return value === secret || isText ? path.replace(WRAPPED, '') : null
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const place = echoIn(secret, inner, at)
    if (place !== null) return place
  }
  return null
}

const note = (
  { ledger, walk, domain, route, now }: Bookkeeping,
  key: string,
  opening: Opening,
): Promise<void> =>
  ledger.opening({
    walk,
    domain,
    key,
    opening,
    route,
    session: null,
    since: now().toISOString(),
  })

interface Kept {
  /** The ledger key of this opening. */
  key: string | null
  /** The ledger's keys by session. */
  keys: Map<string, string>
  ledger: Ledger
  can: WalkDialect['can']
}

async function keepBooks(
  operation: BuyerOperation,
  reply: WalkReply,
  { key, keys, ledger, can }: Kept,
): Promise<void> {
  if (key !== null) {
    const id = reply.is === 'session' ? reply.session.id : null
    // An unanswered or failed opening may still have opened a session.
    const isRefused = reply.is === 'refused' && reply.refusal.reason !== 'failed'
    if (isRefused || (reply.is === 'session' && isOver(reply.session.phase))) {
      await ledger.closed(key)
    } else if (id !== null) {
      const known = keys.get(id)
      // The same session again: one note is enough.
      if (known !== undefined && known !== key) await ledger.closed(key)
      else {
        keys.set(id, key)
        await ledger.opened(key, id)
      }
    }
    return
  }
  if (!['cancel', 'complete', 'read'].includes(operation.op) || !('id' in operation)) return
  const noted = keys.get(operation.id)
  if (noted === undefined) return
  // A missing endpoint gives the same answer as a missing session; the walk reads the session next.
  if (operation.op !== 'read' && saysEnded(reply) && can.read) return
  if (isEnded(reply)) await ledger.closed(noted)
}

/** Sends a call, and retries if the store asks for a wait and states its length. */
async function sendPatiently(line: SpokenLine, call: DialectCall): Promise<JsonSeen> {
  for (let attempt = 0; ; attempt += 1) {
    const seen = await sendCall(line.session, line.mcp, call)
    const wait = waitOf(seen)
    if (wait === null || attempt >= RETRIES || wait > MAX_WAIT_MS) return seen
    await line.pause(wait)
  }
}

/** Milliseconds to wait before the same call may be sent again; null if it should not be. */
function waitOf({ fetched }: JsonSeen): number | null {
  if (fetched.kind !== 'answer') return null
  const { status, headers } = fetched
  const isBusy = status === 429 || (status === 503 && headers['retry-after'] !== undefined)
  return isBusy ? (retryAfterMs(headers) ?? DEFAULT_WAIT_MS) : null
}

/** Sends one call over its transport. */
export function sendCall(
  session: AuditSession,
  mcp: OpenedMcp | null,
  call: DialectCall,
): Promise<JsonSeen> {
  if (call.over === 'http') {
    const { method, url, headers, json } = call
    return requestJson(session, {
      method,
      url,
      headers,
      ...(json !== undefined && { json }),
      maxBytes: BODY_CAPS.page,
    })
  }
  if (mcp === null) return Promise.resolve(notAsked('the store offers no MCP service'))
  return mcp.ask('tools/call', paramsOf(mcp, call))
}

type ToolCall = Extract<DialectCall, { over: 'mcp' }>

const paramsOf = ({ profile }: OpenedMcp, { tool, args, key }: ToolCall) => ({
  name: tool,
  arguments: {
    meta: { 'ucp-agent': { profile }, ...(key !== undefined && { 'idempotency-key': key }) },
    ...args,
  },
})

/** The request is sent and its connection dropped, so that the answer is never read. */
async function loseAnswer(line: SpokenLine, call: DialectCall): Promise<JsonSeen> {
  if (call.over === 'mcp' && line.mcp === null) return sendCall(line.session, null, call)
  const { session, close } = line.brittle()
  const single = requestsAlone(line.mcp, call)
  const asked = sendCall(session, null, single)
  await line.pause(LOSE_MS)
  await close()
  await asked
  return notAsked('the connection was dropped before the answer could be read')
}

/** A call as one request, that of a tool too. */
export const requestsAlone = (mcp: OpenedMcp | null, call: DialectCall): DialectCall =>
  call.over === 'mcp' && mcp !== null ? overHttp(mcp, call) : call

const overHttp = (mcp: OpenedMcp, call: ToolCall): DialectCall => ({
  over: 'http',
  method: 'POST',
  url: mcp.seen.endpoint ?? '',
  headers: mcp.headers,
  json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: paramsOf(mcp, call) },
})
