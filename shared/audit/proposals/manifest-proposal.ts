import type * as z from 'zod'
import { productsOfPage } from '../../commerce/catalog/listing.ts'
import { declaredRequest } from '../../manifest/declared-request.ts'
import { isNewerProfile, lacksEnvelope } from '../../manifest/dialect.ts'
import { fileText, publishedDocument } from '../../manifest/generate.ts'
import { CAPABILITIES, otherShopOf, withoutOtherShop } from '../../manifest/inspect.ts'
import { buildManifest, type Manifest, ManifestRequest } from '../../manifest/manifest.ts'
import { inspectAny, isOfficial } from '../../manifest/ucp/profile.ts'
import { UCP_PATHS } from '../../protocols/spec/ucp.ts'
import { Domain } from '../../web/address/domain.ts'
import { jsonOf, presenceOf } from '../../web/http/presence.ts'
import { field, isRecord } from '../../web/json/json.ts'
import { visibleJson, visibleText } from '../../web/text/invisible.ts'
import type { CatalogSeen, CheckoutSeen, Evidence } from '../evidence.ts'
import type { Proposed } from './proposal.ts'

/** What is known of the store in addition to what it shows; only the domain is required. */
export const ManifestProposalRequest = ManifestRequest.omit({ format: true })
  .partial()
  .extend({ domain: Domain })
export type ManifestProposalRequest = z.infer<typeof ManifestProposalRequest>

/** What is read of the store for it. */
export const MANIFEST_READS = ['manifest', 'catalog', 'checkout'] as const

type Seen = Partial<Pick<Evidence, (typeof MANIFEST_READS)[number]>>

/**
 * The manifest of a store: the endpoints that are given, else those that its present manifest
 * names, else the usual ones where the store answers there. The rest of the manifest is kept,
 * except what a copied manifest says of another shop: agents would buy there.
 */
export function proposeManifest(
  { domain, ...given }: ManifestProposalRequest,
  { manifest, catalog, checkout }: Seen,
): Proposed {
  const presence = manifest === undefined ? null : presenceOf(manifest.fetched)
  if (presence !== null && presence.is !== 'present' && presence.is !== 'absent') {
    return nothing(
      `What ${domain} publishes at ${UCP_PATHS.manifest} could not be read, and would be replaced: ${presence.why}. Try again when the store serves it.`,
    )
  }
  const published = manifest === undefined ? undefined : jsonOf(manifest)
  if (isOfficial(published) || isNewerProfile(published) || lacksEnvelope(published)) {
    return nothing(
      `${domain} publishes an official UCP profile. Its software writes that: fix it there, and validate it afterwards.`,
    )
  }
  const present = withoutOtherShop(published, domain)
  const other = otherShopOf(published, domain)
  const foreign =
    other === null || other.capabilities.length === 0
      ? []
      : [`Left out, as agents would buy at ${other.domain}: ${listed(other.capabilities)}.`]
  const known = { ...declaredRequest(published, domain), ...given }
  const catalogUrl = known.catalog_endpoint ?? catalogAt(catalog)
  const checkoutUrl = known.checkout_endpoint ?? checkoutAt(checkout)
  const missing = [
    ...(catalogUrl === undefined
      ? [
          `catalog_endpoint: the https URL that lists the products as JSON. Nothing lists any at https://${domain}${UCP_PATHS.catalog}.`,
        ]
      : []),
    ...(checkoutUrl === undefined
      ? [
          `checkout_endpoint: the https URL that accepts a cart by POST. No checkout answers at https://${domain}${UCP_PATHS.checkout}.`,
        ]
      : []),
  ]
  if (catalogUrl === undefined || checkoutUrl === undefined) {
    return { files: [], missing, notes: foreign, check_after: [] }
  }
  const request = ManifestRequest.parse({
    ...known,
    domain,
    catalog_endpoint: catalogUrl,
    checkout_endpoint: checkoutUrl,
  })
  const built = publishedDocument(withAuthentication(buildManifest(request, new Date(0)), present))
  const { warnings } = inspectAny(built, { domain })
  const left = leftOut(present)
  const url = `https://${domain}${UCP_PATHS.manifest}`
  return {
    files: [
      {
        path: UCP_PATHS.manifest.slice(1),
        content: visibleJson(fileText(built)),
        placement: 'file',
        url,
        content_type: 'application/json',
        replaces: presence?.is === 'present' ? 'The manifest that is there' : null,
      },
    ],
    missing: [],
    notes: [
      'Serve it without a file extension, a redirect or a password, with Cache-Control: public, max-age=300.',
      ...foreign,
      ...(left.length === 0 ? [] : [`Left out, as version 1.0 does not have it: ${listed(left)}.`]),
      ...warnings,
    ],
    check_after: [
      `validate_manifest with the url ${url}`,
      `audit ${domain} again, with the checks well_known, catalog and checkout`,
    ],
  }
}

const nothing = (note: string): Proposed => ({
  files: [],
  missing: [],
  notes: [note],
  check_after: [],
})

/** Where the catalog was found to list products, though no manifest says so. */
const catalogAt = (catalog: CatalogSeen | undefined): string | undefined =>
  catalog?.dialect === 'spec' && (productsOfPage(catalog, catalog.first)?.length ?? 0) > 0
    ? catalog.endpoint?.url
    : undefined

/** Where a cart was answered in JSON, as a checkout or as its refusal. */
function checkoutAt(checkout: CheckoutSeen | undefined): string | undefined {
  if (checkout === undefined || checkout.create.fetched.kind !== 'answer') return undefined
  const { status } = checkout.create.fetched
  const isAnswered = status < 500 && status !== 404 && status !== 405 && status !== 410
  return isAnswered && jsonOf(checkout.create) !== undefined ? checkout.endpoint?.url : undefined
}

/** That a key is needed for a capability stays as the present manifest says it. */
function withAuthentication(built: Manifest, present: unknown): object {
  const capabilities = Object.entries(built.capabilities).map(([name, capability]) => {
    const said = field(field(field(present, 'capabilities'), name), 'requires_authentication')
    return [
      name,
      typeof said === 'boolean' ? { ...capability, requires_authentication: said } : capability,
    ]
  })
  return { ...built, capabilities: Object.fromEntries(capabilities) }
}

/** Capabilities of the present manifest that are not known. */
function leftOut(present: unknown): string[] {
  const capabilities = field(present, 'capabilities')
  const names = isRecord(capabilities) ? Object.keys(capabilities) : []
  return names.filter((name) => !Object.hasOwn(CAPABILITIES, name))
}

/** Names that are listed, and characters of each. */
const MOST = 50
const MOST_TEXT = 100

/** Names that the store chose. */
const listed = (names: readonly string[]): string =>
  names
    .slice(0, MOST)
    .map((name) => visibleText(name).slice(0, MOST_TEXT))
    .join(', ')
