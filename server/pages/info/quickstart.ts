import type * as z from 'zod'
import type { AttributionEvent } from '../../../shared/attribution/events.ts'
import type { ReportQuery } from '../../../shared/attribution/report.ts'
import { rangeOf } from '../../../shared/attribution/report-range.ts'
import type { AuditRequest } from '../../../shared/audit/result.ts'
import type { ManifestRequest } from '../../../shared/manifest/manifest.ts'
import type { ManifestValidationRequest } from '../../../shared/manifest/validation.ts'
import type { Scope } from '../../db/scopes.ts'

/** One call of the API as a first try. */
export interface Call {
  /** The place on the help page. */
  id: string
  title: string
  scope: Scope
  method: 'GET' | 'POST'
  path: string
  about: string
  body?: object
  query?: (now: Date) => Record<string, string>
}

const DOMAIN = 'shop.example'

const audit: z.input<typeof AuditRequest> = { domain: DOMAIN }

const manifest: z.input<typeof ManifestRequest> = {
  domain: DOMAIN,
  catalog_endpoint: 'https://shop.example/ucp/products',
  checkout_endpoint: 'https://shop.example/ucp/checkout',
  supports_search: true,
  supported_payment_methods: ['card'],
}

const validation: z.input<typeof ManifestValidationRequest> = {
  url: 'https://shop.example/.well-known/ucp',
}

const order: z.input<typeof AttributionEvent> = {
  event: 'ai_checkout_completed',
  domain: DOMAIN,
  session_id: 'order-1001',
  source: 'ucp',
  ai_surface: 'chatgpt',
  properties: { product_id: '1001', value: 18900, currency: 'USD' },
}

const report = (now: Date) => {
  const { start, end } = rangeOf('month', now)
  return { domain: DOMAIN, start, end } satisfies z.input<typeof ReportQuery>
}

export const CALLS: readonly Call[] = [
  {
    id: 'audit',
    title: 'Audit a store',
    scope: 'audit',
    method: 'POST',
    path: '/api/audit',
    about:
      'Answers within half a minute with a score, a grade and the gaps, worst first. Each gap has a fix, its page here, and the tool that helps. "checks" limits the audit; "acp" is checked only when named there. "dry_run": true answers with the last stored result and asks the store nothing.',
    body: audit,
  },
  {
    id: 'manifest',
    title: 'Generate a manifest',
    scope: 'manifest',
    method: 'POST',
    path: '/api/manifest',
    about:
      'Answers with the file for /.well-known/ucp. Remove generated_at before you publish it. "format": "ucp" gives an official UCP profile instead.',
    body: manifest,
  },
  {
    id: 'validate',
    title: 'Validate a manifest',
    scope: 'manifest',
    method: 'POST',
    path: '/api/manifest/validate',
    about:
      'By "url", or as an object under "manifest", which is judged without a request. An invalid manifest is an answer ("valid": false), not an error.',
    body: validation,
  },
  {
    id: 'report',
    title: 'Report an order',
    scope: 'report:write',
    method: 'POST',
    path: '/api/report',
    about:
      'Called from your server, when a checkout begins, is paid or fails. Send it after you have answered the buyer: a failure of this call must never stop an order. A retry counts once. An array of events is taken as well. This one is an order of 189 US dollars and counts: put in one of yours.',
    body: order,
  },
  {
    id: 'read-report',
    title: 'Read the report',
    scope: 'report:read',
    method: 'GET',
    path: '/api/report',
    about:
      'Sessions, checkouts, orders and revenue that AI surfaces brought, per day, week or month ("granularity"). "format=csv" gives a file for spreadsheets.',
    query: report,
  },
  {
    id: 'properties',
    title: 'List your properties',
    scope: 'report:read',
    method: 'GET',
    path: '/api/properties',
    about:
      'The storefronts of your domains with their script tags, and when each was last heard of. The operator creates them: aisle properties create --domain shop.example.',
  },
]

/** The call as a line for a shell, with the key in $AISLE_KEY. */
export function curlOf({ method, path, body, query }: Call, baseUrl: string, now: Date): string {
  const search = query === undefined ? '' : `?${new URLSearchParams(query(now))}`
  const lines = [
    `curl ${method === 'POST' ? '-X POST ' : ''}'${baseUrl}${path}${search}'`,
    `  -H "Authorization: Bearer $AISLE_KEY"`,
  ]
  if (body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'", `  -d '${JSON.stringify(body, null, 2)}'`)
  }
  return lines.join(' \\\n')
}
