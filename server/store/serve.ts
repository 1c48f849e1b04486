import { createListener } from '../listener.ts'
import type { Stoppable } from '../until-signal.ts'
import { createStore } from './app.ts'
import type { StoreConfig } from './config.ts'
import { openStore } from './open.ts'
import { startBackground } from './ops/background.ts'

export interface ServedStore extends Stoppable {
  /** The one that was given out where `config.port` is 0. */
  port: number
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
  const cleanups: ((announced?: boolean) => Promise<unknown>)[] = [opened.close]
  const stop = async (announced?: boolean) => {
    for (const clean of cleanups.splice(0).reverse()) await clean(announced)
  }
  try {
    const { faults, official, snippetUrl, adminKey, hosts } = config
    const { deps, metrics, ...background } = startBackground(config, opened.deps, onError)
    cleanups.push(background.stop)
    const store = createStore({
      deps,
      metrics,
      faults,
      official,
      onError,
      ...(adminKey && { adminKey }),
      ...(hosts && { hosts }),
      ...(snippetUrl && { snippetUrl }),
    })
    const { host, stopTimes } = config
    const listener = createListener(stopTimes)
    const at = { host, port: config.port, setting: 'STORE_PORT' }
    const port = await listener.listen(store.fetch, at)
    cleanups.push(listener.stop)
    opened.sendPaymentsTo(`http://127.0.0.1:${port}/webhooks/psp`)
    return { port, failed: opened.failed, stop, graceMs: stopTimes.graceMs }
  } catch (error) {
    await stop()
    throw error
  }
}
