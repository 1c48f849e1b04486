import type { MiddlewareHandler } from 'hono'
import type { Env } from './routing.ts'

/**
 * Compresses what is found under a path that ends in `.gz`: a file that is compressed, and no coding
 * of the transfer. It stands outside of the faults, which change text.
 */
export const gzipFiles: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const { body, status } = c.res
  if (!c.req.path.endsWith('.gz') || status !== 200 || body === null) return
  c.res = new Response(body.pipeThrough(new CompressionStream('gzip')), {
    headers: { 'content-type': 'application/gzip' },
  })
}
