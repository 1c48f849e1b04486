import {
  createServer,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http'
import { Server as SocketServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import * as z from 'zod'

const REQUEST_MS = 10_000
const HEADERS_MS = 5_000
const CHECK_MS = 500

/**
 * Longer than proxies keep a connection that is idle (Caddy: two minutes), so that they close it: one
 * that we close may carry their next request already.
 */
const IDLE_MS = 130_000

/** While it drains, a request that is still being sent is given this much. */
const SLOW_MS = 2_000

/** Left of the grace for what comes after the last request: what is queued, the database. */
export const CLOSING_MS = 1_000

/** For the request that is on its way when the last connections are closed. */
const SETTLE_MS = 500

/** How a program stops, in milliseconds from the signal. */
export interface StopTimes {
  /** It is not ready, closes connections after their answer, and still takes every request. */
  delayMs: number
  /** By then everything is over. */
  graceMs: number
}

// Unspecified: after SIGTERM a program answers for three more seconds, so that proxies learn that it
// leaves, and everything is over after nine: Docker kills after ten.
export const STOP_TIMES: StopTimes = { delayMs: 3_000, graceMs: 9_000 }

const Seconds = z.coerce.number().min(0).max(3600)

/** Reads STOP_DELAY and STOP_GRACE, in seconds. The error says how to fix it. */
export function readStopTimes(read: (name: string) => string | undefined): StopTimes {
  const msOf = (name: string, otherwise: number) => {
    const text = read(name)
    const seconds = Seconds.safeParse(text ?? otherwise / 1000)
    if (seconds.success) return seconds.data * 1000
    throw new Error(`${name} is "${text}". Give a number of seconds from 0 to 3600.`)
  }
  const delayMs = msOf('STOP_DELAY', STOP_TIMES.delayMs)
  const graceMs = msOf('STOP_GRACE', STOP_TIMES.graceMs)
  if (graceMs - delayMs >= SLOW_MS + CLOSING_MS) return { delayMs, graceMs }
  throw new Error(
    `STOP_GRACE is ${graceMs / 1000} seconds and STOP_DELAY ${delayMs / 1000}. Leave at least ${(SLOW_MS + CLOSING_MS) / 1000} seconds between them, in which requests end.`,
  )
}

export interface Listener {
  /** Resolves to the port in use: chosen by the system for 0. The error says how to fix it. */
  listen: (
    fetch: Parameters<typeof getRequestListener>[0],
    at: { host: string; port: number; setting: string },
  ) => Promise<number>
  /** From the signal on. */
  isStopping: () => boolean
  /** `announced`: proxies are given time to learn of it. Resolves when no connection is left. */
  stop: (announced?: boolean) => Promise<void>
}

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** A server for HTTP that stops without an error for anyone behind a proxy. */
export function createListener({ delayMs, graceMs }: StopTimes): Listener {
  let stopping = false
  let server: Server | null = null

  class Answer extends ServerResponse {
    // Set last of all: the request may be older than the signal.
    override writeHead(status: number, message?: string, headers?: Head): this
    override writeHead(status: number, headers?: Head): this
    override writeHead(status: number, first?: string | Head, headers?: Head): this {
      if (stopping) this.setHeader('Connection', 'close')
      return typeof first === 'string'
        ? super.writeHead(status, first, headers)
        : super.writeHead(status, first ?? headers)
    }
  }

  return {
    isStopping: () => stopping,

    listen: (fetch, { host, port, setting }) => {
      const listening = createServer(
        {
          ServerResponse: Answer,
          requestTimeout: REQUEST_MS,
          headersTimeout: HEADERS_MS,
          keepAliveTimeout: IDLE_MS,
          connectionsCheckingInterval: CHECK_MS,
        },
        // HTTP/1.0 needs no Host, and proxies ask for readiness in it (haproxy's httpchk).
        getRequestListener(fetch, { hostname: 'localhost' }),
      )
      return new Promise((resolve, reject) => {
        listening.once('error', (cause: NodeJS.ErrnoException) => {
          const why =
            cause.code === 'EADDRINUSE'
              ? `Port ${port} of ${host} is already in use. Stop the program that uses it, or set ${setting} to another port.`
              : `Cannot listen on port ${port} of ${host} (${cause.message}). Check HOST and ${setting}.`
          reject(new Error(why, { cause }))
        })
        listening.listen(port, host, () => {
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

/** Resolves when every request is answered, or the time is over. */
async function drain(server: Server, { settleMs, leftMs }: { settleMs: number; leftMs: number }) {
  // What is slow to send gets 408 within a few seconds.
  server.requestTimeout = SLOW_MS
  server.headersTimeout = SLOW_MS
  const late = setTimeout(() => server.closeAllConnections(), leftMs)
  let idle: NodeJS.Timeout | undefined
  const settled = setTimeout(() => {
    server.closeIdleConnections()
    idle = setInterval(() => server.closeIdleConnections(), 50)
  }, settleMs)
  // That of HTTP would close idle connections at once, and no longer look for slow requests.
  await new Promise((resolve) => SocketServer.prototype.close.call(server, resolve))
  for (const timer of [late, settled, idle]) clearTimeout(timer)
  // Nothing listens any more: this ends the look-out for slow requests.
  server.close(() => {})
}
