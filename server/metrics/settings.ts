import { readBearer, readPort, type Settings } from '../process/settings.ts'

/** Who may read the metrics, and where. */
export interface MetricsSettings {
  /** Undefined: the public port answers as if it had no metrics. */
  token: string | undefined
  /** A port for metrics only; 0: chosen by the system, undefined: none. */
  port: number | undefined
  /** The address that this port is bound to. */
  host: string
}

// Unspecified: metrics are private. With METRICS_TOKEN the public port serves them to callers with
// the token; with METRICS_PORT another port does, on loopback unless METRICS_HOST is set, and asks
// for the token if there is one. With neither they are not served.

/**
 * Reads METRICS_TOKEN, METRICS_HOST and the metrics port by its name; `port` is the public one.
 * Throws if one of them is invalid, or the two ports are the same.
 */
export function readMetricsSettings(
  settings: Settings,
  portName: 'METRICS_PORT' | 'STORE_METRICS_PORT',
  main: { name: 'PORT' | 'STORE_PORT'; host: string; port: number },
): MetricsSettings {
  const port = readPort(settings, portName)
  const host = settings.read('METRICS_HOST') ?? '127.0.0.1'
  const isTaken =
    host === main.host || EVERY_ADDRESS.some((every) => [host, main.host].includes(every))
  if (port !== undefined && port !== 0 && port === main.port && isTaken) {
    throw new Error(`${portName} and ${main.name} are both ${port}. Give each a port of its own.`)
  }
  return { token: readBearer(settings, 'METRICS_TOKEN'), port, host }
}

const EVERY_ADDRESS = ['0.0.0.0', '::']
