import { isWalkOver } from '../../../../shared/walk/stored-walk.ts'
import { coveredBy } from '../../../access/covered-domains.ts'
import { transcriptSoFar } from '../../../audit/walk/read-walk.ts'
import { listShares } from '../../../db/access/shares.ts'
import { findWalk, listWalks, readWalk } from '../../../db/audit/walks.ts'
import { isUuid } from '../../../db/uuid.ts'
import type { Deps } from '../../../deps.ts'
import { createWalkStreams } from '../../../routes/walk/events.ts'
import { answerExport } from '../../../routes/walk/export.ts'
import { walkStarter } from '../../../routes/walk/start-walk.ts'
import type { WalkPages, WalkPlace } from './walk-pages.ts'

/** The walks of the service, as its API has them. */
export function storedWalks(
  deps: Pick<Deps, 'db' | 'now' | 'log' | 'isShuttingDown' | 'walks'>,
): WalkPages {
  const { db, now, walks } = deps
  const start = walkStarter(deps)
  const stream = createWalkStreams(deps)
  /** Throws where the walk went while its page was open. */
  const find = async (walk: WalkPlace) => {
    const row = await readWalk(db, walk)
    if (row === null) throw new Error(`The walk ${walk.id} is gone.`)
    return row
  }
  return {
    async findWalk(id, domains) {
      const row = isUuid(id) ? await findWalk(db, id, coveredBy(domains)) : null
      if (row === null) return null
      return { isUnderWay: !isWalkOver(row.state), transcript: await transcriptSoFar(db, row) }
    },
    listWalks: async (domain) =>
      (await listWalks(db, domain)).map(({ id, mode, asked_at, state }) => ({
        id,
        mode,
        asked_at: asked_at.toISOString(),
        isUnderWay: !isWalkOver(state),
      })),
    async startWalk(c, { domain, mode, intents, tokens, agentKey }) {
      return start(c, {
        domain,
        mode,
        intents,
        ...(tokens && { tokens }),
        ...(agentKey && { agentKey }),
      })
    },
    async stopWalk(walk, signal) {
      await walks.cancel(await find(walk), signal)
    },
    listLinks: (domain, id) => listShares(db, { domain, view: 'walk', walk_id: id }, now()),
    streamWalk: async (c, walk) => stream(c, await find(walk)),
    saveWalk: answerExport,
  }
}
