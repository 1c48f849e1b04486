import { spokenProfile } from '../../../shared/audit/checks/official-profile/official-rule.ts'
import type { ManifestSeen, McpSeen, UcpSeen } from '../../../shared/audit/evidence.ts'
import { agentProfileUrl } from '../../../shared/manifest/ucp/agent-profile.ts'
import {
  handsOver,
  isOfficial,
  type ProfileInspection,
} from '../../../shared/manifest/ucp/profile.ts'
import { toolNames } from '../../../shared/protocols/mcp-answer.ts'
import { UCP_REST_PATHS, UCP_TOOLS } from '../../../shared/protocols/ucp/operations.ts'
import { SHOPPING, UCP } from '../../../shared/protocols/ucp/versions.ts'
import { requestIdOf } from '../../../shared/walk/dialects/request-id.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import { jsonOf } from '../../../shared/web/http/presence.ts'
import { field } from '../../../shared/web/json/json.ts'
import { BODY_CAPS, type FetchRequest } from './fetch/request.ts'
import { callTool, type OpenedMcp, openMcp } from './mcp.ts'
import { type AuditSession, requestJson } from './session.ts'
import { alsoUnsigned, unsignedSession } from './signed-or-not.ts'
import { probeSupportedVersions } from './supported-versions.ts'

/** An id that no store has. */
const UNKNOWN_SESSION = 'aisle-unknown-session'

/**
 * A checkout that cannot be made: its one line is of the wrong type. An empty list, and a value
 * that is not a list, are an empty basket to lenient servers, and so is a list of nulls to those
 * that drop them.
 */
const INVALID_CHECKOUT = { line_items: [[]], currency: 0 }

/** What is asked for a session: a checkout, or in a store that offers carts alone a cart. */
const ASKED = {
  checkout: { create: UCP_REST_PATHS.create, read: UCP_REST_PATHS.read, tool: UCP_TOOLS.read },
  cart: {
    create: UCP_REST_PATHS.createCart,
    read: UCP_REST_PATHS.readCart,
    tool: UCP_TOOLS.readCart,
  },
} as const

/** What a profile has sessions of. */
export const sessionsOf = ({ capabilities }: ProfileInspection): keyof typeof ASKED =>
  handsOver(capabilities) ? 'cart' : 'checkout'

/** Requests to the MCP service, its catalog's aside. */
const MAX_MCP_REQUESTS = 4

/** The address of our profile as an agent, in the version of the store's or in the newest. */
export const agentOf = ({ agentBase }: AuditSession, profile: unknown): string =>
  agentProfileUrl(agentBase, field(field(profile, 'ucp'), 'version'))

/** A store with an official profile, which is read once, and its MCP service. */
export interface UcpStore {
  /** A profile of a version that we know, and the document that it was read from. */
  profile: ProfileInspection
  document: unknown
  /** The address of our profile in that version. */
  agent: string
  /** Opens the MCP service when it is first needed; null where the profile offers none. */
  mcp: () => Promise<OpenedMcp | null>
  /** Opens the MCP service in another session, which the caller closes. */
  mcpIn: (session: AuditSession) => Promise<OpenedMcp | null>
  /** Ends the session of the MCP service, if one was opened. */
  close: () => Promise<void>
}

/**
 * The store whose profile the domain itself serves; null where it serves none that can be judged.
 */
export async function openUcpStore(
  session: AuditSession,
  manifest: ManifestSeen,
): Promise<UcpStore | null> {
  const document = spokenProfile(manifest)
  if (!isOfficial(document)) return null
  const judged = await session.run('manifest', { document })
  if (!('done' in judged) || !UCP.isKnown(judged.done.dialect)) return null
  const profile = judged.done
  const url = serviceOf(profile, 'mcp')
  const mcpIn = async (other: AuditSession) =>
    url === null ? null : openMcp(other, { url, version: profile.dialect })
  let opened: Promise<OpenedMcp | null> | undefined
  return {
    profile,
    document,
    agent: agentOf(session, document),
    mcp: () => {
      opened ??= mcpIn(session)
      return opened
    },
    mcpIn,
    close: async () => (await opened)?.close(),
  }
}

/** Where the shopping service of a profile is over a transport; null where agents cannot go. */
export const serviceOf = (
  { services }: ProfileInspection,
  transport: 'rest' | 'mcp' | 'a2a',
): string | null =>
  services.find((each) => each.service === SHOPPING && each.transport === transport)?.endpoint ??
  null

/**
 * Asks the services of an official profile whether they respond, what tools they have, and what
 * they say of a checkout that does not exist. Nothing is created: what is sent is invalid, or only
 * read.
 */
export async function probeUcp(
  session: AuditSession,
  manifest: ManifestSeen,
  store: UcpStore | null,
): Promise<UcpSeen> {
  const document = jsonOf(manifest)
  const agent = store?.agent ?? agentOf(session, document)
  if (!isOfficial(document)) return { agent, rest: null, mcp: null, a2a: null, versions: [] }
  const endpoint = store && serviceOf(store.profile, 'rest')
  const sessions = store === null ? 'checkout' : sessionsOf(store.profile)
  const cardAt = store && serviceOf(store.profile, 'a2a')
  const [rest, mcp, a2a, versions] = await Promise.all([
    endpoint === null ? null : askRest(session, { endpoint, agent, sessions }),
    store === null ? null : probeMcp(session, store, endpoint === null),
    cardAt === null ? null : readAgentCard(session, cardAt),
    probeSupportedVersions(session, document, manifest.older),
  ])
  return { agent, rest, mcp, a2a, versions }
}

/** The endpoint of A2A is the address of the card itself (UCP overview, Endpoint Resolution). */
export async function readAgentCard(
  session: AuditSession,
  endpoint: string,
): Promise<NonNullable<UcpSeen['a2a']>> {
  const card = await requestJson(session, { url: endpoint, maxBytes: BODY_CAPS.manifest })
  return { endpoint, card }
}

const CREATES: readonly string[] = Object.values(ASKED).map(({ create }) => create)

/**
 * What goes to a REST service: the address below its base URL, and what UCP requires of each
 * request. Only what changes something has a key.
 */
export const askUcpRest = (
  session: AuditSession,
  { endpoint, agent }: { endpoint: string; agent: string },
  path: string,
  request: Pick<FetchRequest, 'method' | 'json' | 'maxBytes'>,
): Promise<JsonSeen> =>
  requestJson(session, {
    ...request,
    url: endpoint.replace(/\/$/, '') + path,
    headers: {
      // UCP, REST Binding: a dictionary of RFC 8941.
      'ucp-agent': `profile="${agent}"`,
      'request-id': requestIdOf(`${path} ${JSON.stringify(request.json)}`),
      // A key of its own for each audit: an answer that a store keeps may be out of date.
      ...(request.method === 'POST' &&
        CREATES.includes(path) && { 'idempotency-key': crypto.randomUUID() }),
    },
  })

/** Asks for a checkout or cart that cannot be, and for one that is not there. */
export async function askRest(
  session: AuditSession,
  { endpoint, agent, sessions }: { endpoint: string; agent: string; sessions: keyof typeof ASKED },
): Promise<NonNullable<UcpSeen['rest']>> {
  const { manifest: maxBytes } = BODY_CAPS
  const paths = ASKED[sessions]
  // The base URL of a REST service is not a resource itself: its sessions are.
  const create = { method: 'POST', json: INVALID_CHECKOUT, maxBytes } as const
  const { seen: checkout, signature } = await alsoUnsigned(
    session,
    await askUcpRest(session, { endpoint, agent }, paths.create, create),
    () => askUcpRest(unsignedSession(session), { endpoint, agent }, paths.create, create),
  )
  // Who keeps strangers out, or gives no answer, is not asked again.
  const { fetched } = checkout
  const isTold = fetched.kind !== 'answer' || [401, 403, 429].includes(fetched.status)
  const read = paths.read.replace(':id', UNKNOWN_SESSION)
  const unknown = isTold ? null : await askUcpRest(session, { endpoint, agent }, read, { maxBytes })
  return { endpoint, checkout, unknown, ...(signature && { signature }) }
}

/** Over one transport it is seen what our signature changes: it costs a request. */
async function probeMcp(
  session: AuditSession,
  store: UcpStore,
  compares: boolean,
): Promise<McpSeen | null> {
  const mcp = await store.mcp()
  if (mcp === null) return null
  const { seen } = mcp
  const { tool } = ASKED[sessionsOf(store.profile)]
  const isListed = toolNames(seen)?.includes(tool) === true
  const isAffordable = seen.tried.length + seen.more.length < MAX_MCP_REQUESTS
  if (!isListed || !isAffordable) return { ...seen, unknown: null }
  const read = (how?: { unsigned: true }) => callTool(mcp, tool, { id: UNKNOWN_SESSION }, how)
  if (!compares) return { ...seen, unknown: await read() }
  const { seen: unknown, signature } = await alsoUnsigned(session, await read(), () =>
    read({ unsigned: true }),
  )
  return { ...seen, unknown, ...(signature && { signature }) }
}
