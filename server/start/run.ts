import { readLogLevel } from '../config.ts'
import { createLog, type Log } from '../process/log.ts'
import { runUntilSignal } from '../process/until-signal.ts'
import { sayWhereItIs, tellFirstKey } from './first-start.ts'
import type { Service } from './serve.ts'

const OTHER_KEYS = 'its database has API keys already. "aisle keys create" makes another'

/** Runs the service until a signal (`runUntilSignal`), with its own log. */
export async function runService(
  env: Record<string, string | undefined>,
  start: (log: Log, signal: AbortSignal) => Promise<Service>,
): Promise<void> {
  const log = createLog()
  await runUntilSignal(
    env,
    async (signal) => {
      log.level = readLogLevel(env)
      return start(log, signal)
    },
    {
      started: async ({ port, metricsPort, firstKey, dataDir, baseUrl }) => {
        const ports = { port, ...(metricsPort !== null && { metrics_port: metricsPort }) }
        log.info({ ...ports, url: baseUrl }, 'listening')
        if (firstKey === null) log.info(OTHER_KEYS)
        else await tellFirstKey(firstKey, dataDir, log)
        sayWhereItIs(baseUrl)
      },
      stopping: (reason) => log.info({ reason }, 'stopping'),
      failed: (err) => log.error({ err }, 'shutdown failed'),
    },
  )
}
