import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import {
  AGENT_VERSIONS,
  agentProfile,
  agentProfilePath,
  BY_MANDATE,
} from '../../shared/manifest/ucp/agent-profile.ts'
import { DIRECTORY_PATH, DIRECTORY_TYPE } from '../../shared/protocols/web-bot-auth.ts'
import type { Deps } from '../deps.ts'
import type { ServerEnv } from '../http/env.ts'
import { serviceDirectory } from '../signatures/directory.ts'
import { profileKeys } from '../signatures/service-keys.ts'
import { jsonContent } from './openapi/component.ts'
import { errorResponses } from './openapi/error-responses.ts'

// Unspecified: five minutes, half the time for which a key is published before it signs. UCP asks
// for a minute at least.
const CACHE = { 'Cache-Control': 'public, max-age=300' }

const EXAMPLE_KEY = {
  kid: 'ovpRMtbAk8rsDJDNZBD3_JfVqmGnTcjkQnIDh2nfNuI',
  kty: 'EC',
  crv: 'P-256',
  x: 'EYGrZGJBnlJy0GL1FOGwDd94rbqUZ7wzk8xPqZP8SLA',
  y: 'BVNwDvvqDUkWQhbrMzEjB1cBnJzXqb5T0w3nbVhRk6Y',
  use: 'sig',
  alg: 'ES256',
}

const Keys = z
  .array(z.record(z.string(), z.unknown()))
  .describe('The public keys that our requests are signed with, as JWKs')

const DIRECTORY = createRoute({
  method: 'get',
  path: DIRECTORY_PATH,
  operationId: 'signatureDirectory',
  tags: ['Audit'],
  summary: 'The keys that our requests to stores are signed with (Web Bot Auth)',
  responses: {
    200: {
      description: 'A JSON Web Key Set, signed by each of its keys',
      content: { [DIRECTORY_TYPE]: { schema: z.object({ keys: Keys }) } },
    },
    ...errorResponses([405, 500, 503]),
  },
})

/**
 * `GET /.well-known/ucp-agent`: our profile, for the stores that an audit calls over official UCP;
 * and the directory of the keys that every request of ours is signed with.
 */
export function agentProfileRoutes({
  db,
  now,
  baseUrl,
  signingKeys,
}: Pick<Deps, 'db' | 'now' | 'baseUrl' | 'signingKeys'>) {
  const app = new OpenAPIHono<ServerEnv>()
  for (const version of AGENT_VERSIONS) {
    const route = createRoute({
      method: 'get',
      path: agentProfilePath(version),
      operationId: `agentProfile${version.replaceAll('-', '')}`,
      tags: ['Audit'],
      summary: `The UCP profile that audits name to stores of ${version}`,
      responses: {
        200: {
          description: 'A platform profile',
          content: jsonContent(
            z.object({
              ucp: z
                .record(z.string(), z.unknown())
                .describe('The profile, as official UCP has it'),
              keys: Keys.optional(),
              signing_keys: Keys.optional(),
            }),
            agentProfile(version, [EXAMPLE_KEY]),
          ),
        },
        ...errorResponses([405, 500, 503]),
      },
    })
    app.openapi(route, async (c) => {
      const byMandate = new URL(c.req.url).search === `?${BY_MANDATE}`
      const keys = await profileKeys(signingKeys, db, now())
      return c.json(agentProfile(version, keys, { byMandate }), 200, CACHE)
    })
  }
  app.openapi(DIRECTORY, async (c) => {
    const { json, headers } = await serviceDirectory(signingKeys.web, {
      ...{ db, origin: new URL(baseUrl).origin, now: now() },
    })
    return c.json(json, 200, { ...headers, ...CACHE })
  })
  return app
}
