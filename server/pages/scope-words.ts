import type { Scope } from '../db/access/scopes.ts'

/** What each scope allows, in a merchant's words, to decide which key to hand out. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  audit:
    'Audit domains, read their audits and draft files; give what opens a domain to audits, such as headers; watch domains, with their channels and incidents; walk purchases that pay nothing; publish the badge, the status page, and links to audits and walks, which need not expire',
  manifest: 'Create and validate manifests',
  'report:read':
    'Read the report, and what agents read of a store; list properties; publish links to the report, which need not expire; with audit, see what orders show in watches, such as signals and digests',
  'report:write':
    'Report orders, refunds, totals and lines of logs; create, change and delete properties',
  walk: 'With audit, walk purchases that pay in a sandbox',
}
