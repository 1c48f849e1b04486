import {
  type Life,
  lifeOfA2a,
  lifeOfMcp,
  lifeOfRest,
} from '../../shared/audit/checks/official-profile/service-life.ts'
import { newerWords, olderProfileOf } from '../../shared/manifest/dialect.ts'
import { endpointOf } from '../../shared/manifest/inspect.ts'
import { inspectAny, type ProfileInspection } from '../../shared/manifest/ucp/profile.ts'
import {
  type AskedEndpoint,
  type ManifestValidation,
  type Reachability,
  reachabilityOf,
  type ValidationError,
  type ValidationErrorCode,
} from '../../shared/manifest/validation.ts'
import { SHOPPING, UCP } from '../../shared/protocols/ucp/versions.ts'
import { isPrivateHost } from '../../shared/web/address/private-host.ts'
import { withoutPassword } from '../../shared/web/address/uri.ts'
import {
  cachingAdvice,
  MIN_MANIFEST_CACHE_SECONDS,
  sharedCacheSeconds,
} from '../../shared/web/http/cache-control.ts'
import {
  type Answer,
  describeFetch,
  type Fetched,
  type JsonSeen,
} from '../../shared/web/http/fetched.ts'
import {
  challengeIn,
  contentType,
  isJsonType,
  jsonOf,
  looksLikeHtml,
  presenceOf,
} from '../../shared/web/http/presence.ts'
import { field, shown } from '../../shared/web/json/json.ts'
import { BODY_CAPS } from './probe/fetch/request.ts'
import { askLiveness, GLIMPSE_BYTES } from './probe/liveness.ts'
import { openMcp } from './probe/mcp.ts'
import { type AuditSession, demandRead, notJudgedHere, requestJson } from './probe/session.ts'
import { probeSupportedVersions } from './probe/supported-versions.ts'
import { agentOf, askRest, readAgentCard, sessionsOf } from './probe/ucp.ts'

/** Spec, Manifest validation: the key of the file itself in `reachability`. */
const MANIFEST_URL = 'manifest_url'

const NOT_SHOPPABLE = { shoppable: false, shoppable_reason: 'It could not be read.' }

/** The verdict on a file whose content is not known. */
const UNREAD: ProfileInspection = {
  dialect: 'unknown',
  errors: [],
  warnings: [],
  ...NOT_SHOPPABLE,
  read: { overlooked: [], errors: [], ...NOT_SHOPPABLE },
  services: [],
  capabilities: [],
  dropped: [],
  drop_warnings: [],
}

/**
 * Judges a document that was sent to us (spec, Manifest validation): nothing is fetched, so that
 * every endpoint is `not_checked`, but for those that no agent reaches.
 */
export function validateDocument(document: unknown): ManifestValidation {
  const inspection = inspectAny(document)
  const endpoints = endpointsOf(document, inspection)
  const errors = endpoints.flatMap(({ field: at, url }) => {
    const why = whyPrivate(url)
    return why === null ? [] : [unreachableAt(at, why)]
  })
  const reachability = Object.fromEntries<Reachability>([
    [MANIFEST_URL, 'not_checked'],
    ...endpoints.map(
      ({ key, url }) => [key, whyPrivate(url) === null ? 'not_checked' : 'unreachable'] as const,
    ),
  ])
  return toValidation(inspection, errors, [], reachability)
}

/**
 * Fetches a published manifest and judges it, how it is served, and whether its endpoints answer
 * safe requests. Never rejects for the store's faults: they are the result.
 */
export const validateUrl = async (
  session: AuditSession,
  url: string,
): Promise<ManifestValidation> => validateFetched(session, url, await requestManifest(session, url))

/** The same for what `requestManifest` has seen at the URL. */
export async function validateFetched(
  session: AuditSession,
  url: string,
  seen: JsonSeen,
): Promise<ManifestValidation> {
  const validation = await validateSeen(session, url, seen)
  demandRead(session)
  return validation
}

/** Asks for the manifest at a URL, as agents do. */
export const requestManifest = (session: AuditSession, url: string): Promise<JsonSeen> =>
  requestJson(session, { url, maxBytes: BODY_CAPS.manifest })

async function validateSeen(
  session: AuditSession,
  url: string,
  seen: JsonSeen,
): Promise<ManifestValidation> {
  const served = servingFaults(seen)
  const reached = { [MANIFEST_URL]: reachabilityOf(seen.fetched) }
  if (presenceOf(seen.fetched).is !== 'present' || !seen.json?.ok) {
    return toValidation(UNREAD, served.errors, [], reached)
  }
  const document = seen.json.value
  const judged = await session.run('manifest', { document, domain: new URL(url).hostname })
  if ('exceeded' in judged) {
    if (judged.ours) throw notJudgedHere(judged.exceeded)
    const message = `It could not be judged, because ${judged.exceeded}.`
    const error = { field: MANIFEST_URL, code: 'too_large' as const, message }
    return toValidation(UNREAD, [...served.errors, error], [], reached)
  }
  const { spoken, inspection, older } = await forAgentsOfToday(session, document, judged.done)
  const [endpoints, versions] = await Promise.all([
    Promise.all(endpointsOf(spoken, inspection).map((endpoint) => probe(session, endpoint))),
    probeSupportedVersions(session, document, older),
  ])
  const unreachable = endpoints.flatMap(({ error }) => (error === null ? [] : [error]))
  const broken = versions.flatMap(({ version, fault }) =>
    fault === null ? [] : [unreachableAt(`ucp.supported_versions.${version}`, fault)],
  )
  const { fetched } = seen
  const isNewest = inspection.dialect === UCP.newest && fetched.kind === 'answer'
  const advice = isNewest && served.warnings.length === 0 ? cachingAdvice(fetched) : null
  if (advice !== null) served.warnings.push(`${advice}.`)
  const warnings = [...served.warnings, ...endpoints.flatMap(({ warning }) => warning ?? [])]
  return toValidation(inspection, [...served.errors, ...unreachable, ...broken], warnings, {
    ...reached,
    ...Object.fromEntries(endpoints.map(({ key, reach }) => [key, reach])),
  })
}

/**
 * What agents of today go by: of a profile that is newer than this code, whether they can buy by
 * the one of a known version that it leads to, and what services that names. What is wrong with it
 * is reported as a fault of `supported_versions`.
 */
async function forAgentsOfToday(
  session: AuditSession,
  document: unknown,
  inspection: ProfileInspection,
): Promise<{ spoken: unknown; inspection: ProfileInspection; older?: JsonSeen }> {
  const named = olderProfileOf(document)
  if (named === null) return { spoken: document, inspection }
  const older = await requestManifest(session, named.url)
  const leaf = jsonOf(older)
  const judged = await session.run('manifest', { document: leaf })
  if (!('done' in judged) || judged.done.dialect !== named.version) {
    return { spoken: document, inspection, older }
  }
  const { services, capabilities, shoppable, shoppable_reason } = judged.done
  const reason = `The profile is ${newerWords(document)}. Of the one of ${named.version} in supported_versions: ${shoppable_reason}`
  return {
    spoken: leaf,
    older,
    inspection: { ...inspection, services, capabilities, shoppable, shoppable_reason: reason },
  }
}

/** The answer: errors of serving and of endpoints before those of the document. */
function toValidation(
  inspection: ProfileInspection,
  errors: ValidationError[],
  warnings: string[],
  reachability: Record<string, Reachability>,
): ManifestValidation {
  const { dialect, shoppable, shoppable_reason } = inspection
  const own = inspection.errors.map(({ field: at, code, message }) => ({
    field: at,
    code,
    message,
  }))
  const all = [...errors, ...own].map((error) => ({
    ...error,
    message: withoutPassword(error.message),
  }))
  const obstacle = shoppable ? obstacleOf(errors) : null
  return {
    valid: all.length === 0,
    dialect,
    shoppable: shoppable && obstacle === null,
    shoppable_reason: obstacle ?? shoppable_reason,
    errors: all,
    warnings: [...warnings, ...inspection.warnings].map(withoutPassword),
    reachability,
  }
}

/**
 * What keeps agents from buying although the document is right; null where nothing does. No answer
 * says that a manifest is invalid and that agents can buy from it.
 */
function obstacleOf(errors: readonly ValidationError[]): string | null {
  // Agents that cannot read the file cannot buy.
  if (errors.some(({ field: at }) => at === MANIFEST_URL)) {
    return 'Agents cannot read it as it is served.'
  }
  const [first] = errors
  return first === undefined
    ? null
    : `Agents cannot rely on it while it has errors: see ${first.field}.`
}

const errorAt = (at: string, code: ValidationErrorCode, message: string): ValidationError => ({
  field: at,
  code,
  message,
})

/**
 * Spec, Hosted API errors: `endpoint_unreachable`, with a message that names method, URL and
 * status.
 */
const unreachableAt = (at: string, why: string) => errorAt(at, 'endpoint_unreachable', why)

/** What is wrong with the way the file is served (spec, More rules; UCP, profile hosting). */
function servingFaults({ fetched, json }: JsonSeen): {
  errors: ValidationError[]
  warnings: string[]
} {
  const challenge = fetched.kind === 'answer' ? challengeIn(fetched) : null
  const why = `${describeFetch(challenge === null ? fetched : ({ ...fetched, challenge } as Answer))}.`
  const at = (code: ValidationErrorCode, message: string) => errorAt(MANIFEST_URL, code, message)
  if (fetched.kind !== 'answer') {
    const code = fetched.kind === 'no_answer' && fetched.why === 'redirect' ? 'redirected' : null
    return { errors: [at(code ?? 'endpoint_unreachable', why)], warnings: [] }
  }
  const errors = fetched.redirects.length === 0 ? [] : [at('redirected', redirectText(fetched))]
  if (fetched.url.startsWith('http:')) {
    errors.push(at('not_https', `${fetched.url} is not served over https.`))
  }
  // 403 and 429 may concern only us; 401 asks every reader for an account.
  if (fetched.status === 401) {
    const message = `${why} Anyone must be able to read it.`
    return { errors: [...errors, at('requires_auth', message)], warnings: [] }
  }
  if (fetched.status < 200 || fetched.status > 299) {
    return { errors: [...errors, at('endpoint_unreachable', why)], warnings: [] }
  }
  if (challenge !== null) {
    return { errors: [...errors, at('endpoint_unreachable', why)], warnings: [] }
  }
  if (looksLikeHtml(fetched)) {
    const html = `${describeFetch(fetched)} with an HTML page instead of the manifest.`
    return { errors: [...errors, at('endpoint_unreachable', html)], warnings: [] }
  }
  const type = fetched.headers['content-type']
  if (!isJsonType(contentType(fetched))) {
    errors.push(at('wrong_content_type', `It is sent as ${shown(type)}, not "application/json".`))
  }
  if (fetched.truncated) {
    errors.push(at('too_large', `It is longer than ${BODY_CAPS.manifest / 1024} KiB.`))
  } else if (json === null || !json.ok) {
    errors.push(at('not_json', `It cannot be read: ${json?.problem ?? 'it is empty.'}`))
  }
  const seconds = sharedCacheSeconds(fetched)
  const cache = shown(fetched.headers['cache-control'])
  const isKept = seconds !== null && seconds >= MIN_MANIFEST_CACHE_SECONDS
  return {
    errors,
    warnings: isKept
      ? []
      : [
          `Cache-Control is ${cache}: agents will fetch the file again each time. Send public, max-age=${MIN_MANIFEST_CACHE_SECONDS} or more.`,
        ],
  }
}

/**
 * UCP overview, Profile Requirements: a profile is served without a 3xx, and agents follow none.
 */
const redirectText = ({ url, final_url, redirects }: Answer) =>
  `${url} answers ${redirects[0]?.status} and redirects to ${final_url}: agents do not follow redirects.`

/** What is known of an endpoint on one machine or in a local network without a request. */
function whyPrivate(url: string): string | null {
  const host = URL.parse(url)?.hostname ?? ''
  return isPrivateHost(host) ? `No agent reaches ${host}: it is a private host.` : null
}

/** An endpoint that the document names, and how to ask it so that nothing is created. */
interface EndpointToAsk {
  /** In `reachability`. */
  key: string
  /** In `errors`. */
  field: string
  url: string
  ask: (session: AuditSession) => Promise<EndpointReach>
}

/** What was found, and how it was found, as a sentence without its full stop. */
interface EndpointReach {
  reach: Reachability
  why: string
}

/** Asks one endpoint; an error only when it is certain that agents cannot reach it. */
async function probe(session: AuditSession, { key, field: at, url, ask }: EndpointToAsk) {
  const { reach, why } = await ask(session)
  const isPrivate = reach === 'unreachable' ? whyPrivate(url) : null
  return {
    key,
    reach,
    error: reach === 'unreachable' ? unreachableAt(at, isPrivate ?? `${why}.`) : null,
    warning:
      reach === 'not_checked' ? `${at}: ${why}, which does not show whether it works.` : null,
  }
}

/** By safe requests, where the dialect has nothing better. */
async function askSafely(
  fetched: Promise<Fetched>,
  endpoint: AskedEndpoint,
): Promise<EndpointReach> {
  const seen = await fetched
  const reach = reachabilityOf(seen, endpoint)
  const isPage = seen.kind === 'answer' && seen.status < 300 && reach !== 'reachable'
  return { reach, why: `${describeFetch(seen)}${isPage ? ' with an HTML page' : ''}` }
}

/**
 * Carts that cannot be: the one item is of the wrong type, and there are no items. A checkout that
 * knows neither dry runs nor wrong types would keep an empty one, so that comes last.
 */
const INVALID_CARTS = [{ items: [[]], dry_run: true }, { dry_run: true }]

/**
 * The specification's checkout: by safe requests, and where those do not tell by the dry run of an
 * invalid cart, of which nothing can come (spec, Merchant-side UCP endpoints).
 */
async function askCheckout(session: AuditSession, url: string): Promise<EndpointReach> {
  const alive = await askLiveness(session, url)
  const safely = await askSafely(Promise.resolve(alive), { takesPost: true })
  // It may know no other method than POST, and fail at them.
  const isFailing = alive.kind === 'answer' && alive.status >= 500 && safely.reach !== 'blocked'
  if (safely.reach !== 'not_checked' && !isFailing) return safely
  let last: Fetched | null = null
  for (const json of INVALID_CARTS) {
    const cart = { method: 'POST', url, json, maxBytes: BODY_CAPS.manifest } as const
    const { fetched } = await requestJson(session, cart)
    last = fetched
    // A body of wrong types is too much for some: what they answer to none says whether they work.
    if (fetched.kind !== 'answer' || fetched.status < 500) break
  }
  return last?.kind === 'answer'
    ? { reach: reachabilityOf(last), why: describeFetch(last) }
    : safely
}

/** By requests of the protocol that nothing can come of. */
async function askService(
  session: AuditSession,
  document: unknown,
  { transport, url, sessions }: Service,
) {
  if (transport === 'rest') {
    const agent = agentOf(session, document)
    const seen = await askRest(session, { endpoint: url, agent, sessions })
    return reachOf(lifeOfRest(seen), seen.checkout.fetched)
  }
  if (transport === 'a2a') {
    const seen = await readAgentCard(session, url)
    return reachOf(lifeOfA2a(seen), seen.card.fetched)
  }
  const mcp = await openMcp(session, { url, version: field(field(document, 'ucp'), 'version') })
  await mcp.close()
  return reachOf(lifeOfMcp(mcp.seen), mcp.seen.tools.fetched)
}
interface Service {
  transport: 'rest' | 'mcp' | 'a2a'
  url: string
  sessions: ReturnType<typeof sessionsOf>
}

const REACH = {
  alive: 'reachable',
  dead: 'unreachable',
  closed: 'blocked',
  moved: 'unreachable',
} as const satisfies Partial<Record<Life['is'], Reachability>>

function reachOf({ is, why }: Life, last: Fetched): EndpointReach {
  return { reach: is === 'unknown' ? reachabilityOf(last, { takesPost: true }) : REACH[is], why }
}

/** Key in `reachability` of each capability of the spec's manifest. */
const CAPABILITY_KEYS = {
  product_catalog: 'catalog_endpoint',
  checkout: 'checkout_endpoint',
  shipping: 'shipping_endpoint',
  orders: 'orders_endpoint',
} as const

/**
 * The endpoints of the document, at most six of an official profile: what one validation requests
 * must be bounded.
 */
function endpointsOf(document: unknown, inspection: ProfileInspection): EndpointToAsk[] {
  if (inspection.dialect === '1.0') {
    return Object.entries(CAPABILITY_KEYS).flatMap(([capability, key]) => {
      const url = endpointOf(document, capability)
      if (url === null) return []
      const isRead = capability === 'product_catalog'
      const kind = { mayLackResource: capability === 'orders', takesPost: !isRead }
      return {
        key,
        field: `capabilities.${capability}.endpoint`,
        url,
        ask: (session) =>
          capability === 'checkout'
            ? askCheckout(session, url)
            : askSafely(isRead ? get(session, url) : askLiveness(session, url), kind),
      }
    })
  }
  return inspection.services.slice(0, 6).flatMap(({ service, transport, endpoint: url }) => {
    if (url === null) return []
    const isKnown = transport === 'rest' || transport === 'mcp' || transport === 'a2a'
    const isShopping = service === SHOPPING && isKnown
    return {
      // The checkout's own has the short name, which another service must not take.
      key: service === SHOPPING ? `${transport}_endpoint` : `${service} ${transport}_endpoint`,
      field: `ucp.services.${service}`,
      url,
      ask: (session) =>
        isShopping
          ? askService(session, document, { transport, url, sessions: sessionsOf(inspection) })
          : askSafely(askLiveness(session, url), { takesPost: transport !== 'a2a' }),
    }
  })
}

/** Only the beginning is read: it tells whether there is a catalog. */
const get = (session: AuditSession, url: string): Promise<Fetched> =>
  session.request({
    url,
    headers: { accept: 'application/json' },
    maxBytes: GLIMPSE_BYTES,
  })
