import {
  createMcpHandler,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { beforeEach, expect, test } from 'vitest'
import { mcpBody } from '../../../shared/protocols/mcp-answer.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import { callTool, openMcp } from './mcp.ts'
import { auditSession } from './session.ts'
import { fetcherTo } from './testing/fetcher.ts'

const TOOLS = [{ name: 'search_catalog', inputSchema: { type: 'object' as const } }]
const PAYLOAD = { ucp: { version: '2026-08-25' }, products: [] }
const NOT_FOUND = 'The page does not exist.'

type Given = Record<string, unknown>
let given: Given[] = []

/** The SDK's server, as shops build on it. */
function sdkServer(): Server {
  const server = new Server({ name: 'shop', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }))
  server.setRequestHandler('tools/call', ({ params }) => {
    given.push(params.arguments ?? {})
    return {
      content: [{ type: 'text', text: JSON.stringify(PAYLOAD) }],
      structuredContent: PAYLOAD,
    }
  })
  return server
}

const bySdk = (enableJsonResponse: boolean) => async (request: Request) => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse })
  await sdkServer().connect(transport)
  return transport.handleRequest(request)
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
let opened = 0

/** The SDK's server with sessions: nothing before the handshake. */
async function stateful(request: Request): Promise<Response> {
  const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
  if (known) return known.handleRequest(request)
  opened += 1
  const id = `session-${opened}`
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessioninitialized: () => void sessions.set(id, transport),
    onsessionclosed: () => void sessions.delete(id),
  })
  await sdkServer().connect(transport)
  return transport.handleRequest(request)
}

interface Rpc {
  id?: number
  method: string
  params?: Given
}
const reply = (id: unknown, result: object, init?: ResponseInit) =>
  Response.json({ jsonrpc: '2.0', id, result }, init)
const refusal = (status: number, code: number, message: string) =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })

/** The server of a shop that has written it itself, and knows these methods alone. */
const plain = (methods: Record<string, (rpc: Rpc) => Response>) => async (request: Request) => {
  const rpc = (await request.json()) as Rpc
  return methods[rpc.method]?.(rpc) ?? refusal(200, -32601, 'Method not found')
}
const list = ({ id }: Rpc) => reply(id, { tools: TOOLS })
const call = ({ id, params }: Rpc) => {
  given.push(params?.arguments as Given)
  return reply(id, { structuredContent: PAYLOAD })
}

const PAGED = plain({
  'tools/list': ({ id, params }) => {
    const at = Number(params?.cursor ?? 0)
    return reply(id, { tools: [{ name: `tool_${at}` }], nextCursor: String(at + 1) })
  },
})

/** Wants a session, and says so as the SDK of Python does. */
const pythonic = async (request: Request) => {
  if (request.method === 'DELETE') return new Response(null, { status: 200 })
  const { id, method } = (await request.json()) as Rpc
  if (method === 'initialize') {
    const headers = { 'mcp-session-id': 'py' }
    return reply(id, { protocolVersion: '2025-03-26', capabilities: {} }, { headers })
  }
  if (request.headers.get('mcp-session-id') !== 'py') {
    return refusal(400, -32600, 'Bad Request: Missing session ID')
  }
  return reply(
    id,
    request.headers.get('mcp-protocol-version') === '2025-03-26' ? { tools: TOOLS } : {},
  )
}

const text =
  (status: number, body: string, type = 'text/html') =>
  async () =>
    new Response(body, { status, headers: { 'content-type': type } })

const SERVERS: Record<string, (request: Request) => Promise<Response>> = {
  own: plain({ 'tools/list': list, 'tools/call': call }),
  calls: plain({ 'tools/call': call }),
  json: bySdk(true),
  stream: bySdk(false),
  stateful,
  pythonic,
  modern: (request) => createMcpHandler(sdkServer, { legacy: 'reject' }).fetch(request),
  both: (request) => createMcpHandler(sdkServer).fetch(request),
  empty: plain({ 'tools/list': ({ id }) => reply(id, { tools: [] }) }),
  paged: PAGED,
  primed: text(
    200,
    `id: 1\ndata:\n\n: ping\n\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":{"tools":[{"name":"a"}]}}\n\n`,
    'text/event-stream',
  ),
  closed: text(401, '{"error":"unauthorized"}', 'application/json'),
  blocked: text(403, 'No.'),
  gone: text(404, `<h1>${NOT_FOUND}</h1>`),
  down: text(503, ''),
  moved: async () => Response.redirect('https://own.example/mcp', 307),
}

let seen: { method: string; accept: string; rpc: string | undefined }[] = []
const front = new Hono().all('*', async (c) => {
  const body = c.req.method === 'POST' ? await c.req.raw.clone().json() : undefined
  const accept = c.req.header('accept') ?? ''
  seen.push({ method: c.req.method, accept, rpc: body?.method })
  const serve = SERVERS[new URL(c.req.url).hostname.split('.')[0] ?? '']
  return serve ? serve(c.req.raw) : c.notFound()
})
const fetcher = await fetcherTo(front)
const session = auditSession(fetcher.open(), JUDGES_HERE)

beforeEach(() => {
  seen = []
  given = []
})

const open = (name: string, version: unknown = '2026-08-25') =>
  openMcp(auditSession(fetcher.open(), JUDGES_HERE), {
    url: `https://${name}.example/mcp`,
    version,
  })

const LIST = 'tools/list'
const HELLO = ['initialize', 'notifications/initialized', LIST]

test.each([
  ['own', 'plain', [LIST]],
  ['json', 'event_stream', [LIST, LIST]],
  ['stream', 'event_stream', [LIST, LIST]],
  ['both', 'event_stream', [LIST, LIST]],
  ['stateful', 'handshake', [LIST, LIST, ...HELLO]],
  ['pythonic', 'handshake', [LIST, ...HELLO]],
  ['modern', 'stateless', [LIST, LIST]],
  ['primed', 'plain', [LIST]],
  ['paged', 'plain', [LIST, LIST, LIST]],
  ['empty', 'plain', [LIST, 'initialize', LIST]],
  ['calls', null, [LIST, 'initialize', LIST]],
  ['closed', null, [LIST]],
  ['blocked', null, [LIST]],
  ['gone', null, [LIST]],
  ['down', null, [LIST]],
  ['moved', null, [LIST]],
  ['nobody', null, [LIST]],
])('%s is asked in as few requests as it takes: %s', async (name, how, asked) => {
  const mcp = await open(name)
  expect(mcp.seen.how).toBe(how)
  expect(seen.map(({ rpc }) => rpc)).toEqual(asked)
  expect(seen[0]?.accept).toBe('application/json')
  expect(mcp.seen.tried.length).toBeLessThanOrEqual(4)
  await mcp.close()
  await mcp.close()
  const ended = seen.filter(({ method }) => method === 'DELETE').length
  expect(ended).toBe(['stateful', 'pythonic'].includes(name) ? 1 : 0)
})

test.each(['own', 'calls', 'json', 'stream', 'both', 'stateful', 'modern'])(
  'a tool of %s is called as it wants, in the name of our profile',
  async (name) => {
    const mcp = await open(name)
    const answer = await callTool(mcp, 'search_catalog', { catalog: { query: 'tent' } })
    await mcp.close()
    expect(mcpBody(answer)).toEqual({ body: PAYLOAD })
    const profile = `${session.agentBase}/.well-known/ucp-agent`
    expect(given).toEqual([{ meta: { 'ucp-agent': { profile } }, catalog: { query: 'tent' } }])
  },
)

test.each([
  ['2026-04-08', '/.well-known/ucp-agent/2026-04-08'],
  ['2026-08-25', '/.well-known/ucp-agent'],
  // No version that we have a profile in: the newest.
  ['2031-01-01', '/.well-known/ucp-agent'],
  [undefined, '/.well-known/ucp-agent'],
])("the store's version %s is answered by our profile %s", async (version, path) => {
  const { profile } = await open('own', version)
  expect(profile).toBe(`${session.agentBase}${path}`)
})

test('pages of tools are read, at most two more', async () => {
  const { seen } = await open('paged')
  expect(seen.more).toHaveLength(2)
})
