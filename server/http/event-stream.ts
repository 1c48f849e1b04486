import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { findKey, isValid } from '../db/access/keys.ts'
import type { Db } from '../db/connect.ts'
import type { Log } from '../process/log.ts'
import { overloaded } from './api-error.ts'
import { clientAddress, networkOf, type TrustedProxies } from './client-address.ts'
import type { ServerEnv } from './env.ts'

/** How often the database is asked for what came: what is watched may run in another process. */
const ASK_MS = 250

/** Proxies close connections on which nothing is sent, many after 30 seconds. */
const HEARTBEAT_MS = 15_000

/** What a browser waits before it connects again. */
const RETRY_MS = 2_000

// Unspecified: 20 may watch the same thing on one process at the same time, ten of them from one
// network; more get 503. Each asks the database, and an address can be given to anyone.
const WATCHERS = 20
const WATCHERS_OF_NETWORK = 10

/** How often it is asked whether the caller's key is still valid. */
const REVIEW_MS = 2_000

/** An event as it is sent (HTML, 9.2). */
interface SentEvent {
  id?: string
  event: string
  data: string
}

/** `more`: there is more already. `wait`: nothing more came yet. `end`: it is over. */
export type TellNext = (
  send: (event: SentEvent) => Promise<void>,
) => Promise<'more' | 'wait' | 'end'>

interface StreamDeps {
  db: Db
  now: () => Date
  trustedProxies: TrustedProxies
  log: Log
  isShuttingDown: () => boolean
}

/**
 * Answers with server-sent events about something that goes on, named by `id`: `next` is asked
 * again and again for what came. While the service stops the stream ends, and is to be asked for
 * again. It also ends when what lets the caller in does: the key of the request, or what
 * `isOpen` says.
 */
export function createEventStreams(deps: StreamDeps) {
  const { db, now, trustedProxies, log, isShuttingDown } = deps
  const watchers = new Map<string, number>()
  const watching = (name: string) => watchers.get(name) ?? 0
  const watch = (names: readonly string[], change: 1 | -1) => {
    for (const name of names) {
      const left = watching(name) + change
      if (left > 0) watchers.set(name, left)
      else watchers.delete(name)
    }
  }
  const hasValidKey = async (c: Context<ServerEnv>): Promise<boolean> => {
    const key = c.get('key')
    return key === undefined || isValid(await findKey(db, key.id), now())
  }

  return (
    c: Context<ServerEnv>,
    id: string,
    next: TellNext,
    isOpen: () => Promise<boolean> = () => hasValidKey(c),
  ): Response => {
    // hono answers HEAD by GET and lets its body lie (hono/dist/hono-base.js, `#dispatch`): a
    // stream would stay open.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
    const ofNetwork = `${id} ${networkOf(clientAddress(c, trustedProxies))}`
    if (watching(id) >= WATCHERS || watching(ofNetwork) >= WATCHERS_OF_NETWORK) throw overloaded()
    watch([id, ofNetwork], 1)
    // nginx would collect what belongs together in time.
    c.header('X-Accel-Buffering', 'no')
    const answer = streamSSE(c, async (stream) => {
      let wroteAt = performance.now()
      let reviewedAt = wroteAt
      const send = async (event: SentEvent) => {
        await stream.writeSSE(event)
        wroteAt = performance.now()
      }
      try {
        await stream.write(`retry: ${RETRY_MS}\n\n`)
        while (!stream.aborted) {
          const then = await next(send)
          if (then === 'end') return
          if (then === 'more') continue
          if (isShuttingDown()) return
          if (performance.now() - reviewedAt > REVIEW_MS) {
            if (!(await isOpen())) return
            reviewedAt = performance.now()
          }
          if (performance.now() - wroteAt > HEARTBEAT_MS) {
            await stream.write(': still under way\n\n')
            wroteAt = performance.now()
          }
          await sleep(ASK_MS)
        }
      } catch (err) {
        // The client connects again, and goes on where it was.
        log.warn({ err, watched: id }, 'events not read')
      } finally {
        watch([id, ofNetwork], -1)
      }
    })
    // hono says `no-cache`, with which a cache may keep it.
    answer.headers.set('Cache-Control', 'no-store')
    return answer
  }
}
