import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { isRecord } from '../../../../shared/web/json/json.ts'
import {
  type Ask,
  type Asked,
  at,
  changed,
  type Front,
  type Json,
  jsonOf,
  patch,
  withBody,
  withJson,
} from './front.ts'

// MCP as servers of it differ, on the endpoint of the UCP profile.

/** The endpoint, on the store's own host or a platform's. */
const ENDPOINT = /\/ucp\/mcp$/

const error = (
  { id }: Json,
  status: number,
  code: number,
  message: string,
  headers: HeadersInit = {},
) =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: id ?? null }, { status, headers })

const isCall = ({ method }: Asked) => method === 'POST'

/** Calls alone are looked at; what else is asked of the endpoint stays the store's. */
const calls = (
  front: (call: Json, asked: Asked, ask: Ask) => Response | Promise<Response>,
): Front =>
  at(ENDPOINT, (asked, ask) => (isCall(asked) ? front(jsonOf(asked), asked, ask) : ask(asked)))

/** A dispatcher of two methods, as UCP's own client needs no more: tools/list and tools/call. */
export const withoutInitialize: Front = calls((call, asked, ask) =>
  call.method === 'tools/list' || call.method === 'tools/call'
    ? ask(asked)
    : error(call, 404, -32601, 'Method not found'),
)

/**
 * Sessions as MCP's TypeScript SDK keeps them (WebStandardStreamableHTTPServerTransport with a
 * `sessionIdGenerator`): `initialize` opens one, and every other call has to name it.
 */
export function withSessions(): Front {
  const open = new Set<string>()
  return at(ENDPOINT, async (asked, ask) => {
    const id = asked.headers.get('mcp-session-id')
    const call = jsonOf(asked)
    if (isCall(asked) && call.method === 'initialize') {
      const answer = await ask(asked)
      const fresh = `session-${open.size + 1}`
      open.add(fresh)
      return withBody(answer, await answer.text(), { 'mcp-session-id': fresh })
    }
    if (!isCall(asked) && asked.method !== 'DELETE') return ask(asked)
    if (id === null) {
      return error({}, 400, -32000, 'Bad Request: Mcp-Session-Id header is required')
    }
    if (!open.has(id)) return error({}, 404, -32001, 'Session not found')
    if (asked.method === 'DELETE') {
      open.delete(id)
      return new Response(null, { status: 200 })
    }
    return ask(asked)
  })
}

const STATELESS = '2026-07-28'
const NO_HANDSHAKE = createMcpHandler(
  () => new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } }),
  { legacy: 'reject' },
)

/**
 * Of the newest revision alone: whatever speaks another is answered by the SDK, which refuses it.
 */
export const onlyStateless: Front = calls((call, asked, ask) => {
  if (asked.headers.get('mcp-protocol-version') === STATELESS) return ask(asked)
  const request = new Request(`https://${asked.host}${asked.path}`, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(asked.headers),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
  })
  return NO_HANDSHAKE.fetch(request, { parsedBody: call })
})

/** Every answer to a call is a stream of one event, for clients that accept streams. */
export const asStream: Front = calls(async (call, asked, ask) => {
  const answer = await ask(asked)
  const accepts = asked.headers.get('accept')?.includes('text/event-stream')
  if (!accepts || call.id === undefined || answer.status !== 200) return answer
  return withBody(answer, `event: message\ndata: ${await answer.text()}\n\n`, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
  })
})

/** tools/list in pages; a cursor is the number of tools before the page. */
export const inPages = (size: number): Front =>
  calls(async (call, asked, ask) => {
    if (call.method !== 'tools/list') return ask(asked)
    const { cursor } = isRecord(call.params) ? call.params : {}
    const from = cursor === undefined ? 0 : Number(cursor)
    if (!Number.isInteger(from)) return error(call, 200, -32602, 'Invalid cursor')
    return changed(await ask(withJson(asked, { ...call, params: {} })), (body) =>
      patch(body, 'result', (result) => {
        const tools = Array.isArray(result.tools) ? result.tools : []
        const to = from + size
        return {
          ...result,
          tools: tools.slice(from, to),
          ...(to < tools.length && { nextCursor: String(to) }),
        }
      }),
    )
  })

/** tools/list without the tools of these names. */
export const withoutTools = (names: RegExp): Front =>
  calls(async (_, asked, ask) =>
    changed(await ask(asked), (body) =>
      patch(body, 'result', (result) =>
        Array.isArray(result.tools)
          ? { ...result, tools: result.tools.filter(({ name }) => !names.test(String(name))) }
          : result,
      ),
    ),
  )

/**
 * OAuth before all else, as MCP's authorization has it, with its metadata where the header says.
 */
export const withOAuth: Front = async (asked, ask) => {
  const origin = `https://${asked.host}`
  const metadata = '/.well-known/oauth-protected-resource/ucp/mcp'
  if (asked.path === metadata) {
    return Response.json({
      resource: `${origin}/ucp/mcp`,
      authorization_servers: [`${origin}/login`],
      bearer_methods_supported: ['header'],
    })
  }
  if (!ENDPOINT.test(asked.path) || asked.headers.has('authorization')) return ask(asked)
  return Response.json(
    { error: 'invalid_token', error_description: 'Missing Authorization header' },
    {
      status: 401,
      headers: { 'www-authenticate': `Bearer resource_metadata="${origin}${metadata}"` },
    },
  )
}
