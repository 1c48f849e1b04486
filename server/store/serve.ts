import { createAdaptorServer, type ServerType } from '@hono/node-server'
import type { Database } from '../db/connect.ts'
import { serveMetrics } from '../metrics/port.ts'
import { createStore } from './app.ts'
import type { StoreConfig } from './config.ts'
import { openStore } from './open.ts'
import { startBackground } from './ops/background.ts'

/** For requests under way when the store is stopped. */
const GRACE_MS = 1000

export interface ServedStore {
  /** The one that was given out where `config.port` is 0. */
  port: number
  /** The port of the metrics alone; null: there is none. */
  metricsPort: number | null
  /** Resolves when the store cannot go on, with what to do about it. */
  failed: Promise<string>
  stop: () => Promise<void>
}

/**
 * Connects, listens, answers, and works in the background. Rejects with what to do about it. A test
 * may tell another time than the clock's by `timeAt`.
 */
export async function serveStore(
  config: StoreConfig,
  onError: (error: unknown, requestId?: string) => void,
  timeAt?: (now: Date) => Date,
): Promise<ServedStore> {
  const opened = await openStore(config, timeAt)
  const cleanups = [opened.close]
  let stopping = false
  const stop = async () => {
    stopping = true
    for (const clean of cleanups.splice(0).reverse()) await clean()
  }
  try {
    const { faults, official, snippetUrl, adminKey, hosts } = config
    const { deps, metrics, ...background } = startBackground(config, opened.deps, onError)
    cleanups.push(background.stop)
    const ownPort = await serveMetrics(config.metrics, metrics)
    cleanups.push(ownPort.close)
    const store = createStore({
      deps,
      metrics,
      faults,
      official,
      onError,
      schemaFault: opened.schema.fault,
      isShuttingDown: () => stopping,
      ...(config.metrics.token && { metricsToken: config.metrics.token }),
      ...(adminKey && { adminKey }),
      ...(hosts && { hosts }),
      ...(snippetUrl && { snippetUrl }),
    })
    const server = createAdaptorServer({ fetch: store.fetch })
    const port = await listen(server, config)
    cleanups.push(() => drain(server))
    if (config.migrate) cleanups.push(finishSchema(opened.schema, onError))
    opened.sendPaymentsTo(`http://127.0.0.1:${port}/webhooks/psp`)
    return { port, metricsPort: ownPort.port, failed: opened.failed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Applies the migrations that no build needs, such as indexes. Returns what ends that. */
function finishSchema(
  schema: Database['schema'],
  onError: (error: unknown) => void,
): () => Promise<void> {
  const leaving = new AbortController()
  const { signal } = leaving
  const finished = schema.migrate({ signal }).then(
    () => {},
    (error) => signal.aborted || onError(error),
  )
  return async () => {
    leaving.abort()
    await finished
  }
}

function listen(server: ServerType, { host, port }: StoreConfig): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? `Port ${port} is already in use. Stop the program that uses it, or set STORE_PORT to another port.`
          : `The store cannot listen on ${host}:${port} (${cause.message}). Check HOST and STORE_PORT.`
      reject(new Error(why, { cause }))
    })
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** Connections that are still open after the grace period are closed. */
function drain(server: ServerType): Promise<void> {
  const late = setTimeout(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
  }, GRACE_MS)
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(late)
      resolve()
    })
  })
}
