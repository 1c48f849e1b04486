import { createMiddleware } from 'hono/factory'
import { ApiError } from './api-error.ts'
import type { ServerEnv } from './env.ts'

/**
 * Refuses addresses with U+0000: nothing that is stored has it in its id or name, and Postgres fails on
 * the question.
 */
export const refuseNul = createMiddleware<ServerEnv>(async (c, next) => {
  if (!c.req.url.includes('%00')) return next()
  throw new ApiError(422, 'invalid_request', 'The address holds U+0000 (%00). Leave it out.')
})
