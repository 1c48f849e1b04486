import { isRpc } from '../../../protocols/mcp-answer.ts'
import { describeFetch, type Fetched, type JsonSeen } from '../../../web/http/fetched.ts'
import { challengeIn, jsonOf, looksLikeHtml } from '../../../web/http/presence.ts'
import { field, isRecord } from '../../../web/json/json.ts'
import type { McpSeen, UcpSeen } from '../../evidence.ts'

/** What the answers of one service show, and the requests that show it. */
export interface Life {
  /**
   * `dead`: certainly nothing there for agents. `closed`: it is there, and keeps strangers out.
   * `moved`: it leads a POST elsewhere, where agents do not repeat it.
   */
  is: 'alive' | 'dead' | 'closed' | 'moved' | 'unknown'
  why: string
}

/** The REST service: an invalid checkout and an unknown one are enough to show that it is there. */
export const lifeOfRest = ({ checkout, unknown }: NonNullable<UcpSeen['rest']>): Life => {
  const seen = unknown === null ? [checkout] : [checkout, unknown]
  return lifeOf(seen, seen.map(signOfRest))
}

/** The MCP service: any JSON-RPC shows that it is there, a refusal as well. */
export const lifeOfMcp = ({ tried }: Pick<McpSeen, 'tried'>): Life =>
  lifeOf(
    tried.map(({ seen }) => seen),
    tried.map(({ seen }) => signOfMcp(seen)),
  )

/** A2A: the card of the agent, which anyone may read. */
export const lifeOfA2a = ({ card }: NonNullable<UcpSeen['a2a']>): Life =>
  lifeOf([card], [signOfCard(card)])

/** Each transport that was asked, with what its answers show. */
export function livesOf({ rest, mcp, a2a }: UcpSeen): { transport: string; life: Life }[] {
  return [
    ...(rest === null ? [] : [{ transport: 'REST', life: lifeOfRest(rest) }]),
    ...(mcp === null ? [] : [{ transport: 'MCP', life: lifeOfMcp(mcp) }]),
    ...(a2a === null ? [] : [{ transport: 'A2A', life: lifeOfA2a(a2a) }]),
  ]
}

/** Whether every service that the profile names is certainly not there for agents. */
export function areAllDead(ucp: UcpSeen): boolean {
  const lives = livesOf(ucp)
  return lives.length > 0 && lives.every(({ life: { is } }) => is === 'dead' || is === 'moved')
}

function lifeOf(seen: readonly JsonSeen[], signs: readonly Life['is'][]): Life {
  const why = [...new Set(seen.map(({ fetched }) => describeFetch(fetched)))].join('; ')
  const shows = (sign: Life['is']) => signs.includes(sign)
  if (shows('alive')) return { is: 'alive', why }
  if (shows('closed')) return { is: 'closed', why: `it is closed to strangers: ${why}` }
  if (shows('moved')) return { is: 'moved', why }
  return { is: signs.every((sign) => sign === 'dead') ? 'dead' : 'unknown', why }
}

/** A body in one of the forms that UCP has for REST: its envelope, or a protocol error. */
export function isUcpBody(body: unknown): boolean {
  if (!isRecord(body)) return false
  const isError = typeof body.code === 'string' && typeof body.content === 'string'
  return isRecord(body.ucp) || isError || Array.isArray(body.messages)
}

function signOfRest(seen: JsonSeen): Life['is'] {
  const { fetched } = seen
  const body = jsonOf(seen)
  const sign = signOfAny(fetched)
  if (sign !== null) return sign
  if (isUcpBody(body)) return 'alive'
  // Frameworks say in JSON as well that they know no such path.
  if (fetched.kind === 'answer' && [404, 405, 410].includes(fetched.status)) {
    return isRecord(body) ? 'unknown' : 'dead'
  }
  if (isSuccess(fetched)) return isRecord(body) ? 'alive' : deadIfPage(fetched)
  return 'alive'
}

function signOfMcp(seen: JsonSeen): Life['is'] {
  const { fetched } = seen
  const sign = signOfAny(fetched)
  // A server that fails in JSON-RPC is there.
  if (sign === 'unknown' && isRpc(seen)) return 'alive'
  if (sign !== null) return sign
  if (isRpc(seen)) return 'alive'
  const status = fetched.kind === 'answer' ? fetched.status : 0
  if ([404, 405, 410].includes(status)) return isRecord(jsonOf(seen)) ? 'unknown' : 'dead'
  if (isSuccess(fetched)) return deadIfPage(fetched)
  return [406, 415].includes(status) ? 'alive' : 'unknown'
}

/** A document that anyone may read: another rule judges whether it is a card. */
function signOfCard(seen: JsonSeen): Life['is'] {
  const { fetched } = seen
  const sign = signOfAny(fetched)
  if (sign !== null) return sign
  return isSuccess(fetched) && deadIfPage(fetched) !== 'dead' ? 'alive' : 'dead'
}

/** What shows regardless of the protocol; null: the body decides. */
function signOfAny(fetched: Fetched): Life['is'] | null {
  if (fetched.kind === 'not_asked') return 'unknown'
  if (fetched.kind === 'no_answer') {
    // A timeout may be temporary, and a broken body is there.
    return ['unreachable', 'certificate'].includes(fetched.why) ? 'dead' : 'unknown'
  }
  const { status } = fetched
  if (challengeIn(fetched) !== null) return 'unknown'
  if (status === 401 || status === 403) return 'closed'
  if (status === 429 || status >= 500) return 'unknown'
  return status >= 300 && status < 400 ? 'moved' : null
}

export const isSuccess = (fetched: Fetched): boolean =>
  fetched.kind === 'answer' && fetched.status >= 200 && fetched.status < 300

/** A page under every path is a web server's own; an empty answer says nothing. */
const deadIfPage = (fetched: Fetched): Life['is'] =>
  fetched.kind === 'answer' && looksLikeHtml(fetched) ? 'dead' : 'unknown'

/** The member that tells which protocol error it is, wherever a transport has it. */
export function codesOf(body: unknown): string[] {
  const messages = field(body, 'messages')
  const listed = Array.isArray(messages) ? messages.map((each) => field(each, 'code')) : []
  return [field(body, 'code'), ...listed].filter((code) => typeof code === 'string')
}
