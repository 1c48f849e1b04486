import { OpenAPIHono } from '@hono/zod-openapi'
import { field } from '../../shared/web/json/json.ts'
import { createAuthenticator } from '../access/auth.ts'
import type { Deps } from '../deps.ts'
import { ApiError, callerLeft } from '../http/api-error.ts'
import { limitBody } from '../http/body-limit.ts'
import type { OwnCall, ServerEnv } from '../http/env.ts'
import { answerBySdk, idOf, isStateless, type McpRefusal, postFault } from '../http/mcp-post.ts'
import { type AskApi, apiBackend } from '../mcp/api-backend.ts'
import { MCP_PATH } from '../mcp/path.ts'
import { createMcpServer } from '../mcp/server.ts'
import { AISLE_VERSION } from '../version.ts'

/** The app that the tools call, which this route is part of. */
type OwnApp = (request: Request, env: OwnCall) => Response | Promise<Response>

/**
 * `POST /mcp`: the service's tools over MCP (Streamable HTTP), without sessions, so that any
 * replica answers. All of it needs a key; the API that each tool calls decides what the key may do.
 */
export function mcpRoutes(deps: Deps, ownApp: OwnApp) {
  const { log, baseUrl } = deps
  const checkKey = createAuthenticator(deps, null)
  const { origin } = new URL(baseUrl)

  const app = new OpenAPIHono<ServerEnv>()
  app.post(MCP_PATH, limitBody, async (c) => {
    // Unspecified: pages of other origins may not call it. Keys are not cookies, but DNS rebinding
    // must not let a page reach a service of this network (MCP, Transports).
    const from = c.req.header('Origin')
    if (from !== undefined && from !== origin) {
      throw new ApiError(
        403,
        'origin_not_allowed',
        'Web pages of other origins cannot call this address. Call it from your assistant or your server.',
      )
    }
    await checkKey(c)
    const authorization = c.req.header('Authorization') ?? ''
    const { signal } = c.req.raw
    const body = await c.req.json().catch(() => undefined)
    const fault = postFault(c.req.raw, body)
    if (fault !== null) return refusal(idOf(body), fault)

    const ask: AskApi = async ({
      method,
      path,
      headers: more,
      body: sent,
      signal: until,
      onAudit,
    }) => {
      const headers = {
        ...more,
        Authorization: authorization,
        Accept: 'application/json',
        ...(sent !== undefined && { 'Content-Type': 'application/json' }),
      }
      const request = new Request(new URL(path, origin), {
        method,
        headers,
        signal: until,
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
      })
      return ownApp(request, { ...(onAudit && { onAudit }) })
    }
    const server = createMcpServer({
      backend: apiBackend(ask),
      version: AISLE_VERSION,
      failed: (err, tool) =>
        log.error({ err, tool, request_id: c.var.requestId }, 'a tool of MCP failed'),
    })
    try {
      const response = await answerBySdk(server, c.req.raw, body, {
        streams: wantsProgress(c.req.raw, body),
        signal,
      })
      const headers = new Headers(response.headers)
      headers.set('Cache-Control', 'no-store')
      return new Response(response.body, { status: response.status, headers })
    } catch (error) {
      if (signal.aborted) throw callerLeft()
      throw error
    }
  })
  return app
}

/** Only clients that ask for progress and accept a stream get one. */
const wantsProgress = (raw: Request, body: unknown): boolean =>
  raw.headers.get('accept')?.includes('text/event-stream') === true &&
  (isStateless(raw, body) ||
    field(field(field(body, 'params'), '_meta'), 'progressToken') !== undefined)

const refusal = (id: ReturnType<typeof idOf>, { status, code, message, headers }: McpRefusal) =>
  Response.json(
    { jsonrpc: '2.0', id, error: { code, message } },
    { status, headers: { 'Cache-Control': 'no-store', ...headers } },
  )
