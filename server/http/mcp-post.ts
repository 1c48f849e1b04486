import {
  createMcpHandler,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { field, isRecord } from '../../shared/web/json/json.ts'

/** The first revision without a handshake: every request says in its headers what it is. */
const STATELESS_REVISION = '2026-07-28'

/** A call that is refused as JSON-RPC has it. The status is that of the same refusal over REST. */
export interface McpRefusal {
  status: number
  code: number
  message: string
  data?: Record<string, unknown>
  headers?: Record<string, string>
}

/** The server failed (JSON-RPC 2.0, 5.1). */
export const INTERNAL_ERROR = -32603
export const INVALID_PARAMS = -32602
const PARSE_ERROR = -32700
const METHOD_NOT_FOUND = -32601
const INVALID_REQUEST = -32600

/** An id that JSON-RPC allows (JSON-RPC 2.0, 5); null where a message has none. */
export type RpcId = string | number | null

export function idOf(body: unknown): RpcId {
  const id = isRecord(body) ? body.id : null
  return typeof id === 'string' || Number.isFinite(id) ? (id as RpcId) : null
}

/** Why an endpoint without sessions cannot answer a POST as a message; null if it can. */
export function postFault(raw: Request, body: unknown): McpRefusal | null {
  const malformed = messageFault(raw, body)
  if (malformed !== null) return malformed
  // The SDK answers it by a stream that never ends.
  if (field(body, 'method') === 'subscriptions/listen') {
    const message = 'This endpoint has no subscriptions: its tools do not change.'
    return { status: 404, code: METHOD_NOT_FOUND, message }
  }
  const revision = revisionOf(raw)
  if (isStateless(raw, body) || revision === null || isKnown(revision)) return null
  return {
    status: 400,
    code: INVALID_REQUEST,
    message: `Send one of these values in MCP-Protocol-Version: ${STATELESS_REVISION}, ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
  }
}

function messageFault(raw: Request, body: unknown): McpRefusal | null {
  const type = raw.headers.get('content-type')
  if (type !== null && !/^application\/json\s*(;|$)/i.test(type)) {
    return { status: 415, code: INVALID_REQUEST, message: 'Send Content-Type: application/json.' }
  }
  if (body === undefined) {
    return { status: 400, code: PARSE_ERROR, message: 'The body is not valid JSON.' }
  }
  if (Array.isArray(body)) {
    // A batch could cancel one of its own requests, whose answer would be awaited forever.
    const message = 'Send one message in each request, not a batch.'
    return { status: 400, code: INVALID_REQUEST, message }
  }
  const isMessage =
    isRecord(body) && body.jsonrpc === '2.0' && Object.hasOwn(body, 'method')
      ? typeof body.method === 'string' && (body.id === undefined || idOf(body) !== null)
      : false
  if (isMessage) return null
  return {
    status: 400,
    code: INVALID_REQUEST,
    message: 'Send a JSON-RPC 2.0 request: jsonrpc "2.0", a method, and a string or number as id.',
  }
}

const revisionOf = (raw: Request) => raw.headers.get('mcp-protocol-version')
const isKnown = (revision: string) => SUPPORTED_PROTOCOL_VERSIONS.includes(revision)

/**
 * Whether the message is of a revision without a handshake. Some clients send Mcp-Method in every
 * revision: to those that shake hands it means nothing.
 */
export function isStateless(raw: Request, body: unknown): boolean {
  const revision = revisionOf(raw)
  return (
    revision === STATELESS_REVISION ||
    (raw.headers.has('mcp-method') && !isKnown(revision ?? '')) ||
    field(field(field(body, 'params'), '_meta'), PROTOCOL_VERSION_META_KEY) !== undefined
  )
}

/**
 * The SDK's answer to a message without `postFault`, by a server of its own: nothing is kept after
 * it. One JSON document regardless of `Accept`, unless `streams` lets messages go ahead of it as
 * server-sent events. With `signal`, which says that the caller has left, the work ends, and
 * the promise rejects with its reason.
 */
export async function answerBySdk(
  server: Server,
  raw: Request,
  body: unknown,
  { streams, signal }: { streams: boolean; signal?: AbortSignal },
): Promise<Response> {
  // The SDK refuses clients that do not also accept event streams, which it may not send here.
  const headers = new Headers(raw.headers)
  headers.set('accept', 'application/json, text/event-stream')
  headers.set('content-type', 'application/json')
  const request = new Request(raw.url, { method: 'POST', headers, ...(signal && { signal }) })
  const work = isStateless(raw, body)
    ? createMcpHandler(() => server, { legacy: 'reject' }).fetch(request, {
        parsedBody: streams ? body : withoutProgress(body),
      })
    : answerInitialized(server, request, { body, streams, signal })
  return signal === undefined ? work : Promise.race([work, untilLeft(signal)])
}

/**
 * The message without its wish for progress: with nothing sent ahead, the SDK answers in one
 * document.
 */
function withoutProgress(body: unknown): unknown {
  const params = field(body, 'params')
  const meta = field(params, '_meta')
  if (!isRecord(body) || !isRecord(params) || !isRecord(meta)) return body
  const { progressToken: _unwanted, ...rest } = meta
  return { ...body, params: { ...params, _meta: rest } }
}

/** Rejects with the signal's reason; the SDK leaves a call open whose transport is closed. */
const untilLeft = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })

async function answerInitialized(
  server: Server,
  request: Request,
  { body, streams, signal }: { body: unknown; streams: boolean; signal: AbortSignal | undefined },
): Promise<Response> {
  const close = () => void server.close().catch(() => {})
  signal?.addEventListener('abort', close, { once: true })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams })
  await server.connect(transport)
  if (signal?.aborted) close()
  let isStreamed = false
  try {
    const response = await transport.handleRequest(request, { parsedBody: body })
    isStreamed = isEventStream(response)
    return isStreamed ? whenRead(response, close) : response
  } finally {
    if (!isStreamed) await server.close()
  }
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

/** Runs `then` once the body was sent, or its reader has left. */
function whenRead(response: Response, then: () => void): Response {
  if (response.body === null) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      controller.close()
      then()
    },
    async cancel(reason) {
      then()
      await reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
