import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { Property } from '../../shared/attribution/property.ts'
import { requireKey } from '../access/auth.ts'
import { coveredBy } from '../access/covered-domains.ts'
import { describeProperty } from '../attribution/properties.ts'
import { listProperties } from '../db/properties.ts'
import type { Deps } from '../deps.ts'
import type { ServerEnv } from '../http/env.ts'
import { component } from './component.ts'
import { errorResponses } from './error-responses.ts'

/** `GET /api/properties`: the storefronts of the key's domains, newest first. */
export function propertyRoutes(deps: Deps) {
  const { db, snippet, baseUrl } = deps
  const route = createRoute({
    method: 'get',
    path: '/api/properties',
    operationId: 'properties',
    tags: ['Attribution'],
    summary: 'The storefronts that embed the snippet, with their script tags',
    security: [{ key: ['report:read'] }],
    middleware: requireKey(deps, 'report:read'),
    responses: {
      200: {
        description: "Those of the key's domains, newest first",
        content: {
          'application/json': {
            schema: z.object({ properties: z.array(component('Property', Property)) }),
          },
        },
      },
      ...errorResponses([401, 403, 405, 500, 503]),
    },
  })

  return new OpenAPIHono<ServerEnv>().openapi(route, async (c) => {
    const listed = await listProperties(db, coveredBy(c.var.key.domains))
    const properties = listed.map((each) => describeProperty(each, snippet, baseUrl))
    return c.json({ properties }, 200)
  })
}
