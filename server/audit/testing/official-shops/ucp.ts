import { isRecord } from '../../../../shared/web/json/json.ts'
import {
  type Asked,
  at,
  type Change,
  changed,
  eachOf,
  type Front,
  gone,
  type Json,
  jsonOf,
  nowhere,
  patch,
  withHeader,
  withJson,
  without,
} from './front.ts'
import { alsoAt } from './http.ts'

// What official UCP leaves to a store: its profile, and how its services answer.

const PROFILE = /^\/\.well-known\/ucp$/
const LEAF = /^\/\.well-known\/ucp\/2026-04-08$/
const REST = /^\/ucp\/v1(\/|$)/
const MCP = /^\/ucp\/mcp$/
const SERVICES = /^\/ucp\/(v1(\/|$)|mcp$)/

/** The profile, and the leaf of the version before. */
const inProfiles = (change: (profile: Json, asked: Asked) => Json): Front =>
  at(/^\/\.well-known\/ucp(\/|$)/, async (asked, ask) =>
    changed(await ask(asked), (profile) => change(profile, asked)),
  )

/** The `ucp` of the profile, and of its leaf. */
export const inUcp = (change: (ucp: Json, asked: Asked) => Json): Front =>
  inProfiles((profile, asked) => patch(profile, 'ucp', (ucp) => change(ucp, asked)))

export const inServices = (change: (entries: Json[], asked: Asked) => unknown[]): Front =>
  inUcp((ucp, asked) =>
    patch(ucp, 'services', (services) => {
      const entries = services['dev.ucp.shopping']
      const known = Array.isArray(entries) ? entries.filter(isRecord) : []
      return { ...services, 'dev.ucp.shopping': change(known, asked) }
    }),
  )

export const inCapabilities = (change: (all: Json, ucp: Json) => Json): Front =>
  inUcp((ucp) => patch(ucp, 'capabilities', (all) => change(all, ucp)))

/** Each endpoint as an address of another form; the others of an entry stay. */
export const inEndpoints = (change: (path: string, asked: Asked) => string): Front =>
  inServices((entries, asked) =>
    entries.map((entry) => ({
      ...entry,
      endpoint: change(new URL(String(entry.endpoint)).pathname, asked),
    })),
  )

const only =
  (transport: string, others: RegExp): Front =>
  (asked, ask) =>
    others.test(asked.path)
      ? ask(nowhere(asked))
      : inServices((entries) => entries.filter((entry) => entry.transport === transport))(
          asked,
          ask,
        )

export const restOnly = only('rest', MCP)
export const mcpOnly = only('mcp', REST)

/** The services on another host alone, as a platform serves its tenants. */
export const servicesAt = (base: string): Front[] => [
  inEndpoints((path) => `${base}${path}`),
  (asked, ask) =>
    asked.host !== new URL(base).host && SERVICES.test(asked.path)
      ? ask(nowhere(asked))
      : ask(asked),
  alsoAt(base),
]

/** The version before and no other; its shapes are those of the leaf. */
export const onlyOlder: Front = (asked, ask) => {
  if (LEAF.test(asked.path)) return ask(nowhere(asked))
  return ask(PROFILE.test(asked.path) ? { ...asked, path: `${asked.path}/2026-04-08` } : asked)
}

/** The newest version and no other. */
export const onlyNewest: Front = (asked, ask) =>
  LEAF.test(asked.path)
    ? ask(nowhere(asked))
    : inUcp((ucp) => without(ucp, 'supported_versions'))(asked, ask)

const AGENT = 'https://agent.example'

/**
 * Whoever calls is taken for an agent of this version; with `always` also one that says nothing.
 */
export const agentsOf =
  (version: string, always = false): Front =>
  (asked, ask) => {
    if (!SERVICES.test(asked.path)) return ask(asked)
    const profile = `${AGENT}/${version}.json`
    const call = jsonOf(asked)
    const isTool = MCP.test(asked.path) && call.method === 'tools/call'
    const named = isTool
      ? withJson(
          asked,
          patch(call, 'params', (params) =>
            patch(params, 'arguments', (given) =>
              isRecord(given.meta) || always
                ? {
                    ...given,
                    meta: { ...Object(given.meta), 'ucp-agent': { profile } },
                  }
                : given,
            ),
          ),
        )
      : asked
    return ask(
      named.headers.has('ucp-agent') || always
        ? withHeader(named, 'ucp-agent', `profile="${profile}"`)
        : named,
    )
  }

/** No call without an account; the profile is public. */
export const withAccounts: Front = at(SERVICES, (asked, ask) => {
  if (asked.headers.has('authorization')) return ask(asked)
  const content = 'Sign in to use this store.'
  const said = { type: 'error', code: 'unauthorized', content, severity: 'unrecoverable' }
  return Response.json(
    {
      code: 'unauthorized',
      content,
      ucp: { version: '2026-08-25', status: 'error' },
      messages: [said],
    },
    { status: 401, headers: { 'www-authenticate': 'Bearer realm="ucp"' } },
  )
})

/** Nothing but this answer, to every call of a service. */
export const everyCall = (answer: (asked: Asked) => Response): Front => at(SERVICES, answer)

/** The MCP endpoint is also served under its address with a slash, which the profile names. */
export const slashAtEnd: Front = (asked, ask) =>
  ask({ ...asked, path: asked.path.replace(/^(\/ucp\/mcp)\/$/, '$1') })

/** Nothing is served where a client that joins base and path leaves two slashes. */
export const oneSlash: Front = gone(/^\/ucp\/.*\/\//)

/** UCP's answers over both transports: the body, and what a tool's result repeats of it. */
export const inAnswers = (change: Change): Front =>
  at(SERVICES, async (asked, ask) => {
    const answer = await ask(asked)
    if (!MCP.test(asked.path)) return changed(answer, change)
    return changed(answer, (body) => patch(body, 'result', (result) => inResult(result, change)))
  })

function inResult(result: Json, change: Change): Json {
  const { structuredContent } = result
  if (!isRecord(structuredContent)) return result
  const body = change(structuredContent)
  return {
    ...result,
    structuredContent: body,
    content: [{ type: 'text', text: JSON.stringify(body) }],
  }
}

/** Each product of a search, a look-up or a detail. */
export const inProducts = (change: Change): Front =>
  inAnswers((body) => patch(eachOf(body, 'products', change), 'product', change))
