import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { Property } from '../../shared/attribution/property.ts'
import { requireDomain, requireKey } from '../access/auth.ts'
import { coveredBy } from '../access/covered-domains.ts'
import {
  columnsOf,
  createProperty,
  describeProperty,
  isPropertyId,
  NewProperty,
  PropertyChange,
} from '../attribution/properties.ts'
import {
  deleteProperty,
  type ListedProperty,
  listProperties,
  updateProperty,
} from '../db/attribution/properties.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import { limitJsonBody } from '../http/body-limit.ts'
import type { ServerEnv } from '../http/env.ts'
import { component, jsonBody, jsonContent } from './openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from './openapi/error-responses.ts'

const TAGS = ['Attribution']
const READ = 'report:read'
// Unspecified: keys that may report the orders of a domain also decide which pages report its
// visits.
const WRITE = 'report:write'

const DELETED = z.object({ id: z.string().describe('The id of the deleted property') })
const EXAMPLE: ListedProperty = {
  id: 'prop_4fK2mXq8Rw1bZc6Ny0Td',
  domain: 'shop.example',
  origins: ['https://shop.example', 'https://*.shop.example'],
  currency: 'USD',
  time_zone: 'America/New_York',
  lookback_days: 7,
  created_at: new Date('2026-11-20T10:00:00Z'),
  last_event_at: new Date('2026-11-20T17:42:08Z'),
}

const ById = z.object({ id: z.string().describe('The id of the property') })
const GONE = 'There is no such property of your domains (`property_not_found`).'

/** The storefronts of the key's domains: listed, created, changed and deleted. */
export function propertyRoutes(deps: Deps) {
  const { db, now, snippet, baseUrl, hereOf } = deps
  const mayWrite = requireKey(deps, WRITE)
  const writes = { tags: TAGS, security: [{ key: [WRITE] }] }
  const described = (property: ListedProperty) => describeProperty(property, snippet, baseUrl)
  const Shown = component('Property', Property)
  const example = described(EXAMPLE)
  const one = (description: string) => ({
    200: {
      description,
      content: jsonContent(Shown, example),
    },
  })

  const list = createRoute({
    method: 'get',
    path: '/api/properties',
    operationId: 'properties',
    tags: TAGS,
    summary: 'The storefronts that have the tag, each with its tag',
    security: [{ key: [READ] }],
    middleware: requireKey(deps, READ),
    responses: {
      200: {
        description: "Those of the key's domains, newest first",
        content: jsonContent(
          z.object({ properties: z.array(Shown).describe("The properties of the key's domains") }),
          { properties: [example] },
        ),
      },
      ...errorResponses([401, 403, 405, 500, 503]),
    },
  })

  const create = createRoute({
    ...writes,
    method: 'post',
    path: '/api/properties',
    operationId: 'createProperty',
    summary: 'Create a property for a storefront, and get its tag',
    description:
      'Without `origins`, the pages of the domain and of its subdomains may report. A domain has at most 50 properties.',
    middleware: [mayWrite, limitJsonBody] as const,
    request: {
      body: jsonBody('NewProperty', NewProperty, { domain: 'shop.example' }),
    },
    responses: {
      ...one('The property'),
      ...errorResponses([400, 401, 403, 405, 409, 413, 415, 422, 500, 503], {
        ...NEEDS_DOMAIN,
        409: 'The domain has 50 properties (`too_many_properties`).',
      }),
    },
  })

  const change = createRoute({
    ...writes,
    method: 'patch',
    path: '/api/properties/{id}',
    operationId: 'changeProperty',
    summary: 'Change where a property may be embedded, its currency or its time zone',
    description: '`"currency": "none"` takes its currency away.',
    middleware: [mayWrite, limitJsonBody] as const,
    request: {
      params: ById,
      body: jsonBody('PropertyChange', PropertyChange, { currency: 'USD' }),
    },
    responses: {
      ...one('The property as it is now'),
      ...errorResponses([400, 401, 403, 404, 405, 413, 415, 422, 500, 503], { 404: GONE }),
    },
  })

  const remove = createRoute({
    ...writes,
    method: 'delete',
    path: '/api/properties/{id}',
    operationId: 'deleteProperty',
    summary: 'Delete a property: its tag no longer reports anything',
    description: 'What was reported before stays in the report of the domain.',
    middleware: mayWrite,
    request: { params: ById },
    responses: {
      200: {
        description: 'It is deleted',
        content: jsonContent(DELETED, { id: EXAMPLE.id }),
      },
      ...errorResponses([401, 403, 404, 405, 500, 503], { 404: GONE }),
    },
  })

  return new OpenAPIHono<ServerEnv>()
    .openapi(list, async (c) => {
      const properties = await listProperties(db, coveredBy(c.var.key.domains))
      return c.json({ properties: properties.map(described) }, 200)
    })
    .openapi(create, async (c) => {
      const wanted = c.req.valid('json')
      requireDomain(c, wanted.domain)
      return c.json(described(await createProperty(db, wanted, now(), hereOf(wanted.domain))), 200)
    })
    .openapi(change, async (c) => {
      const domains = coveredBy(c.var.key.domains)
      const id = requireId(c.req.valid('param').id)
      const changed = await updateProperty(db, id, domains, columnsOf(c.req.valid('json')))
      if (changed === null) throw notFound()
      return c.json(described(changed), 200)
    })
    .openapi(remove, async (c) => {
      const id = requireId(c.req.valid('param').id)
      if (!(await deleteProperty(db, id, coveredBy(c.var.key.domains)))) throw notFound()
      return c.json({ id }, 200)
    })
}

/** Checked before the query, because Postgres refuses U+0000. */
function requireId(id: string): string {
  if (isPropertyId(id)) return id
  throw notFound()
}

/** The same for those of others, so that ids cannot be probed. */
const notFound = () =>
  new ApiError(
    404,
    'property_not_found',
    'There is no such property of your domains. GET /api/properties lists those that there are.',
  )
