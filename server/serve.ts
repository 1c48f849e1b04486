import { ENGINE_VERSION } from '../shared/audit/result.ts'
import { type CreatedKey, createFirstKey } from './access/auth.ts'
import { createApp } from './app.ts'
import { createBeaconDays } from './attribution/beacon/days.ts'
import { createIngest } from './attribution/ingest/ingest.ts'
import { loadSnippet } from './attribution/snippet/asset.ts'
import { keepSnippet } from './attribution/snippet/pinned.ts'
import type { Config } from './config.ts'
import type { Clock } from './db/clock.ts'
import { connect, MIGRATIONS } from './db/connect.ts'
import { firstCompleteMonth } from './db/events/partitions.ts'
import { makeMonths, runRetention } from './db/retention/retention.ts'
import type { Deps } from './deps.ts'
import { createLogSums } from './http/log-sums.ts'
import { createListener } from './listener.ts'
import { loadAssets } from './pages/assets.ts'
import { loadDecisions } from './pages/info/decisions.ts'
import type { Stoppable } from './until-signal.ts'

export interface Service extends Stoppable {
  /** The port in use: chosen by the system if `config.port` is 0. */
  port: number
  /** The key that was created for an empty database; null otherwise. */
  firstKey: CreatedKey | null
  /** Where what belongs to the operator may be written. */
  dataDir: string
}

/** Connects to the database and listens. The error says how to fix it. */
export async function serveApi(
  config: Config,
  deps: Pick<Deps, 'audit' | 'validateManifest' | 'readPage' | 'log'> & { clock: Clock },
): Promise<Service> {
  const { host, port, baseUrl, databaseUrl, dataDir, trustedProxies, help } = config
  const assets = await loadAssets()
  const decisions = await loadDecisions()
  const snippet = await loadSnippet()
  const { clock, log } = deps
  const database = await connect({ databaseUrl, dataDir, migrations: MIGRATIONS, clock })
  try {
    const { db, sql, now } = database
    const { retentionMonths, auditRetentionDays, loggedRequests, stopTimes } = config
    await makeMonths({ sql, now })
    await keepSnippet(db, snippet, now())
    const ingest = createIngest({ sql, now, log })
    const beaconDays = createBeaconDays({ sql, now, log })
    const sums = createLogSums(log)
    const listener = createListener(stopTimes)
    const app = createApp({
      ...deps,
      db,
      now,
      ingest,
      beaconDays,
      sums,
      retentionMonths,
      completeFrom: await firstCompleteMonth(sql, now(), retentionMonths),
      baseUrl,
      snippet,
      trustedProxies,
      assets,
      decisions,
      help,
      loggedRequests,
      isShuttingDown: listener.isStopping,
    })
    const bound = await listener.listen(app.fetch, { host, port, setting: 'PORT' })
    const first = await createFirstKey(db, now())
    // Only now: an old database may have much to delete.
    const retention = runRetention({
      sql,
      months: retentionMonths,
      auditDays: auditRetentionDays,
      engineVersion: ENGINE_VERSION,
      now,
      log,
    })
    return {
      port: bound,
      firstKey: first,
      dataDir,
      graceMs: stopTimes.graceMs,
      failed: database.gone,
      stop: async (announced) => {
        const swept = retention.stop()
        await listener.stop(announced)
        await swept
        await ingest.drain()
        await beaconDays.flush()
        sums.flush()
        log.info({ events: ingest.counts }, 'drained')
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
