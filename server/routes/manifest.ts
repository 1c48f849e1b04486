import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { generateDocument } from '../../shared/manifest/generate.ts'
import { buildManifest, Manifest, ManifestRequest } from '../../shared/manifest/manifest.ts'
import { ManifestValidation, ManifestValidationRequest } from '../../shared/manifest/validation.ts'
import { WARNINGS_HEADER, writeWarnings } from '../../shared/manifest/warnings-header.ts'
import { requireKey } from '../access/auth.ts'
import { accessOf } from '../access/site-access.ts'
import { validateDocument } from '../audit/validate-manifest.ts'
import type { Deps } from '../deps.ts'
import { limitJsonBody } from '../http/body-limit.ts'
import { callByKey } from '../http/caller.ts'
import type { ServerEnv } from '../http/env.ts'
import { limitRequests, VALIDATE_QUOTA } from '../http/rate-limit.ts'
import { component, jsonBody, jsonContent } from './openapi/component.ts'
import { errorResponses } from './openapi/error-responses.ts'
import { countedResponses } from './openapi/headers.ts'

const STATUSES = [400, 401, 403, 405, 413, 415, 422, 500, 503] as const

const registry = z.record(
  z.string(),
  z.array(
    z.object({
      version: z.string().describe('Its version, a date'),
      schema: z.string().describe('The address of its schema'),
      spec: z.string().optional().describe('The address of its specification'),
      transport: z.string().optional().describe('How it is called: `rest`'),
      endpoint: z.string().optional().describe('Where it is called'),
      extends: z.string().optional().describe('The capability that it adds to'),
    }),
  ),
)
const BuiltProfile = z.object({
  ucp: z
    .object({
      version: z.string().describe('The version of UCP, a date'),
      services: registry.describe('What can be called, by name'),
      capabilities: registry.describe('What agents can do, by name'),
      payment_handlers: registry.describe('How they can pay, by name'),
    })
    .describe('The profile'),
})

// Unspecified: an endpoint on another domain, or what an official profile lacks, is reported in the
// response header `Aisle-Warnings`, because the body is only the file.
const WARNINGS = {
  [WARNINGS_HEADER]: {
    description:
      'What to check before publishing, as a JSON array of strings in ASCII. Absent when there is nothing.',
    schema: { type: 'string' },
    example: writeWarnings([
      'keys is omitted: add public keys (JWK) if your server signs its messages.',
    ]),
  },
} as const

const headersFor = (warnings: string[]): Record<string, string> =>
  warnings.length === 0 ? {} : { [WARNINGS_HEADER]: writeWarnings(warnings) }

const REQUEST = {
  domain: 'shop.example',
  catalog_endpoint: 'https://shop.example/ucp/catalog',
  checkout_endpoint: 'https://shop.example/ucp/checkout',
  supports_search: true,
}
const BUILT = buildManifest(REQUEST, new Date('2026-11-20T10:00:00Z'))

/** `POST /api/manifest` and `POST /api/manifest/validate` (spec, Manifest). */
export function manifestRoutes(deps: Deps) {
  const { db, now, validateManifest, siteAccess } = deps
  const count = limitRequests(db, VALIDATE_QUOTA)

  const build = createRoute({
    method: 'post',
    path: '/api/manifest',
    operationId: 'buildManifest',
    tags: ['Manifest'],
    summary: 'Generate the file for /.well-known/ucp',
    description:
      'The body is the file and nothing else: what to check before you publish is in the header `Aisle-Warnings`, as a JSON array. Remove `generated_at` before you publish it.',
    security: [{ key: ['manifest'] }],
    middleware: [requireKey(deps, 'manifest'), limitJsonBody] as const,
    request: { body: jsonBody('ManifestRequest', ManifestRequest, REQUEST) },
    responses: {
      200: {
        description: 'The manifest, or with `format: "ucp"` an official UCP profile',
        headers: WARNINGS,
        content: jsonContent(z.union([Manifest, BuiltProfile]), BUILT),
      },
      ...errorResponses(STATUSES),
    },
  })

  const validate = createRoute({
    method: 'post',
    path: '/api/manifest/validate',
    operationId: 'validateManifest',
    tags: ['Manifest'],
    summary: 'Validate a manifest by URL or as an object',
    description:
      'An object is validated without any request. An invalid manifest is an answer with `valid: false`, not an error.',
    security: [{ key: ['manifest'] }],
    middleware: [requireKey(deps, 'manifest'), limitJsonBody] as const,
    request: {
      body: jsonBody('ManifestValidationRequest', ManifestValidationRequest, { manifest: BUILT }),
    },
    responses: countedResponses(
      {
        200: {
          description: 'The result; an invalid manifest is not an error',
          content: jsonContent(
            component('ManifestValidation', ManifestValidation),
            validateDocument(BUILT),
          ),
        },
        ...errorResponses([...STATUSES, 429]),
      },
      [200, 429, 500, 503],
    ),
  })

  return new OpenAPIHono<ServerEnv>()
    .openapi(build, (c) => {
      const request = c.req.valid('json')
      const { document, warnings } = generateDocument(request, now())
      return c.json(document, 200, headersFor(warnings))
    })
    .openapi(validate, async (c) => {
      const { url, manifest } = c.req.valid('json')
      if (url === undefined) return c.json(validateDocument(manifest), 200)
      await count(c)
      const access = await accessOf(siteAccess, c.var.key.domains, new URL(url).hostname)
      return c.json(await validateManifest(url, callByKey(c), access), 200)
    })
}
