import type * as z from 'zod'
import type { AttributionEvent } from '../../../shared/attribution/events.ts'
import type { ReportQuery } from '../../../shared/attribution/report.ts'
import { rangeOf } from '../../../shared/attribution/report-range.ts'
import type { AuditRequest } from '../../../shared/audit/result/result.ts'
import type { ManifestRequest } from '../../../shared/manifest/manifest.ts'
import type { ManifestValidationRequest } from '../../../shared/manifest/validation.ts'
import { dayOf } from '../../../shared/web/moment.ts'
import type { Scope } from '../../db/access/scopes.ts'

/** One call of the API as a first try. */
interface ApiCall {
  /** The anchor on the help page. */
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
  const { start, end } = rangeOf('month', dayOf(now.getTime()))
  return { domain: DOMAIN, start, end } satisfies z.input<typeof ReportQuery>
}

export const CALLS: readonly ApiCall[] = [
  {
    id: 'audit',
    title: 'Audit a store',
    scope: 'audit',
    method: 'POST',
    path: '/api/audit',
    about:
      'Returns a score, a grade and the gaps, worst first, within a minute; with "walk": true it makes whole purchases first, which takes minutes. Each gap has a fix, its page here, and the tool that helps. "checks" limits the audit; "acp" is checked only when named there. "dry_run": true returns the checks asked for out of the last stored result, without contacting the store. "agents" also asks for two pages in the names of AI agents; it is on for a key that names the domain.',
    body: audit,
  },
  {
    id: 'manifest',
    title: 'Generate a manifest',
    scope: 'manifest',
    method: 'POST',
    path: '/api/manifest',
    about:
      'Returns the file for /.well-known/ucp. Remove generated_at before you publish it. "format": "ucp" returns an official UCP profile instead. The body is the file and nothing else: what to check before you publish is in the header Aisle-Warnings, as a JSON array.',
    body: manifest,
  },
  {
    id: 'validate',
    title: 'Validate a manifest',
    scope: 'manifest',
    method: 'POST',
    path: '/api/manifest/validate',
    about:
      'Send a "url", or an object as "manifest", which is validated without any request. For an invalid manifest the response says "valid": false; that is not an error.',
    body: validation,
  },
  {
    id: 'report',
    title: 'Report an order',
    scope: 'report:write',
    method: 'POST',
    path: '/api/report',
    about:
      'Call it from your server when a checkout starts, is paid or fails. Send it after you have responded to the buyer: a failure of this call must never stop an order. A retry counts once. You can also send an array of events. This example is an order of 189 US dollars and is counted: replace it with one of yours.',
    body: order,
  },
  {
    id: 'read-report',
    title: 'Read the report',
    scope: 'report:read',
    method: 'GET',
    path: '/api/report',
    about:
      'Sessions, checkouts, orders and revenue that AI surfaces brought, per day, week or month ("granularity"). "format=csv" returns a file for spreadsheets.',
    query: report,
  },
  {
    id: 'properties',
    title: 'List your properties',
    scope: 'report:read',
    method: 'GET',
    path: '/api/properties',
    about:
      'The storefronts of your domains, with their tags and the time of the last event. POST creates one, PATCH changes where it may be embedded, its currency and its time zone, DELETE ends it.',
  },
]

/** The call as a line for a shell, with the key in $AISLE_KEY. */
export function curlOf({ method, path, body, query }: ApiCall, baseUrl: string, now: Date): string {
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

interface Holder {
  scopes: readonly Scope[]
  domains: readonly string[]
}

/** A first call that a key may make, for its own shop, with `key` in its place. */
export function firstCallOf(
  { scopes, domains }: Holder,
  key: string,
  baseUrl: string,
  now: Date,
): string | null {
  const call = CALLS.find(({ scope }) => scopes.includes(scope))
  if (call === undefined) return null
  const own = domains.find((domain) => domain !== '*') ?? DOMAIN
  return curlOf(call, baseUrl, now).replaceAll(DOMAIN, own).replace('$AISLE_KEY', key)
}
