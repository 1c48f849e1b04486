import { streamSSE } from 'hono/streaming'
import { INTENTS } from '../../../../../shared/walk/intents.ts'
import type { Transcript, WalkEvent } from '../../../../../shared/walk/transcript.ts'
import { covers } from '../../../../access/covered-domains.ts'
import { ApiError } from '../../../../http/api-error.ts'
import type { FoundWalk, WalkPages, WalkWish } from '../walk-pages.ts'

/** Walks that were made elsewhere, events that a test sends, and what was asked for. */
export function keptWalks(kept: Record<string, FoundWalk>) {
  const walks = new Map(Object.entries(kept))
  const wishes: WalkWish[] = []
  const stopped: string[] = []
  /** Of each walk its own: the end of one does not end another that is looked at. */
  const events = new Map<string, WalkEvent[]>()
  let next = Promise.withResolvers<void>()

  const pages: WalkPages = {
    findWalk: async (id, domains) => {
      const walk = walks.get(id)
      return walk !== undefined && covers(domains, walk.transcript.domain) ? walk : null
    },
    listWalks: async (domain) =>
      [...walks]
        .filter(([, { transcript }]) => transcript.domain === domain)
        .map(
          ([
            id,
            {
              isUnderWay,
              transcript: { mode, started_at },
            },
          ]) => ({
            id,
            mode,
            asked_at: started_at,
            isUnderWay,
          }),
        ),
    startWalk: async (_, wish) => {
      if (wish.domain === 'busy.example') {
        throw new ApiError(409, 'walk_under_way', 'A walk of busy.example is under way.')
      }
      wishes.push(wish)
      return { id: 'started' }
    },
    listLinks: async () => [],
    stopWalk: async ({ id }) => void stopped.push(id),
    streamWalk: async (c, { id }) => {
      const after = c.req.header('Last-Event-ID')
      let at = after === undefined ? 0 : Number(after)
      const answer = streamSSE(c, async (stream) => {
        while (!stream.aborted) {
          const { promise } = next
          for (const event of events.get(id)?.slice(at) ?? []) {
            at += 1
            const data = JSON.stringify(event)
            await stream.writeSSE({ id: String(at), event: event.event, data })
            if (event.event === 'ended') return
          }
          await Promise.race([promise, new Promise<void>((left) => stream.onAbort(left))])
        }
      })
      answer.headers.set('Cache-Control', 'no-store')
      return answer
    },
    saveWalk: (c, transcript, { format }) =>
      c.body(JSON.stringify(transcript), 200, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': `attachment; filename="${transcript.id}.${format}.txt"`,
      }),
  }
  return {
    pages,
    wishes,
    stopped,
    keep: (id: string, found: FoundWalk) => void walks.set(id, found),
    /** Sends events to those who watch this walk, and to those who will. */
    send: (id: string, ...more: WalkEvent[]) => {
      events.set(id, [...(events.get(id) ?? []), ...more])
      next.resolve()
      next = Promise.withResolvers()
    },
  }
}

export const found = (transcript: Transcript): FoundWalk => ({
  isUnderWay: transcript.ended_at === null,
  transcript,
})

export const LOOKS = INTENTS.filter(({ mode }) => mode === 'look').map(({ id }) => id)
