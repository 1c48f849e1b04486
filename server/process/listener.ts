import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http'
import { type Socket, Server as SocketServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { CLOSING_MS, SLOW_MS, type StopTimes } from './stop-times.ts'

const REQUEST_MS = 10_000
const HEADERS_MS = 5_000
const CHECK_MS = 500

/**
 * Longer than proxies keep idle connections (Caddy: two minutes), so that the proxy closes them: if
 * we did, its next request might already be on its way.
 */
const IDLE_MS = 130_000

/**
 * Connections that may wait to be accepted, as far as the system allows (net.core.somaxconn, 4096).
 * Node's default of 511 is too few after a restart, when all clients connect again: the others
 * would wait for a second or more.
 */
const BACKLOG = 4096

// Unspecified: a connection that reads nothing of a pending answer for a minute is closed, because
// the answer stays in memory. One without a pending answer stays.
const UNTAKEN_MS = 60_000

/** For the request that is on its way when the last connections are closed. */
const SETTLE_MS = 500

type Fetch = Parameters<typeof getRequestListener>[0]

export interface Listener {
  /** Resolves to the port in use: chosen by the system for 0. The error says how to fix it. */
  listen: (fetch: Fetch, at: { host: string; port: number; setting: string }) => Promise<number>
  /** What answers from now on. */
  answerBy: (fetch: Fetch) => void
  /** From the signal on. */
  isStopping: () => boolean
  /** `announced`: proxies get time to notice. Resolves when no connection is left. */
  stop: (announced?: boolean) => Promise<void>
}

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** An HTTP server that stops without errors for clients behind a proxy. */
export function createListener(
  { delayMs, graceMs }: StopTimes,
  untakenMs: number = UNTAKEN_MS,
): Listener {
  let stopping = false
  let server: Server | null = null
  // HTTP/1.0 needs no Host, and proxies use it to check readiness (haproxy's httpchk).
  const answererOf = (fetch: Fetch) => getRequestListener(fetch, { hostname: 'localhost' })
  let answer: ReturnType<typeof getRequestListener>

  class Answer extends ServerResponse {
    constructor(...given: ConstructorParameters<typeof ServerResponse>) {
      super(...given)
      // Called after this time without traffic in which nothing pending was read (lib/net.js,
      // `_onTimeout`). It is removed with the answer: between two, `keepAliveTimeout` counts.
      this.setTimeout(untakenMs)
      this.on('timeout', (socket: Socket) => {
        if (socket.writableLength > 0) socket.destroy()
      })
    }

    // Set last: the request may be older than the signal.
    override writeHead(status: number, message?: string, headers?: Head): this
    override writeHead(status: number, headers?: Head): this
    override writeHead(status: number, first?: string | Head, headers?: Head): this {
      // The rest of a body that is too large is not read, so nothing can follow it here.
      if (stopping || status === 413) this.setHeader('Connection', 'close')
      return typeof first === 'string'
        ? super.writeHead(status, first, headers)
        : super.writeHead(status, first ?? headers)
    }
  }

  return {
    isStopping: () => stopping,

    answerBy: (fetch) => {
      answer = answererOf(fetch)
    },

    listen: (fetch, { host, port, setting }) => {
      answer = answererOf(fetch)
      const listening = createServer(
        {
          ServerResponse: Answer,
          requestTimeout: REQUEST_MS,
          headersTimeout: HEADERS_MS,
          keepAliveTimeout: IDLE_MS,
          connectionsCheckingInterval: CHECK_MS,
        },
        (request, response) =>
          hasTwoHosts(request) ? refuseTwoHosts(response) : answer(request, response),
      )
      return new Promise((resolve, reject) => {
        listening.once('error', (cause: NodeJS.ErrnoException) => {
          const why =
            cause.code === 'EADDRINUSE'
              ? `Port ${port} of ${host} is already in use. Stop the program that uses it, or set ${setting} to another port.`
              : `Cannot listen on port ${port} of ${host} (${cause.message}). Check HOST and ${setting}.`
          reject(new Error(why, { cause }))
        })
        listening.listen({ port, host, backlog: BACKLOG }, () => {
          server = listening
          const address = listening.address()
          resolve(typeof address === 'object' && address ? address.port : port)
        })
      })
    },

    stop: async (announced) => {
      const began = performance.now()
      stopping = true
      if (server === null) return
      if (announced) await sleep(delayMs)
      await drain(server, {
        settleMs: announced ? Math.min(SETTLE_MS, delayMs) : 0,
        leftMs: graceMs - CLOSING_MS - (performance.now() - began),
      })
    },
  }
}

/** Node takes the first of several and drops the others (RFC 9112, 3.2: 400). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    if (rawHeaders[n]?.length === 4 && rawHeaders[n]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

function refuseTwoHosts(response: ServerResponse): void {
  const message = 'The request has several Host headers. Send one.'
  const error = { code: 'bad_request', message, request_id: randomUUID() }
  response
    .writeHead(400, { 'Content-Type': 'application/json', Connection: 'close' })
    .end(JSON.stringify({ error }))
}

/** Resolves when every request is answered, or the time is over. */
async function drain(server: Server, { settleMs, leftMs }: { settleMs: number; leftMs: number }) {
  // Requests that are still being sent get 408 within a few seconds.
  server.requestTimeout = SLOW_MS
  server.headersTimeout = SLOW_MS
  const late = setTimeout(() => server.closeAllConnections(), leftMs)
  let idle: NodeJS.Timeout | undefined
  const settled = setTimeout(() => {
    server.closeIdleConnections()
    idle = setInterval(() => server.closeIdleConnections(), 50)
  }, settleMs)
  // HTTP's own `close` would end idle connections immediately, and no longer time out slow
  // requests.
  await new Promise((resolve) => SocketServer.prototype.close.call(server, resolve))
  for (const timer of [late, settled, idle]) clearTimeout(timer)
  // The server no longer listens: this ends the timeouts of slow requests.
  server.close(() => {})
}
