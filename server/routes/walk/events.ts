import type { Context } from 'hono'
import { isWalkOver } from '../../../shared/walk/stored-walk.ts'
import type { WalkEvent } from '../../../shared/walk/transcript.ts'
import { transcriptSoFar } from '../../audit/walk/read-walk.ts'
import { listWalkEvents, readWalk, type WalkLine } from '../../db/audit/walks.ts'
import type { Deps } from '../../deps.ts'
import type { ServerEnv } from '../../http/env.ts'
import { createEventStreams, type TellNext } from '../../http/event-stream.ts'

/** The maximum of events per query. */
const PAGE = 200

/**
 * Answers with the events of a walk as server-sent events (HTML, 9.2), each with its number as id,
 * and ends after `ended`. `Last-Event-ID` continues after that one: 204 after the last, which keeps
 * browsers from connecting again.
 */
export function createWalkStreams(
  deps: Pick<Deps, 'db' | 'now' | 'trustedProxies' | 'log' | 'isShuttingDown'>,
) {
  const { db } = deps
  const stream = createEventStreams(deps)

  /** The events after this number, until the walk has ended. */
  function after(walk: WalkLine, seen: number): TellNext {
    let last = seen
    return async (send) => {
      const write = (n: number, event: WalkEvent) =>
        send({ id: String(n), event: event.event, data: JSON.stringify(event) })
      // Read before the events: once it has ended, all of them are there.
      const row = await readWalk(db, walk)
      if (row === null) return 'end'
      const events = await listWalkEvents(db, row, last, PAGE)
      for (const { n, event } of events) {
        await write(n, event)
        last = n
      }
      if (events.length === PAGE) return 'more'
      if (!isWalkOver(row.state)) return 'wait'
      const transcript = await transcriptSoFar(db, row)
      await write(row.events ?? last + 1, { event: 'ended', transcript })
      return 'end'
    }
  }

  return (c: Context<ServerEnv>, walk: WalkLine, isOpen?: () => Promise<boolean>): Response => {
    const seen = numberOf(c.req.header('Last-Event-ID'))
    if (isWalkOver(walk.state) && seen >= (walk.events ?? Number.POSITIVE_INFINITY)) {
      return c.body(null, 204)
    }
    return stream(c, walk.id, after(walk, seen), isOpen)
  }
}

const numberOf = (header: string | undefined): number =>
  header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : 0
