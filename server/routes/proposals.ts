import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import type { Evidence } from '../../shared/audit/evidence.ts'
import { Proposal, type Proposed, proposalFor } from '../../shared/audit/proposals/proposal.ts'
import { PROPOSERS } from '../../shared/audit/proposals/proposers.ts'
import { requireKey } from '../access/auth.ts'
import { accessOf } from '../access/site-access.ts'
import type { Deps } from '../deps.ts'
import { limitJsonBody } from '../http/body-limit.ts'
import { callByKey } from '../http/caller.ts'
import type { ServerEnv } from '../http/env.ts'
import { AUDIT_QUOTA, limitRequests } from '../http/rate-limit.ts'
import { component, jsonBody, jsonContent } from './openapi/component.ts'
import { errorResponses } from './openapi/error-responses.ts'
import { countedResponses } from './openapi/headers.ts'

const STATUSES = [400, 401, 403, 405, 413, 415, 422, 429, 500, 503] as const

const FILE: Proposal = {
  domain: 'shop.example',
  files: [
    {
      path: 'robots.txt',
      content: 'User-agent: OAI-SearchBot\nAllow: /\n',
      placement: 'file',
      url: 'https://shop.example/robots.txt',
      content_type: 'text/plain; charset=utf-8',
      replaces: 'The robots.txt that is there',
    },
  ],
  missing: [],
  notes: ['It lets OAI-SearchBot in. Crawlers that collect for training stay as they were.'],
  check_after: ['audit shop.example again, with the check well_known'],
}

interface Proposer<Request extends z.ZodType> {
  schema: Request
  reads: readonly (keyof Evidence)[]
  propose: (request: z.output<Request>, seen: Partial<Evidence>) => Proposed
}

/**
 * `POST /api/proposals/…`: files that fix a store, made from what it shows. Nothing is stored, and
 * nothing is written in the store.
 */
export function proposalRoutes(deps: Deps) {
  const { db, readEvidence, siteAccess } = deps
  const app = new OpenAPIHono<ServerEnv>()
  // Unspecified: a proposal reads a store like an audit, and counts as one of the 60 per hour.
  const count = limitRequests(db, AUDIT_QUOTA)

  /** One kind of proposal. */
  function kind<Request extends z.ZodType<{ domain: string }>>(
    name: 'Manifest' | 'Markup' | 'Robots',
    summary: string,
    { schema, reads, propose }: Proposer<Request>,
  ) {
    const route = createRoute({
      method: 'post',
      path: `/api/proposals/${name.toLowerCase()}`,
      operationId: `propose${name}`,
      tags: ['Audit'],
      summary,
      description: 'Counts as an audit. Write the files yourself, and audit the store again.',
      security: [{ key: ['audit'] }],
      middleware: [requireKey(deps, 'audit'), limitJsonBody] as const,
      request: {
        body: jsonBody<z.ZodType<unknown>>(`${name}ProposalRequest`, schema, {
          domain: 'shop.example',
        }),
      },
      responses: countedResponses(
        {
          200: {
            description: 'The files, and what only the merchant knows',
            content: jsonContent(component('Proposal', Proposal), FILE),
          },
          ...errorResponses(STATUSES),
        },
        [200, 429, 500, 503],
      ),
    })
    app.openapi(route, async (c) => {
      const request = schema.parse(c.req.valid('json'))
      await count(c)
      const { domain } = request
      const access = await accessOf(siteAccess, c.var.key.domains, domain)
      const seen = await readEvidence({ domain, reads, access }, callByKey(c))
      return c.json(proposalFor(domain, propose(request, seen), seen), 200)
    })
  }

  kind('Manifest', 'Propose the manifest of a store', PROPOSERS.manifest)
  kind('Markup', 'Propose the JSON-LD of a store', PROPOSERS.markup)
  kind('Robots', 'Propose a robots.txt that lets AI agents in', PROPOSERS.robots)
  return app
}
