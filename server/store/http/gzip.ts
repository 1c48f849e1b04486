import type { MiddlewareHandler } from 'hono'
import type { Env } from './routing.ts'

/**
 * Compresses the file of a path that ends in `.gz`. This is the file's own form, not a transfer
 * encoding: there is no `Content-Encoding`. It wraps the faults, because they change text.
 */
export const gzipFiles: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const { body, status } = c.res
  if (!c.req.path.endsWith('.gz') || status !== 200 || body === null) return
  c.res = new Response(body.pipeThrough(new CompressionStream('gzip')), {
    headers: { 'content-type': 'application/gzip' },
  })
}
