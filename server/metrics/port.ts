import { createAdaptorServer } from '@hono/node-server'
import { carries } from './bearer.ts'
import type { MetricsSettings } from './settings.ts'

/** The metrics of a process in Prometheus' text form. */
export interface MetricsText {
  contentType: string
  text(): Promise<string>
}

interface MetricsPort {
  /** The port in use; null: metrics have no port of their own. */
  port: number | null
  close(): Promise<void>
}

/** The requests that may read them. */
export const answerMetrics = async ({ contentType, text }: MetricsText): Promise<Response> =>
  new Response(await text(), {
    headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' },
  })

/** Serves `/metrics` on its own port, if there is one. Rejects with what to do about it. */
export async function serveMetrics(
  { token, host, port }: MetricsSettings,
  metrics: MetricsText,
): Promise<MetricsPort> {
  if (port === undefined) return { port: null, close: async () => {} }
  const server = createAdaptorServer({
    fetch: (request: Request) => {
      if (new URL(request.url).pathname !== '/metrics') return new Response(null, { status: 404 })
      if (token && !carries(token, request.headers.get('Authorization'))) {
        return new Response(null, { status: 401, headers: { 'WWW-Authenticate': CHALLENGE } })
      }
      return answerMetrics(metrics)
    },
  })
  const bound = await new Promise<number>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `Metrics cannot be served on port ${port} of ${host} (${cause.code ?? cause.message}). Set METRICS_HOST and the port for metrics to what is free.`
      reject(new Error(message, { cause }))
    })
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
  return {
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

const CHALLENGE = 'Bearer realm="metrics"'
