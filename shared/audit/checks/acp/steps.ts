import { ACP_TOOLS } from '../../../protocols/acp/operations.ts'
import { toolNames } from '../../../protocols/mcp-answer.ts'
import { AnyAcpError } from '../../../protocols/spec/acp.ts'
import { type Answer, describeFetch, type JsonSeen } from '../../../web/http/fetched.ts'
import { challengeIn, jsonOf, looksLikeHtml, presenceOf } from '../../../web/http/presence.ts'
import { field, isRecord } from '../../../web/json/json.ts'
import type { AcpDialectSeen, AcpSeen, McpSeen } from '../../evidence.ts'

/** What every store with ACP has, in any dialect; the rest is optional. */
export const ACP_STEPS = ['create', 'update', 'complete'] as const
export type AcpStep = (typeof ACP_STEPS)[number]

type StepState =
  | { is: 'alive'; answer: Answer; isClosed: boolean }
  | { is: 'dead'; why: string }
  | { is: 'unknown'; why: string }

const MEANINGS: Readonly<Record<number, string>> = {
  405: 'it does not accept the method',
  406: 'it does not answer in JSON',
  415: 'it does not accept JSON',
}

/**
 * What was sent is refused with these; without JSON, the other 4xx and 5xx say nothing of the
 * operation.
 */
const OF_WHAT_WAS_SENT = [400, 409, 422]

const isBare404 = (seen: JsonSeen): boolean =>
  seen.fetched.kind === 'answer' && seen.fetched.status === 404 && !speaksJson(seen)

export const speaksJson = (seen: JsonSeen): boolean =>
  seen.fetched.kind === 'answer' && !looksLikeHtml(seen.fetched) && isRecord(jsonOf(seen))

/** An object with a text at each of these places. */
const hasTexts = (body: unknown, ...names: string[]): boolean =>
  names.every((name) => typeof field(body, name) === 'string')

const hasLines = (body: unknown): boolean => Array.isArray(field(body, 'line_items'))

type AcpDialect = AcpDialectSeen['dialect']

/** Whether an answer shows a session: as the specification creates, updates or confirms one. */
export function showsSession(seen: JsonSeen, dialect: AcpDialect): boolean {
  const body = jsonOf(seen)
  return dialect === 'official'
    ? hasTexts(body, 'id', 'status') && hasLines(body)
    : hasTexts(body, 'checkout_id') || hasTexts(body, 'order_id')
}

const showsCart = (seen: JsonSeen): boolean =>
  hasTexts(jsonOf(seen), 'id') && hasLines(jsonOf(seen))

/**
 * A success that is not ACP: a page, or what a server answers at every address. Endpoints of ACP
 * MUST answer in JSON (ACP, Agentic Checkout 3.1), with what `shows` looks for, or an error.
 */
const isForeign = (seen: JsonSeen, shows: (seen: JsonSeen) => boolean): boolean =>
  seen.fetched.kind === 'answer' &&
  seen.fetched.status >= 200 &&
  seen.fetched.status < 300 &&
  !AnyAcpError.safeParse(jsonOf(seen)).success &&
  !shows(seen)

/** The same of a call to carts. */
export const isForeignCart = (seen: JsonSeen): boolean => isForeign(seen, showsCart)

/** The same of any call. */
export const isForeignToAcp = (seen: JsonSeen): boolean =>
  isForeign(
    seen,
    (each) =>
      showsCart(each) || showsSession(each, 'official') || showsSession(each, 'specification'),
  )

/** Refused for lack of a credential, by a server that speaks ACP. */
export const isClosed = (seen: JsonSeen): boolean =>
  seen.fetched.kind === 'answer' &&
  [401, 403].includes(seen.fetched.status) &&
  AnyAcpError.safeParse(jsonOf(seen)).success

/**
 * An operation works when it rejects our request in JSON: nothing that we send is valid. A store
 * that accepts it all the same shows a session. A 404 with a JSON body may be about the session.
 * Agents have a credential, and an audit does not.
 */
export function stepState(spoken: AcpDialectSeen, operation: AcpStep): StepState {
  const seen = spoken[operation]
  const { fetched } = seen
  const why = describeFetch(fetched)
  if (fetched.kind !== 'answer') {
    return { is: presenceOf(fetched).is === 'unreachable' ? 'dead' : 'unknown', why }
  }
  const { status } = fetched
  if (isClosed(seen)) return { is: 'alive', answer: fetched, isClosed: true }
  const challenge = challengeIn(fetched)
  if (challenge !== null) return { is: 'unknown', why: describeFetch({ ...fetched, challenge }) }
  if ([401, 403, 429].includes(status)) {
    return { is: 'unknown', why: `${why}: it blocks our requests` }
  }
  const meaning = MEANINGS[status]
  if (meaning !== undefined) return { is: 'dead', why: `${why}: ${meaning}` }
  if (status >= 300 && status < 400) return { is: 'dead', why }
  if (isForeign(seen, (each) => showsSession(each, spoken.dialect))) {
    return { is: 'dead', why: `${why}, but not with an answer of ACP` }
  }
  if (status === 404 || status === 410) {
    const doubt = operation === 'create' ? aboutTheItem(spoken) : aboutTheSession(spoken, operation)
    if (doubt === 'none') return { is: 'alive', answer: fetched, isClosed: false }
    return doubt === null ? { is: 'dead', why } : { is: 'unknown', why: `${why}: ${doubt}` }
  }
  if (!speaksJson(seen) && !OF_WHAT_WAS_SENT.includes(status)) {
    const presence = presenceOf(fetched)
    if (presence.is === 'unknown') return { is: 'unknown', why: presence.why }
  }
  return { is: 'alive', answer: fetched, isClosed: false }
}

/**
 * Why a 404 to the first call may be about what it asked for; null where it is about its address.
 */
function aboutTheItem({ create, update, complete }: AcpDialectSeen): string | null {
  const own = errorWords(create)
  const isOwn =
    AnyAcpError.safeParse(jsonOf(create)).success &&
    [update, complete].some((seen) => speaksJson(seen) && errorWords(seen) !== own)
  return isOwn ? 'it may be about the product' : null
}

/** The same of a call that names a session, with `none` where it is certain that it is served. */
function aboutTheSession(spoken: AcpDialectSeen, operation: 'update' | 'complete'): string | null {
  if (speaksJson(spoken[operation])) {
    const isOfAnyAddress =
      isMissing(spoken.create) && errorWords(spoken.create) === errorWords(spoken[operation])
    return isOfAnyAddress ? null : 'none'
  }
  const other = spoken[operation === 'update' ? 'complete' : 'update']
  const isOpen = speaksJson(spoken.create) && !isMissing(spoken.create)
  const isTheirWay = isBare404(other) || other.fetched.kind === 'not_asked'
  return isOpen && isTheirWay ? 'it may be about the session' : null
}

/** Nothing is served at the address, as far as one answer can tell. */
function isMissing(seen: JsonSeen): boolean {
  const { fetched } = seen
  if (fetched.kind !== 'answer') return false
  const { status } = fetched
  return [404, 405, 410].includes(status) || (status >= 300 && status < 400) || isForeignToAcp(seen)
}

/** What an error says, without the address and the method that it may repeat. */
export function errorWords(seen: JsonSeen): string {
  const { fetched } = seen
  if (fetched.kind !== 'answer' || !speaksJson(seen)) return ''
  const body = jsonOf(seen)
  const path = URL.parse(fetched.url)?.pathname ?? ''
  return ['code', 'message', 'error', 'detail']
    .map((name) => JSON.stringify(field(body, name)) ?? '')
    .join(' ')
    .slice(0, 2000)
    .replaceAll(path, '')
    .replaceAll(/\b(GET|POST|PATCH)\b/g, '')
}

/** What official ACP answered at the address that is known; undefined where none is. */
export const officialOf = ({ spoken }: AcpSeen): AcpDialectSeen | undefined =>
  spoken.find(({ dialect }) => dialect === 'official')

/** Whether a store sells over ACP, as far as that shows. */
export interface AcpSales {
  /** `announced`: its acp.json says so, and what is there was not to be seen. */
  are: 'certain' | 'likely' | 'announced'
  /** Follows "at". */
  where: string
}

export function salesOver(acp: AcpSeen): AcpSales | null {
  const overMcp = acp.official?.mcp?.found ?? null
  if (overMcp !== null && hasTool(overMcp, 'create')) {
    return { are: 'certain', where: overMcp.endpoint }
  }
  const certain = acp.spoken.find((spoken) => {
    const state = stepState(spoken, 'create')
    return state.is === 'alive' && speaksJson(spoken.create) && !isGate(acp, spoken.create)
  })
  if (certain?.create.fetched.kind === 'answer') {
    return { are: 'certain', where: certain.create.fetched.url }
  }
  // A refusal of what was put into the basket is that of a checkout.
  const refusing = acp.spoken.find((spoken) => aboutTheItem(spoken) !== null)
  const where =
    refusing?.create.fetched.kind === 'answer' ? refusing.create.fetched.url : acp.perhaps
  if (where !== null) return { are: 'likely', where }
  const base = announcedBase(acp)
  return base === null ? null : { are: 'announced', where: base }
}

/** Whether a service over MCP lists the tool of an operation. */
export const hasTool = (mcp: McpSeen, operation: keyof typeof ACP_TOOLS): boolean =>
  toolNames(mcp)?.includes(ACP_TOOLS[operation]) === true

/**
 * The address of a checkout that acp.json names, and of which it is not known that it is not there.
 */
function announcedBase({ discovery, spoken, official }: AcpSeen): string | null {
  const services = field(field(jsonOf(discovery), 'capabilities'), 'services')
  const isOfCheckouts = !Array.isArray(services) || services.includes('checkout')
  const isNamed = isRecord(jsonOf(discovery)) && isOfCheckouts
  const operations = spoken.find(({ dialect }) => dialect === 'official')
  if (official === null || operations === undefined || !isNamed) return null
  return stepState(operations, 'create').is === 'dead' ? null : official.base
}

/** A refusal for lack of a credential that the host gives at any address, /.well-known included. */
export const isGate = ({ discovery }: AcpSeen, seen: JsonSeen): boolean =>
  isClosed(seen) && isClosed(discovery) && errorWords(seen) === errorWords(discovery)

/** Each answer of official ACP, in the order of its questions. */
export function officialAnswers(acp: AcpSeen): JsonSeen[] {
  const operations = officialOf(acp)
  const { versions = [], carts = null } = acp.official ?? {}
  return [
    ...(operations ? ACP_STEPS.map((operation) => operations[operation]) : []),
    ...versions.map(({ seen }) => seen),
    ...(carts ? [carts] : []),
  ]
}

/**
 * Why nothing of official ACP is at its address; null where something is, or where that is unknown.
 * A server that says the same of each address has none of them.
 */
export function whyMissing(acp: AcpSeen): string | null {
  const operations = officialOf(acp)
  if (operations === undefined) return null
  const state = stepState(operations, 'create')
  if (state.is !== 'dead') return null
  const { create } = operations
  if (create.fetched.kind !== 'answer') return state.why
  const others = officialAnswers(acp).filter(
    (seen) => seen !== create && seen.fetched.kind === 'answer',
  )
  const own = errorWords(create)
  const isAlike = (seen: JsonSeen) =>
    isMissing(seen) && (!speaksJson(seen) || (speaksJson(create) && errorWords(seen) === own))
  return isMissing(create) && others.every(isAlike) ? state.why : null
}
