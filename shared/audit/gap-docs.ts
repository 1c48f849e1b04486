import { acpDocs } from './checks/acp/gap-docs.ts'
import { attributionDocs } from './checks/attribution/gap-docs.ts'
import { catalogDocs } from './checks/catalog/gap-docs.ts'
import { checkoutDocs } from './checks/checkout/gap-docs.ts'
import { walkDocs } from './checks/checkout/walk-gap-docs.ts'
import { entityDocs } from './checks/entity/gap-docs.ts'
import { feedDocs } from './checks/feed/gap-docs.ts'
import { CHECKS } from './checks/index.ts'
import { ucpProfileDocs } from './checks/official-profile/gap-docs.ts'
import { schemaDocs } from './checks/schema/gap-docs.ts'
import { accessDocs } from './checks/well-known/access/gap-docs.ts'
import { wellKnownDocs } from './checks/well-known/gap-docs.ts'
import type { Evidence } from './evidence.ts'
import type { GapDoc, GapDocs } from './gap-doc.ts'
import type { Rule } from './rule.ts'
import type { Severity } from './vocabulary.ts'

/** The text of each gap's page, by the gap's id. */
export const GAP_DOCS: GapDocs = {
  ...wellKnownDocs,
  ...accessDocs,
  ...catalogDocs,
  ...checkoutDocs,
  ...walkDocs,
  ...acpDocs,
  ...schemaDocs,
  ...feedDocs,
  ...attributionDocs,
  ...entityDocs,
  ...ucpProfileDocs,
}

/** A rule that can find a gap, with the gap's id. */
export type GapRule = Rule & { gap: string }

/** Every rule that can find a gap, in the order of the checks and of their rules. */
export const GAP_RULES: readonly GapRule[] = Object.values(CHECKS).flatMap((rules) =>
  rules.flatMap((each) => (each.gap === null ? [] : [{ ...each, gap: each.gap }])),
)

/** The rule and the text of a gap; null for an id that is none. */
export function findGapDoc(id: string): { rule: GapRule; doc: GapDoc } | null {
  const found = GAP_RULES.find(({ gap }) => gap === id)
  const doc = Object.hasOwn(GAP_DOCS, id) ? GAP_DOCS[id] : undefined
  return found === undefined || doc === undefined ? null : { rule: found, doc }
}

/** The spec's four definitions (Audit result, Gap item). */
export const SEVERITY_MEANS: Record<Severity, string> = {
  critical: 'blocks discovery or checkout',
  high: 'significantly reduces AI traffic or conversion',
  medium: 'affects attribution or discoverability, not checkout',
  low: 'minor',
}

/** What is read of a store, as a person would say it. */
export const EVIDENCE_READS: Record<keyof Evidence, string> = {
  site: 'the answer of the domain over https, and over http if that fails',
  robots: 'robots.txt',
  manifest: '/.well-known/ucp',
  homePage: 'the HTML of the home page, as the server sends it',
  productPages: 'the HTML of up to five product pages, as the server sends it',
  catalog: 'the catalog endpoint: its first pages, a search and a filter if declared',
  checkout: 'three carts sent to the checkout endpoint, each with "dry_run": true',
  ucp: 'the services of the official UCP profile, with requests that create nothing',
  acp: 'the ACP endpoints, with requests that they have to reject',
  feed: 'the rows of the product feed, of which the first 200 are compared with pages and catalog',
  access:
    'the home page and one product page, as a browser, as a robot without a known name and as each AI agent that documents its User-Agent; only for the owner of the domain',
  walk: 'whole purchases up to the payment, each cancelled again; only where the owner of the domain has them made',
}
