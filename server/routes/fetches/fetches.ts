import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { Domain } from '../../../shared/web/address/domain.ts'
import { createAuthenticator, requireDomain, requireScope } from '../../access/auth.ts'
import { authenticateDrain } from '../../access/drain-secret.ts'
import { createIntake } from '../../attribution/fetches/intake.ts'
import { tenantOf } from '../../db/access/keys.ts'
import type { Deps } from '../../deps.ts'
import { ApiError, overloaded } from '../../http/api-error.ts'
import { shareMemory } from '../../http/body-limit.ts'
import type { ServerEnv } from '../../http/env.ts'
import { FETCHES_QUOTA, limitRequests } from '../../http/rate-limit.ts'
import { component, jsonContent } from '../openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from '../openapi/error-responses.ts'
import { countedResponses } from '../openapi/headers.ts'
import {
  checkHeaders,
  LineFault,
  type OtherLines,
  readLines,
  unpack,
  withinLimit,
} from './read-lines.ts'

const MOST_BYTES = 16 * 2 ** 20
// Unspecified: the logs that are being read for one key may have 64 MiB in all.
const MAX_HELD = 4 * MOST_BYTES

const Taken = z.object({
  lines: z.int().describe('Lines that were read: the sum of the figures below'),
  stored: z.int().describe('Requests of agents that are counted now'),
  repeated: z.int().describe('They were counted before'),
  not_agents: z.int().describe('Of people and of other programs: nothing of them is stored'),
  not_requests: z.int().describe('Records of something else: the test of a drain, a build'),
  other_host: z.int().describe('They came for another host'),
  too_old: z.int().describe('They are over 92 days old, or older than events are kept'),
  in_future: z.int().describe('They say that they come from the future'),
  over: z.int().describe('Their hour had as many requests of agents as are counted'),
  wrong: z.int().describe('Lines that could not be read, not in `lines`'),
  faults: z.array(LineFault).describe('What is wrong with the first of these'),
})
type Taken = z.infer<typeof Taken>

const NONE = {
  repeated: 0,
  not_agents: 0,
  not_requests: 0,
  other_host: 0,
  too_old: 0,
  in_future: 0,
  over: 0,
}
const LINE = {
  at: '2026-11-20T06:00:00Z',
  method: 'GET',
  path: '/products/boot',
  status: 200,
  userAgent: 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
  address: '4.151.71.177',
  id: '8f1c2d-FRA',
}

/** `POST /api/fetches`: what agents read that run no script, from the logs of a store's server. */
export function fetchRoutes(deps: Deps) {
  const { db, now, callers, retentionMonths } = deps
  const authenticate = createAuthenticator(deps, 'report:write')
  const count = limitRequests(db, FETCHES_QUOTA)
  const intake = createIntake({
    ...{ db, now, retentionMonths },
    verifierFor: (lines) => callers.verifierFor(lines),
  })
  const sharingMemory = shareMemory(MAX_HELD, MOST_BYTES, () => {
    throw overloaded()
  })

  /** The signature of a drain covers its body, which has to be read before. */
  const requireKeyOrDrain = createMiddleware<ServerEnv>(async (c, next) => {
    if (c.req.query('key') === undefined) await authenticate(c)
    await next()
  })

  const route = createRoute({
    method: 'post',
    path: '/api/fetches',
    operationId: 'reportFetches',
    tags: ['Attribution'],
    summary: 'Send lines of the server’s log, for what agents read without running a script',
    description:
      'NDJSON: one request a line, up to 16 MiB, also with gzip; or one array of them, up to 4 MiB. Send all lines or those of agents: of people nothing is stored. The server says whose agent a line was, and verifies it by its address, which is not stored. A line counts once, by its `id` or by all that it says, also if it comes again or in another order within 92 days. Cloudflare Logpush and Fastly send the key as a header of their own; a drain of Vercel signs its body, with `key` in the address.',
    security: [{ key: ['report:write'] }],
    middleware: [requireKeyOrDrain] as const,
    request: {
      query: z.object({
        domain: Domain.describe('The store that the log is of'),
        key: z
          .string()
          .optional()
          .describe(
            'For drains of Vercel: the id of a key, whose secret the page of fetches shows',
          ),
        verify: z
          .string()
          .regex(/^[\w-]{1,100}$/)
          .optional()
          .describe('For drains of Vercel: what the answer has as `x-vercel-verify`'),
      }),
      body: {
        required: true,
        content: {
          'application/x-ndjson': {
            schema: { type: 'string' as const },
            example: `${JSON.stringify(LINE)}\n`,
          },
        },
      },
    },
    responses: countedResponses(
      {
        202: {
          description: 'The lines are counted',
          content: jsonContent(component('TakenLines', Taken), {
            ...{ lines: 1, stored: 1, ...NONE, wrong: 0, faults: [] },
          }),
        },
        ...errorResponses([400, 401, 403, 405, 413, 415, 422, 429, 500, 503], {
          ...NEEDS_DOMAIN,
          400: 'The body is not gzip, as its Content-Encoding says (`not_gzip`).',
          401: 'Missing or invalid key (`missing_key`, `invalid_key`, `revoked_key`, `expired_key`), or the body of a drain is not signed with its secret (`invalid_signature`).',
          413: 'The body is over 16 MiB, as it is or unpacked (`body_too_large`).',
          415: 'The body is not declared as lines of JSON, or has another Content-Encoding than gzip (`unsupported_media_type`).',
          422: 'The domain is missing or invalid (`invalid_request`), or no line can be read: see `details` (`no_lines`).',
          429: 'The quota is used up (`rate_limited`): see `Retry-After`.',
        }),
      },
      [202, 400, 422, 429, 500, 503],
    ),
  })

  async function take(domain: string, body: Buffer): Promise<Taken> {
    const other: OtherLines = { notRequests: 0, faults: [], wrong: 0 }
    const taken = await intake.take(domain, readLines(body.toString(), other))
    const { notRequests, faults, wrong } = other
    const lines = taken.lines + notRequests
    if (lines === 0 && wrong > 0) {
      const details = faults.map(({ line, message }) => ({
        ...{ field: `line ${line}`, code: 'invalid', message },
      }))
      throw new ApiError(422, 'no_lines', 'No line of the body can be read.', { details })
    }
    return { ...taken, lines, not_requests: notRequests, wrong, faults }
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.openapi(route, async (c) => {
    const { domain, key: drain, verify } = c.req.valid('query')
    if (verify !== undefined) c.header('x-vercel-verify', verify)
    checkHeaders(c, MOST_BYTES)
    const read = async () => withinLimit(Buffer.from(await c.req.arrayBuffer()), MOST_BYTES)
    const sent = await sharingMemory(c, drain ?? tenantOf(c.get('key')), read)
    if (drain !== undefined) {
      await authenticateDrain(deps, c, { id: drain, body: sent })
      requireScope(c, 'report:write')
    }
    requireDomain(c, domain)
    await count(c)
    return c.json(await take(domain, await unpack(c, sent, MOST_BYTES)), 202)
  })
  // Fastly sends logs to who agrees to it; `*` agrees to all services, which need a key as well
  // (https://www.fastly.com/documentation/guides/integrations/logging-endpoints/log-streaming-https).
  app.get('/.well-known/fastly/logging/challenge', (c) => c.text('*\n'))
  return app
}
