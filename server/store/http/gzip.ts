import type { MiddlewareHandler } from 'hono'
import type { Env } from './routing.ts'

/**
 * Compresses what is found at a path that ends in `.gz`, as a file and not for the transfer alone:
 * it has no `Content-Encoding`. Stands around the faults, because they change text.
 */
export const gzipFiles: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const { body, status } = c.res
  if (!c.req.path.endsWith('.gz') || status !== 200 || body === null) return
  c.res = new Response(body.pipeThrough(new CompressionStream('gzip')), {
    headers: { 'content-type': 'application/gzip' },
  })
}
