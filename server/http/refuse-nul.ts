import { createMiddleware } from 'hono/factory'
import { ApiError } from './api-error.ts'
import type { ServerEnv } from './env.ts'

/**
 * Answers addresses with U+0000, on which Postgres would fail: nothing that is stored has it in its id or
 * name, so that nothing is found at such a path; in a query it is wrong.
 */
export const refuseNul = createMiddleware<ServerEnv>(async (c, next) => {
  if (!c.req.url.includes('%00')) return next()
  if (c.req.path.includes('\0') || c.req.path.includes('%00')) return c.notFound()
  throw new ApiError(422, 'invalid_request', 'The address holds U+0000 (%00). Leave it out.')
})
