import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { isWalkOver } from '../../shared/walk/stored-walk.ts'
import type { WalkEvent } from '../../shared/walk/transcript.ts'
import { transcriptSoFar } from '../audit/walk/read-walk.ts'
import { listWalkEvents, readWalk, type WalkLine } from '../db/walks.ts'
import type { Deps } from '../deps.ts'
import type { ServerEnv } from '../http/env.ts'
import { overloaded } from '../http/errors.ts'

/** How often the database is asked for what came: the walk may run in another process. */
const ASK_MS = 250

/** Proxies close connections on which nothing is sent, many after 30 seconds. */
const HEARTBEAT_MS = 15_000

/** What a browser waits before it connects again. */
const RETRY_MS = 2_000

/** Events of one question to the database. */
const PAGE = 200

// Unspecified: 20 may watch a walk on one process at the same time; more get 503. Each asks the
// database, and a link can be given to anyone.
const WATCHERS = 20

type StreamDeps = Pick<Deps, 'db' | 'log' | 'isShuttingDown'>

/**
 * Answers with the events of a walk as server-sent events (HTML, 9.2), each with its number as id,
 * and ends after `ended`. `Last-Event-ID` goes on after that one: 204 after the last, which tells
 * browsers not to connect again. While the service stops it ends as well, and is to be asked again.
 */
export function createWalkStreams({ db, log, isShuttingDown }: StreamDeps) {
  const watchers = new Map<string, number>()
  const watch = (id: string, change: 1 | -1) => {
    const left = (watchers.get(id) ?? 0) + change
    if (left > 0) watchers.set(id, left)
    else watchers.delete(id)
  }

  /** Writes what came after the event with this number, until the walk has ended. */
  async function follow(stream: SSEStreamingApi, walk: WalkLine, after: number): Promise<void> {
    const write = (n: number, event: WalkEvent) =>
      stream.writeSSE({ id: String(n), event: event.event, data: JSON.stringify(event) })
    let last = after
    let wroteAt = performance.now()
    while (!stream.aborted) {
      // Before the events: all of them are there once it has ended.
      const row = await readWalk(db, walk)
      if (row === null) return
      const events = await listWalkEvents(db, row, last, PAGE)
      for (const { n, event } of events) {
        await write(n, event)
        last = n
        wroteAt = performance.now()
      }
      if (events.length === PAGE) continue
      if (isWalkOver(row.state)) {
        const transcript = await transcriptSoFar(db, row)
        return write(row.events ?? last + 1, { event: 'ended', transcript })
      }
      if (isShuttingDown()) return
      if (performance.now() - wroteAt > HEARTBEAT_MS) {
        await stream.write(': still under way\n\n')
        wroteAt = performance.now()
      }
      await sleep(ASK_MS)
    }
  }

  return (c: Context<ServerEnv>, walk: WalkLine): Response => {
    const after = numberOf(c.req.header('Last-Event-ID'))
    if (isWalkOver(walk.state) && after >= (walk.events ?? Number.POSITIVE_INFINITY)) {
      return c.body(null, 204)
    }
    if ((watchers.get(walk.id) ?? 0) >= WATCHERS) throw overloaded()
    watch(walk.id, 1)
    // nginx would collect what belongs together in time.
    c.header('X-Accel-Buffering', 'no')
    return streamSSE(c, async (stream) => {
      try {
        await stream.write(`retry: ${RETRY_MS}\n\n`)
        await follow(stream, walk, after)
      } catch (err) {
        // The client connects again, and goes on where it was.
        log.warn({ err, walk: walk.id }, 'events of a walk not read')
      } finally {
        watch(walk.id, -1)
      }
    })
  }
}

const numberOf = (header: string | undefined): number =>
  header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : 0
