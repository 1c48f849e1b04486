import type { Settings } from '../settings.ts'

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
  { read, secret }: Settings,
  portName: 'METRICS_PORT' | 'STORE_METRICS_PORT',
): MetricsSettings {
  return {
    token: readToken(secret('METRICS_TOKEN')),
    port: readPort(portName, read(portName)),
    host: read('METRICS_HOST') ?? '127.0.0.1',
  }
}

/** What a header can carry (RFC 6750 §2.1), and nobody guesses. The message does not repeat it. */
function readToken(text: string | undefined): string | undefined {
  if (text === undefined || /^(?=.{16})[\w.~+/-]+=*$/.test(text)) return text
  throw new Error(
    'METRICS_TOKEN is too short, or has characters that a header cannot carry. Set it to at least 16 letters and digits: openssl rand -hex 32.',
  )
}

function readPort(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new Error(`${name} is "${text}". Give a number from 0 to 65535.`)
}
