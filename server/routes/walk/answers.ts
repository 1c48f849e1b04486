import type { Context } from 'hono'
import * as z from 'zod'
import { isWalkOver, type WalkListed, WalkShown } from '../../../shared/walk/stored-walk.ts'
import { coveredBy } from '../../access/covered-domains.ts'
import { walkPath } from '../../audit/walk/jobs.ts'
import { addressesBelow, listedWalk, transcriptSoFar } from '../../audit/walk/read-walk.ts'
import { findWalk, lastEventOf, type WalkLine } from '../../db/audit/walks.ts'
import { isUuid } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import type { ServerEnv } from '../../http/env.ts'
import { hasTag } from '../../http/kept-text.ts'
import { component, jsonContent } from '../openapi/component.ts'
import { headerRefs } from '../openapi/headers.ts'
import { TRANSCRIPT, WALKED } from './examples.ts'
import { exportContent } from './export.ts'

export const TAGS = ['Walk']
export const KEY = [{ key: ['audit'] }]
/** The errors of requests for one walk. */
export const READ = [401, 403, 404, 405, 500, 503] as const
export const GONE = 'There is no such walk of your domains (`walk_not_found`).'
export const TOO_MANY_READERS =
  'Temporarily unavailable, or too many watch this walk (`database_unavailable`, `busy`): see `Retry-After`.'

export const WalkById = z.object({ id: z.string().describe('The id of the walk') })

/** The API's documentation of a walk that is answered in one of three forms. */
export const WALK_RESPONSES = {
  polled: {
    200: {
      description:
        'The walk and its transcript as far as it is. `Retry-After` says when to ask again',
      headers: headerRefs('ETag', 'Retry-After'),
      content: jsonContent(component('Walk', WalkShown), { ...WALKED, transcript: TRANSCRIPT }),
    },
    304: {
      description: 'Nothing has changed since the `ETag` of `If-None-Match`',
      headers: headerRefs('ETag', 'Retry-After'),
    },
  },
  streamed: {
    200: {
      description:
        'Events as they come: `route`, `browsed`, `purchase`, `step`, `purchased`, `pages`, `page`, and `ended` with the whole transcript. With `Last-Event-ID` it goes on after that one',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    204: { description: '`Last-Event-ID` is that of the last event' },
  },
  pictured: {
    200: {
      description: 'The page as a browser showed it. It is kept for 30 days at most',
      content: { 'image/jpeg': { schema: z.string().meta({ format: 'binary' }) } },
    },
  },
  exported: {
    200: {
      description: 'The transcript as a file',
      headers: headerRefs('Content-Disposition'),
      content: exportContent,
    },
  },
}

/** Walks in the form of the API. */
export function walkAnswers({ db, baseUrl }: Pick<Deps, 'db' | 'baseUrl'>) {
  const ownAddresses = ({ id }: WalkLine) => addressesBelow(baseUrl + walkPath(id))
  /** A walk for the holder of a key. */
  const listed = (row: WalkLine): WalkListed => listedWalk(row, ownAddresses(row))

  /** With its transcript; 304 if the client has it already. */
  async function show(c: Context<ServerEnv>, row: WalkLine, addresses = ownAddresses(row)) {
    const isOver = isWalkOver(row.state)
    const etag = `"${row.state}-${row.events ?? (await lastEventOf(db, row))}"`
    const headers = { ETag: etag, ...(!isOver && { 'Retry-After': '1' }) }
    if (hasTag(c, etag)) return c.body(null, 304, headers)
    const transcript = await transcriptSoFar(db, row)
    return c.json({ ...listedWalk(row, addresses), transcript }, 200, headers)
  }

  // Unspecified: every key that covers the domain and has the scope `audit` sees its walks, like
  // its audits. For other keys a walk does not exist.
  async function ownWalk(c: Context<ServerEnv>, id: string): Promise<WalkLine> {
    const row = isUuid(id) ? await findWalk(db, id, coveredBy(c.var.key.domains)) : null
    if (row !== null) return row
    throw new ApiError(
      404,
      'walk_not_found',
      'There is no such walk of your domains. Ask GET /api/walk?domain=… for those there are.',
    )
  }

  return { listed, show, ownWalk }
}
