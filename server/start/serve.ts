import { ENGINE_VERSION } from '../../shared/audit/result/result.ts'
import { type CreatedKey, createFirstKey } from '../access/make-key.ts'
import { createSiteAccesses } from '../access/site-access.ts'
import { createApp } from '../app.ts'
import { createCallers } from '../attribution/agents/callers.ts'
import { createConfirmedNames } from '../attribution/agents/confirmed-names.ts'
import { createBeaconDays } from '../attribution/beacon/days.ts'
import { createIngest } from '../attribution/ingest/ingest.ts'
import { loadSnippet } from '../attribution/snippet/asset.ts'
import { keepSnippet } from '../attribution/snippet/pinned.ts'
import type { Engine } from '../audit/engine.ts'
import { identityOf } from '../audit/identity.ts'
import { createFetcher, fetchOnce } from '../audit/probe/fetch/fetch.ts'
import { createNameLookup } from '../audit/probe/fetch/names.ts'
import { WEBHOOK_LIMITS } from '../audit/probe/fetch/webhook.ts'
import { createAuditRuns } from '../audit/runs/runs.ts'
import { createWalks } from '../audit/walk/jobs.ts'
import type { Config } from '../config.ts'
import { connect, MIGRATIONS } from '../db/connect.ts'
import type { Clock } from '../db/connection/clock.ts'
import { renewMonthIndexes } from '../db/events/month-indexes.ts'
import { firstCompleteMonth } from '../db/events/partitions.ts'
import { makeMonths, noRetentionYet, runRetention } from '../db/retention/retention.ts'
import type { Schema } from '../db/schema/schema.ts'
import { sealerOf } from '../db/sealing/seal.ts'
import { readWatchFigures } from '../db/watch/figures.ts'
import type { Deps } from '../deps.ts'
import { createLogSums } from '../http/log-sums.ts'
import { serveMetrics } from '../metrics/port.ts'
import { addProcessMetrics } from '../metrics/process.ts'
import { createServiceMetrics } from '../ops/metrics.ts'
import { loadAssets } from '../pages/assets.ts'
import { loadExtension } from '../pages/extension/packed.ts'
import { loadDecisions } from '../pages/info/decisions.ts'
import { loadRecipeFiles } from '../pages/tools/orders/recipe-files.ts'
import { createClosing } from '../process/closing.ts'
import { createListener } from '../process/listener.ts'
import type { Log } from '../process/log.ts'
import { CLOSING_MS } from '../process/stop-times.ts'
import type { Stoppable } from '../process/until-signal.ts'
import { DIRECTORY_LIMITS, directoryRequest } from '../signatures/agents/directories.ts'
import { serviceKeys } from '../signatures/service-keys.ts'
import type { createSigner } from '../signatures/signer.ts'
import { createChannels } from '../watch/channels/channels.ts'
import { createMailer } from '../watch/channels/mail/smtp.ts'
import { runChannels } from '../watch/channels/outbox.ts'
import { runDigests } from '../watch/digests/send-digests.ts'
import { createWatchScheduler } from '../watch/scheduler.ts'
import { runSignals } from '../watch/signals/search-signals.ts'
import { createStartingApp } from './starting.ts'

export interface Service extends Stoppable {
  /** The port in use: chosen by the system if `config.port` is 0. */
  port: number
  /** The public address. */
  baseUrl: string
  /** The port of the metrics; null without one. */
  metricsPort: number | null
  /** The key that was created for an empty database; null otherwise. */
  firstKey: CreatedKey | null
  /** The folder for the operator's files. */
  dataDir: string
}

/**
 * Connects to the database, listens, and resolves once the tables are ready. The error says how to
 * fix it. `signal` ends the waiting.
 */
export async function serveApi(
  config: Config,
  deps: Omit<Engine, 'close'> &
    Pick<Deps, 'log'> & { clock: Clock; signer?: ReturnType<typeof createSigner> },
  signal?: AbortSignal,
): Promise<Service> {
  const { host, port, baseUrl, databaseUrl, databaseConnections, dataDir } = config
  const { trustedProxies, help } = config
  const assets = await loadAssets()
  const decisions = await loadDecisions()
  const recipeFiles = await loadRecipeFiles()
  const extension = await loadExtension()
  const snippet = await loadSnippet()
  const { clock, log } = deps
  const connecting = {
    databaseUrl,
    databaseConnections,
    dataDir,
    migrations: MIGRATIONS,
    migrate: 'later',
    clock,
  } as const
  const database = await connect(connecting)
  const closing = createClosing(log)
  closing.later(database.close)
  try {
    const { db, sql, now, schema } = database
    const {
      retentionMonths,
      sessionsPerSecond,
      auditRetentionDays,
      loggedRequests,
      stopTimes,
      migrate,
    } = config
    const ingest = createIngest({ sql, now, log, connections: databaseConnections })
    const beaconDays = createBeaconDays({ sql, now, log })
    const sealer = sealerOf(config)
    const siteAccess = createSiteAccesses({ db, now, sealer })
    const signingKeys = serviceKeys(sealer)
    const walks = createWalks({ ...deps, db, now, baseUrl, siteAccess })
    const runs = createAuditRuns({ db, now, log })
    const watching = createWatchScheduler({
      db,
      now,
      log,
      walks,
      baseUrl,
      siteAccess,
      audit: deps.audit,
      isBusy: () => deps.load().slots.key.waiting > 0,
    })
    const sums = createLogSums(log)
    const retained = noRetentionYet()
    const metrics = createServiceMetrics({
      ingest,
      sums,
      engine: deps.load,
      walks: walks.load,
      pool: database.load,
      reachedNodes: database.reachedNodes,
      looks: watching.load,
      readSchema: schema.read,
      readWatches: () => readWatchFigures(db, now()),
      retention: retained,
    })
    addProcessMetrics(metrics.registry)
    const listener = createListener(stopTimes)
    const common = {
      ...deps,
      db,
      schemaFault: schema.fault,
      now,
      sums,
      baseUrl,
      loggedRequests,
      isShuttingDown: listener.isStopping,
      countAnswer: metrics.countAnswer,
    }
    const metricsPort = await serveMetrics(config.metrics, metrics)
    closing.later(metricsPort.close)
    closing.later(() => {
      sums.flush()
      log.info({ events: ingest.counts }, 'drained')
    })
    closing.later(beaconDays.flush)
    closing.later(ingest.drain)
    const messenger = createFetcher({
      ...identityOf(baseUrl),
      testHosts: config.testHosts,
      limits: WEBHOOK_LIMITS,
    })
    closing.later(messenger.close)
    const keyReader = createFetcher({
      ...identityOf(baseUrl),
      testHosts: config.testHosts,
      limits: DIRECTORY_LIMITS,
    })
    closing.later(keyReader.close)
    const callers = createCallers({
      db,
      now,
      read: (url) => fetchOnce(keyReader, directoryRequest(url)),
      names: createConfirmedNames(createNameLookup(), now),
    })
    const mailer =
      config.mail &&
      createMailer(config.mail, {
        onOwnFault: (err) => log.warn({ err }, 'the mail server did not take a mail'),
      })
    const sending = { db, now, log, baseUrl, fetcher: messenger, mailer }
    const channels = createChannels(sending)
    const starting = createStartingApp(common)
    const bound = await listener.listen(starting.fetch, { host, port, setting: 'PORT' })
    closing.later(listener.stop, { begun: 'early' })
    const onWait = (why: string) => log.warn({ why }, 'waiting for the database')
    // Replicas of the earlier release answer meanwhile, however long a dump locks the tables.
    if (migrate) {
      await schema.migrate({
        onlyNeeded: true,
        patienceMs: Number.POSITIVE_INFINITY,
        signal,
        onWait,
      })
    }
    await schema.untilFits(signal, onWait)
    deps.signer?.use(db, signingKeys)
    if (deps.signer) {
      await signingKeys.web.current(db, now()).catch((err: unknown) => {
        log.warn({ err }, 'requests to stores are not signed')
      })
    }
    await makeMonths({ sql, now })
    await keepSnippet(db, snippet, now())
    const completeFrom = await firstCompleteMonth(sql, now(), retentionMonths)
    // The last step that may fail: if the start failed after it, the key would be lost.
    const first = await createFirstKey(db, now())
    const app = createApp({
      ...common,
      ingest,
      walks,
      runs,
      siteAccess,
      signingKeys,
      channels,
      callers,
      beaconDays,
      retentionMonths,
      sessionsPerSecond,
      completeFrom,
      snippet,
      trustedProxies,
      assets,
      decisions,
      recipeFiles,
      extension,
      help,
      metrics,
      metricsToken: config.metrics.token,
    })
    listener.answerBy(app.fetch)
    walks.keepSweeping()
    watching.start()
    const needs = { sql, db, now, log, baseUrl, siteAccess }
    // What goes on after a request or comes back on time: each is a line here.
    const jobs: { stop: (withinMs: number) => unknown }[] = [
      runChannels(sending),
      // Meanwhile the stores are asked to cancel what is open there.
      runs,
      walks,
      watching,
      runDigests(needs),
      runSignals(needs),
      runRetention({
        ...needs,
        months: retentionMonths,
        auditDays: auditRetentionDays,
        engineVersion: ENGINE_VERSION,
        renewIndexes: (month, signal) => renewMonthIndexes(database, month, signal),
        figures: retained,
      }),
      // Only now: an index may take minutes, and an old database may have much to delete.
      ...(migrate ? [finishSchema(schema, log)] : []),
    ]
    const withinMs = stopTimes.graceMs - CLOSING_MS
    for (const job of jobs) closing.later(() => job.stop(withinMs), { begun: 'early' })
    return {
      port: bound,
      baseUrl,
      metricsPort: metricsPort.port,
      firstKey: first,
      dataDir,
      graceMs: stopTimes.graceMs,
      failed: database.gone,
      stop: async (announced) => {
        const failures = await closing.all(announced)
        if (failures > 0) throw new Error('Not all of the service was closed as it should be.')
      },
    }
  } catch (error) {
    await closing.all()
    throw error
  }
}

/** Applies the migrations that no build needs: indexes, and the removal of unused parts. */
function finishSchema(schema: Schema, log: Log): { stop: () => Promise<void> } {
  const leaving = new AbortController()
  const { signal } = leaving
  const onWait = (why: string) => log.warn({ why }, 'a migration waits')
  const finished = schema.migrate({ signal, onWait }).then(
    (applied) => {
      if (applied.length > 0) log.info({ migrations: applied.map(({ tag }) => tag) }, 'migrated')
    },
    (err: unknown) => {
      if (signal.aborted) return
      log.error({ err }, 'a migration failed, and the service works without it')
    },
  )
  return {
    stop: () => {
      leaving.abort()
      return finished
    },
  }
}
