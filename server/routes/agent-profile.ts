import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import {
  AGENT_VERSIONS,
  agentProfile,
  agentProfilePath,
} from '../../shared/manifest/ucp/agent-profile.ts'
import type { ServerEnv } from '../http/env.ts'
import { jsonContent } from './openapi/component.ts'
import { errorResponses } from './openapi/error-responses.ts'

// Unspecified: an hour. UCP asks for a minute at least, and stores cache it for as long as it says.
const CACHE = { 'Cache-Control': 'public, max-age=3600' }

/**
 * `GET /.well-known/ucp-agent`: our profile, for the stores that an audit calls over official UCP.
 */
export function agentProfileRoutes() {
  const app = new OpenAPIHono<ServerEnv>()
  for (const version of AGENT_VERSIONS) {
    const profile = agentProfile(version)
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
            }),
            profile,
          ),
        },
        ...errorResponses([405, 500, 503]),
      },
    })
    app.openapi(route, (c) => c.json(profile, 200, CACHE))
  }
  return app
}
