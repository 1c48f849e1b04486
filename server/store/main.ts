import { serve } from '@hono/node-server'
import { createStore } from './app.ts'

/** For requests under way when the store is stopped. */
const GRACE_MS = 1000

const { STORE_PORT, HOST, STORE_FAULTS, STORE_PROFILE, STORE_SNIPPET_URL } = process.env

try {
  start({
    port: readPort(STORE_PORT || '8788'),
    hostname: HOST || '127.0.0.1',
    faults: (STORE_FAULTS ?? '').split(',').flatMap((name) => name.trim() || []),
    official: readProfile(STORE_PROFILE || '1.0'),
  })
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}

function start(config: { port: number; hostname: string; faults: string[]; official: boolean }) {
  const { port, hostname, faults, official } = config
  const store = createStore({
    faults,
    official,
    now: () => new Date(),
    ...(STORE_SNIPPET_URL && { snippetUrl: STORE_SNIPPET_URL }),
  })
  const server = serve({ fetch: store.fetch, port, hostname }, (address) => {
    process.stdout.write(`The reference store is on http://${hostname}:${address.port}\n`)
  })
  server.on('error', (error: NodeJS.ErrnoException) => {
    fail(
      error.code === 'EADDRINUSE'
        ? `Port ${port} is taken. Stop what listens there, or set STORE_PORT to another.`
        : `The store cannot listen on ${hostname}:${port} (${error.message}). Check HOST and STORE_PORT.`,
    )
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      server.close(() => process.exit(0))
      // Whoever connected and says nothing is not waited for.
      setTimeout(() => process.exit(0), GRACE_MS)
    })
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new Error(`STORE_PORT is "${text}". Set it to a number from 0 to 65535.`)
}

function readProfile(text: string): boolean {
  if (text === 'ucp' || text === '1.0') return text === 'ucp'
  throw new Error(`STORE_PROFILE is "${text}". Set it to 1.0 or ucp.`)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
