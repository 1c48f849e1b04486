import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { ap2MandateIn } from '../../../../shared/protocols/ucp/names.ts'
import { UCP, type UcpVersion } from '../../../../shared/protocols/ucp/versions.ts'
import { field, isRecord, storableText } from '../../../../shared/web/json/json.ts'
import { blockOf, clientAddress, type TrustedProxies } from '../../../http/client-address.ts'
import { INTERNAL_ERROR } from '../../../http/mcp-post.ts'
import type { Directories } from '../../../signatures/agents/directories.ts'
import type { SigningKey } from '../../../signatures/jwk.ts'
import { signMessage } from '../../../signatures/message.ts'
import { OpaqueId } from '../../checkout/caller.ts'
import type { StoreDeps } from '../../checkout/deps.ts'
import {
  CANONICAL_FORM,
  type Env,
  hasCanonicalForm,
  NOT_JSON,
  readJsonBody,
  send,
} from '../../http/routing.ts'
import {
  applyFaults,
  CALL_FAILURES,
  type JsonObject,
  json,
  type Reply,
  type StoreRequest,
} from '../../http/store-request.ts'
import { hasOrders } from '../../orders/orders.ts'
import { invalidParams } from '../mcp/transport.ts'
import { type MountedDialect, mount, type ReadCall } from '../mount.ts'
import { notFound, refuse } from '../refuse.ts'
import {
  faultData,
  protocolError,
  protocolErrorBody,
  SERVER_ERROR,
  toRpc,
  type UcpResult,
} from './envelope.ts'
import { authorized } from './mandates.ts'
import { type KeyedCall, platformOf, type UcpCaller } from './negotiation/caller.ts'
import { type Negotiated, negotiate, readAgent, readAgentHeader } from './negotiation/negotiate.ts'
import {
  type Capabilities,
  keysOfPlatforms,
  type ProfileReader,
} from './negotiation/platform-profiles.ts'
import { verifySignatures } from './negotiation/verify-signatures.ts'
import { OPERATIONS, type Operation, type OperationName } from './operations.ts'
import { OFFICIAL_PATHS } from './paths.ts'
import { capabilitiesOf } from './profile/profile.ts'

interface UcpDeps extends Pick<UcpCaller, 'deps' | 'count' | 'platforms' | 'trustsProfiles'> {
  /** The key directories of agents. */
  directories: Directories
  /** The proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: TrustedProxies
}

/** The services of the official profile. */
export function routeUcp(app: Hono<Env>, options: UcpDeps): void {
  const { trustedProxies, directories, ...rest } = options
  const { deps, platforms } = rest
  const readKeys = keysOfPlatforms(platforms)
  const verify = verifySignatures(
    {
      ofProfile: (profileUrl, c) => readKeys(profileUrl, readerOf(callerOf(c), profileUrl)),
      ofDirectory: (url, c, missing) =>
        directories.keysAt(url, readerOf(callerOf(c), url).network(), missing),
    },
    deps.now,
  )
  for (const path of [`${OFFICIAL_PATHS.rest}/*`, OFFICIAL_PATHS.mcp]) {
    app.use(path, onlyOfficial, (c, next) => (isSigned(c) ? verify(c, next) : next()))
  }
  const signingKey = deps.signingKeys.reader(deps.db, deps.now)
  const callerOf = (c: Context<Env>): UcpCaller => {
    const { request, signedBy } = c.var
    const address = () => clientAddress(c, trustedProxies)
    const { profile = null, nonce = null } = signedBy ?? {}
    return { ...rest, request, signedBy: profile, nonce, address, signingKey }
  }
  mount(app, deps.db, ucp(callerOf, signingKey, signerOf(deps, signingKey)))
}

/** Who makes us read the profile that a call names. */
function readerOf({ deps, signedBy, address }: UcpCaller, profileUrl: string): ProfileReader {
  return {
    network: () => {
      const from = address()
      return from === null ? null : blockOf(from)
    },
    hasSigned: signedBy === profileUrl,
    hasBought: () => hasOrders(deps.db, platformOf(profileUrl)),
  }
}

/** An unsigned call passes: an operation that needs a signature refuses it. */
const isSigned = ({ req: { raw } }: Context<Env>): boolean =>
  raw.headers.has('signature') || raw.headers.has('signature-input')

const onlyOfficial: MiddlewareHandler<Env> = async ({ var: { request } }, next) =>
  request.official ? next() : send(notFound(request))

const SESSIONS = `${OFFICIAL_PATHS.rest}/checkout-sessions`
const CARTS = `${OFFICIAL_PATHS.rest}/carts`
const CATALOG = `${OFFICIAL_PATHS.rest}/catalog`

const ucp = (
  callerOf: (c: Context<Env>) => UcpCaller,
  signingKey: () => Promise<SigningKey>,
  sign: (reply: Reply) => Promise<Reply>,
): MountedDialect<OperationName, UcpResult> => ({
  place: 'ucpCall',
  rest: {
    [SESSIONS]: { POST: 'create_checkout' },
    [`${SESSIONS}/:id`]: { GET: 'get_checkout', PUT: 'update_checkout' },
    [`${SESSIONS}/:id/complete`]: { POST: 'complete_checkout' },
    [`${SESSIONS}/:id/cancel`]: { POST: 'cancel_checkout' },
    [CARTS]: { POST: 'create_cart' },
    [`${CARTS}/:id`]: { GET: 'get_cart', PUT: 'update_cart' },
    [`${CARTS}/:id/cancel`]: { POST: 'cancel_cart' },
    [`${OFFICIAL_PATHS.rest}/orders/:id`]: { GET: 'get_order' },
    [`${CATALOG}/search`]: { POST: 'search_catalog' },
    [`${CATALOG}/lookup`]: { POST: 'lookup_catalog' },
    [`${CATALOG}/product`]: { POST: 'get_product' },
  },
  read: (c, name) => readRest(c, name, callerOf(c)),
  reply: ({ var: { request } }, answer, name) => {
    const reply = replyOf(request, answer)
    return name === 'complete_checkout' && !answer.fault ? sign(reply) : reply
  },
  otherMethod: ({ var: { request }, req }, methods) => {
    const allow = [...methods, 'OPTIONS'].join(', ')
    if (req.method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' }
    const refusal = refuse(request, 405, 'method_not_allowed', `Use one of ${allow}.`)
    return { ...refusal, headers: { ...refusal.headers, allow } }
  },
  change: async (request, operation, answer) => {
    if (answer.fault) return answer
    const { body } = answer
    const changed = applyFaults(request, 'ucpAnswer', { operation, body }).body
    // A shop that is wrong in something else signs what it sends.
    const isUnsigned = changed !== body && changed.ap2 !== undefined && changed.ap2 === body.ap2
    const signed = isUnsigned ? authorized(changed, await signingKey()) : changed
    return { ...answer, body: signed }
  },
  mcp: {
    path: OFFICIAL_PATHS.mcp,
    tools: TOOLS,
    read: (c, name, given) => readTool(name, given, callerOf(c)),
    // Answers with REST's body; a protocol error is a JSON-RPC error here.
    toTool: ({ var: { request } }, { status, fault, body }) => {
      if (fault === undefined) return { result: body }
      const { rpcCode } = fault
      return rpcCode === undefined
        ? invalidParams(fault.content, faultData(request, fault))
        : { refusal: toRpc(request, { ...fault, status, rpcCode }) }
    },
  },
})

const TOOLS = Object.entries<Operation>(OPERATIONS).map(([name, { description, input }]) => ({
  // `Object.entries` forgets the names.
  name: name as OperationName,
  description,
  input,
}))

/** What the store can do in each version that it sells in. */
const CAPABILITIES: ReadonlyMap<UcpVersion, Capabilities> = new Map(
  UCP.served.map((version) => [version, capabilitiesOf(version, { hasMandates: true })]),
)

/** The call of a platform with which a version was agreed on; or why there is none. */
async function callOf(
  name: OperationName,
  caller: UcpCaller,
  agent: ReturnType<typeof readAgent>,
  keyed: KeyedCall | null,
  given: JsonObject | null,
): Promise<ReadCall<UcpResult> | { answer: UcpResult }> {
  const outcome =
    'refusal' in agent
      ? agent
      : await negotiate(
          caller.platforms,
          agent.agent,
          CAPABILITIES,
          readerOf(caller, agent.agent.profileUrl),
        )
  if ('refusal' in outcome) {
    const { status, code, content, ...more } = outcome.refusal
    return { answer: protocolError(status, code, content, more) }
  }
  const isCheckout = name.endsWith('_checkout')
  const signer = isCheckout ? await caller.signingKey().catch(() => null) : null
  const negotiated = signer ? outcome.negotiated : withoutMandates(outcome.negotiated)
  const { version } = negotiated
  const said = (result: UcpResult): UcpResult =>
    result.fault ? { ...result, fault: { ...result.fault, version } } : result
  if (given === null) return { answer: said(protocolError(400, 'invalid_request', NOT_JSON)) }
  return {
    id: typeof given.id === 'string' ? given.id : '',
    given,
    isKeyed: keyed !== null,
    run: async ({ id, given, isKeyed }) =>
      said(
        await OPERATIONS[name].call(
          { ...caller, negotiated, signer, keyed: isKeyed ? keyed : null },
          id === '' ? given : { ...given, id },
        ),
      ),
    fail: (failure) => {
      const { status, message } = CALL_FAILURES[failure]
      const rpcCode = failure === 'internal_error' ? INTERNAL_ERROR : SERVER_ERROR
      return said(protocolError(status, failure, message, { rpcCode }))
    },
  }
}

/** Mandates are about checkouts, and need a key that signs them. */
const withoutMandates = (negotiated: Negotiated): Negotiated => {
  const { version, capabilities } = negotiated
  const mandate = ap2MandateIn(version)
  const others = [...capabilities].filter((name) => name !== mandate)
  return { ...negotiated, capabilities: new Set(others) }
}

/** Only the hash of a key is used from here on: a key may be anything, even a card number. */
const keyedCall = (key: string, asked: string): KeyedCall => ({
  key: hash('sha256', key),
  fingerprint: hash('sha256', asked),
})

/** Over REST the body is the argument that the operation has besides an id. */
async function readRest(c: Context<Env>, name: OperationName, caller: UcpCaller) {
  const text = await c.req.text()
  const body = await readJsonBody(c)
  const id = c.req.param('id')
  // Unspecified: an empty Idempotency-Key counts as absent, as in the other dialects.
  const key = c.req.header('idempotency-key') || null
  if (key !== null && !OpaqueId.safeParse(key).success) {
    const content = 'The header Idempotency-Key may have at most 255 characters.'
    return { answer: protocolError(400, 'invalid_request', content) }
  }
  const [, subject = ''] = name.split('_')
  const given = {
    id: id === undefined ? undefined : storableText(id),
    [subject === 'product' ? 'catalog' : subject]: body,
  }
  return callOf(
    name,
    caller,
    readAgentHeader(c.req.header('ucp-agent') ?? null),
    // Two calls with one key are the same if their bytes are.
    key === null ? null : keyedCall(key, text),
    text !== '' && body === undefined ? null : given,
  )
}

async function readTool(name: OperationName, given: JsonObject, caller: UcpCaller) {
  const complaint = argumentsFault(given, OPERATIONS[name])
  if (complaint !== null) return { answer: protocolError(400, 'invalid_request', complaint) }
  const { meta, ...rest } = given
  const key = field(meta, 'idempotency-key')
  // A retry has another JSON-RPC id and other meta, so only the tool and its arguments count.
  const asked = () => canonicalize({ name, given: rest }) ?? ''
  return callOf(
    name,
    caller,
    readAgent(field(field(meta, 'ucp-agent'), 'profile')),
    typeof key === 'string' ? keyedCall(key, asked()) : null,
    given,
  )
}

function replyOf(request: StoreRequest, { status, replayed, fault, body }: UcpResult): Reply {
  return json(fault ? protocolErrorBody(request, fault) : body, {
    status,
    headers: {
      'cache-control': 'no-store',
      ...(replayed && { 'idempotent-replayed': 'true' }),
      ...(fault?.retryAfter !== undefined && { 'retry-after': String(fault.retryAfter) }),
    },
  })
}

/** UCP recommends signing answers about a payment (signatures.md, Response Signing). */
function signerOf(
  { now }: StoreDeps,
  signingKey: () => Promise<SigningKey>,
): (reply: Reply) => Promise<Reply> {
  return async (reply) => {
    const { status, headers, body } = reply
    const message = { status, headers: new Headers(headers), body: Buffer.from(body) }
    const signature = signMessage(message, await signingKey(), now())
    return { ...reply, headers: { ...headers, ...signature } }
  }
}

/** What only the MCP binding demands of the arguments; null: nothing is wrong. */
function argumentsFault(given: JsonObject, { needsKey, input }: Operation): string | null {
  const { meta, checkout, cart } = given
  if (!hasCanonicalForm(given)) return CANONICAL_FORM
  if (!isRecord(meta)) {
    return 'Send meta["ucp-agent"].profile: the https URL of your UCP profile.'
  }
  const key = meta['idempotency-key']
  if ((needsKey || key !== undefined) && !OpaqueId.safeParse(key).success) {
    return 'Send meta["idempotency-key"]: a new string of 1 to 255 characters for each operation.'
  }
  const holder = isRecord(checkout) && 'id' in checkout ? 'checkout' : 'cart'
  const isInside = [checkout, cart].some((each) => isRecord(each) && 'id' in each)
  if (!isInside) return null
  return 'id' in input.shape
    ? `Send id next to ${holder}, not inside it.`
    : `Leave id out of ${holder}: the store gives the new ${holder} its own.`
}
