import { readPort, type Settings } from '../settings.ts'

/** Who may read the metrics, and where. */
export interface MetricsSettings {
  /** Undefined: the public port answers as if it had no metrics. */
  token: string | undefined
  /** A port for metrics alone; 0: chosen by the system, undefined: none. */
  port: number | undefined
  /** The address that this port is bound to. */
  host: string
}

// Unspecified: metrics are closed to the world. With METRICS_TOKEN the public port serves them to who
// sends it; with METRICS_PORT a port of their own does, on loopback unless METRICS_HOST says otherwise,
// and asks for the token where there is one. With neither they are served nowhere.

/** Reads METRICS_TOKEN, METRICS_HOST and the port by its name. Throws when one of them is not valid. */
export function readMetricsSettings(
  settings: Settings,
  portName: 'METRICS_PORT' | 'STORE_METRICS_PORT',
): MetricsSettings {
  return {
    token: readToken(settings.secret('METRICS_TOKEN')),
    port: readPort(settings, portName),
    host: settings.read('METRICS_HOST') ?? '127.0.0.1',
  }
}

/** What a header can carry (RFC 6750 §2.1), and nobody guesses. The message does not repeat it. */
function readToken(text: string | undefined): string | undefined {
  if (text === undefined || /^(?=.{16})[\w.~+/-]+=*$/.test(text)) return text
  throw new Error(
    'METRICS_TOKEN is too short, or has characters that a header cannot carry. Set it to at least 16 letters and digits: openssl rand -hex 32.',
  )
}
