import { isNewerProfile, LATEST_UCP_VERSION, recogniseDialect } from '../../../manifest/dialect.ts'
import { otherShopOf } from '../../../manifest/other-shop.ts'
import { inspectAny } from '../../../manifest/ucp/profile.ts'
import { newerWords } from '../../../manifest/ucp/version-outlook.ts'
import { UCP_PATHS } from '../../../protocols/ucp.ts'
import {
  cachingAdvice,
  MIN_MANIFEST_CACHE_SECONDS,
  sharedCacheSeconds,
} from '../../../web/cache-control.ts'
import { describeFetch, type Fetched } from '../../../web/fetched.ts'
import { field, shown } from '../../../web/json.ts'
import { contentType, isJsonType, jsonOf, presenceOf } from '../../../web/presence.ts'
import { gap, pass, type Rule, rule, skip } from '../../rule.ts'
import { salesOver } from '../acp/steps.ts'
import { WITHOUT_MANIFEST } from '../lost-with.ts'
import { accessRules } from './access/rules.ts'
import { judgeSignals } from './content-signals.ts'
import { judgeIndexing } from './indexing.ts'
import {
  hasOwnGap,
  isOnWww,
  noneOf,
  type OwnGap,
  whenNone,
  whenOfSpec,
  whenPresent,
  whenRead,
} from './manifest-verdicts.ts'
import { judgeRobots } from './robots.ts'

const SPEC = 'Specification, Merchant-side UCP endpoints'
const UCP_HOSTING = 'UCP 2026-08-25, profile hosting'

/** A capability that the spec requires of every published manifest (spec, Manifest). */
const undeclared = (capability: string, id: OwnGap, label: string): Rule =>
  rule({
    gap: id,
    lostWith: ['well_known_not_json'],
    passed: id.replace('undeclared', 'declared'),
    dialect: 'specification',
    check: 'well_known',
    severity: 'critical',
    label,
    fix: `Declare capabilities.${capability} in ${UCP_PATHS.manifest} with its endpoint.`,
    tool: 'manifest',
    authority: 'Specification, Manifest',
    reads: ['site', 'manifest'],
    audit: ({ site, manifest }) => whenNone(manifest, site.domain, id),
  })

/**
 * Whether nothing speaks https there, or nothing that others trust. A time-out, a redirect that we
 * do not follow and headers beyond our limit may be about us alone.
 */
export const isWithoutHttps = (https: Fetched): boolean =>
  https.kind === 'no_answer' && ['unreachable', 'certificate', 'protocol'].includes(https.why)

/** From reaching the manifest to its fields; then whether robots.txt lets agents in. */
export const wellKnownRules: readonly Rule[] = [
  rule({
    // Skipped when http is silent too: then the store is down or not there, which says nothing of
    // https.
    gap: 'https_missing',
    passed: 'https_enabled',
    check: 'well_known',
    severity: 'critical',
    label: 'The store does not answer over HTTPS',
    fix: 'Serve the whole store over HTTPS with a certificate that browsers trust.',
    tool: null,
    authority: 'Specification, Authentication 8',
    reads: ['site'],
    audit: ({ site }) => {
      if (site.https.kind === 'answer') return pass()
      return isWithoutHttps(site.https) && site.http.kind === 'answer'
        ? gap(`${describeFetch(site.https)}, while HTTP answers ${site.http.status}.`)
        : skip(describeFetch(site.https))
    },
  }),
  rule({
    // Spec, Common merchant faults: "File not at domain root, or .well-known paths blocked".
    gap: 'well_known_missing',
    passed: 'well_known_present',
    lostWith: ['https_missing', ...WITHOUT_MANIFEST],
    check: 'well_known',
    severity: 'critical',
    label: 'No UCP manifest',
    fix: `Publish the manifest at ${UCP_PATHS.manifest} on the root domain, and make sure that no rule blocks .well-known paths.`,
    tool: 'manifest',
    authority: SPEC,
    reads: ['manifest'],
    audit: ({ manifest }, { acp }) => {
      const presence = presenceOf(manifest.fetched)
      if (presence.is === 'present') return pass()
      if (presence.is !== 'absent') return skip(presence.why)
      if (isOnWww(manifest)) return skip('the manifest is on a subdomain')
      const sales = acp === undefined ? null : salesOver(acp)
      if (sales?.are !== 'certain') {
        return gap(`${presence.why}. Agents look here first and find nothing.`)
      }
      return gap(
        `${presence.why}. Agents that speak UCP look here first and find nothing. Those that speak ACP buy at ${sales.where}, and know products only from feeds: ACP has no catalog.`,
      )
    },
  }),
  rule({
    // Spec, Merchant-side UCP endpoints: "at the root domain, not a subdomain".
    gap: 'well_known_only_on_subdomain',
    passed: 'well_known_on_root_domain',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
    severity: 'critical',
    label: 'The manifest is only on a subdomain',
    fix: 'Serve the same file on the root domain, without a redirect.',
    tool: null,
    authority: SPEC,
    reads: ['manifest'],
    audit: ({ manifest }) => {
      const presence = presenceOf(manifest.fetched)
      if (presence.is === 'present') return pass()
      return presence.is === 'absent' && isOnWww(manifest)
        ? gap(`${presence.why}, but ${describeFetch(manifest.www.fetched)} with a manifest.`)
        : skip(presence.why)
    },
  }),
  rule({
    // Shops in preview behind a password. Spec, Authentication: "Any authentication requirement
    // prevents agent discovery".
    gap: 'well_known_requires_auth',
    passed: 'well_known_public',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
    severity: 'critical',
    label: 'The manifest is behind authentication',
    fix: `Make ${UCP_PATHS.manifest} publicly readable: exempt it from password protection.`,
    tool: null,
    authority: 'Specification, Authentication 3',
    reads: ['manifest'],
    audit: ({ manifest }) => {
      const presence = presenceOf(manifest.fetched)
      if (presence.is === 'requires_auth') return gap(`${presence.why}, so agents cannot read it.`)
      return whenPresent(manifest, () => pass())
    },
  }),
  rule({
    // Usually to www or to a path with a slash. UCP overview, Profile Requirements: no 3xx.
    gap: 'well_known_redirected',
    passed: 'well_known_not_redirected',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
    severity: 'high',
    label: 'The manifest can only be reached through a redirect',
    fix: `Serve ${UCP_PATHS.manifest} directly, with status 200: agents do not follow redirects there.`,
    tool: null,
    authority: UCP_HOSTING,
    reads: ['manifest'],
    audit: ({ manifest }) =>
      whenPresent(manifest, ({ url, redirects, final_url }) =>
        redirects.length === 0
          ? pass()
          : gap(`${url} answers ${redirects[0]?.status} and leads to ${final_url}.`),
      ),
  }),
  rule({
    // Spec, Common merchant faults: the server's default for a file without an extension is plain
    // text.
    gap: 'well_known_wrong_content_type',
    passed: 'well_known_content_type',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
    severity: 'high',
    label: 'The manifest has the wrong content type',
    fix: 'Send Content-Type: application/json; many servers send a file without an extension as plain text.',
    tool: null,
    authority: SPEC,
    reads: ['manifest'],
    audit: ({ manifest }) =>
      whenPresent(manifest, (answer) =>
        isJsonType(contentType(answer))
          ? pass()
          : gap(
              `${answer.url} is sent as ${shown(answer.headers['content-type'])}, not "application/json".`,
            ),
      ),
  }),
  rule({
    // Spec, Merchant-side UCP endpoints: "valid JSON (no trailing commas)".
    gap: 'well_known_not_json',
    passed: 'well_known_json',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
    severity: 'critical',
    label: 'The manifest is not JSON',
    fix: 'Fix the file: no trailing commas, no comments, double quotes.',
    tool: 'validate',
    authority: SPEC,
    reads: ['manifest'],
    audit: ({ manifest }) =>
      whenPresent(manifest, ({ url }) =>
        manifest.json?.ok === false
          ? gap(`${url} cannot be read: ${manifest.json.problem}`)
          : pass(),
      ),
  }),
  undeclared('product_catalog', 'catalog_undeclared', 'The manifest declares no product catalog'),
  undeclared('checkout', 'checkout_undeclared', 'The manifest declares no checkout'),
  rule({
    // The file was copied from another shop or from staging.
    gap: 'well_known_domain_mismatch',
    passed: 'well_known_domain',
    dialect: 'specification',
    lostWith: ['well_known_not_json'],
    check: 'well_known',
    severity: 'high',
    label: 'The manifest names another domain',
    fix: 'Set "domain" to the domain that serves the file, and make sure that its endpoints are yours.',
    tool: 'manifest',
    authority: 'Specification, Manifest',
    reads: ['site', 'manifest'],
    audit: ({ site, manifest }) => {
      const verdict = whenNone(manifest, site.domain, 'well_known_domain_mismatch')
      const there = otherShopOf(jsonOf(manifest), site.domain)?.capabilities ?? []
      return verdict.kind === 'gap' && there.length > 0
        ? gap(`${verdict.detail} Endpoints that are there too: ${there.slice(0, 8).join(', ')}.`)
        : verdict
    },
  }),
  rule({
    // All errors of the document but those that have a gap of their own.
    gap: 'well_known_invalid',
    passed: 'well_known_valid',
    lostWith: ['well_known_not_json'],
    check: 'well_known',
    severity: 'high',
    label: 'Fields of the manifest are missing or wrong',
    // No generated file in its place: the generator does not know the keys, services and handlers
    // of an official profile, nor the endpoints of a manifest.
    fix: 'Fix the listed fields.',
    tool: 'validate',
    authority: 'Specification, Manifest',
    reads: ['site', 'manifest'],
    audit: ({ site, manifest }) =>
      whenRead(manifest, (document) => {
        if (isNewerProfile(document)) return skip(`the profile is ${newerWords(document)}`)
        const { errors } = inspectAny(document, { domain: site.domain }).read
        return noneOf(errors.filter((error) => !hasOwnGap(error)))
      }),
  }),
  rule({
    // Spec, Manifest: "Remove it before publishing so the file stays stable across deployments".
    gap: 'well_known_generated_at',
    passed: 'well_known_stable',
    dialect: 'specification',
    lostWith: ['well_known_not_json'],
    check: 'well_known',
    severity: 'low',
    label: 'generated_at is still in the manifest',
    fix: 'Remove generated_at before publishing, so that the file changes only when the store does.',
    tool: 'manifest',
    authority: 'Specification, Manifest',
    reads: ['manifest'],
    audit: ({ manifest }) =>
      whenOfSpec(manifest, (document) => {
        const found = field(document, 'generated_at')
        return found === undefined ? pass() : gap(`generated_at is ${shown(found)}.`)
      }),
  }),
  rule({
    // UCP overview, Profile Requirements: public, at least 60 s, never private, no-store or
    // no-cache.
    gap: 'well_known_not_cacheable',
    passed: 'well_known_cacheable',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
    severity: 'low',
    label: 'The manifest cannot be cached',
    fix: 'Send Cache-Control: public, max-age=300 with the manifest.',
    tool: null,
    authority: UCP_HOSTING,
    reads: ['manifest'],
    audit: ({ manifest }) =>
      whenPresent(manifest, (answer) => {
        const seconds = sharedCacheSeconds(answer)
        const isNewest = recogniseDialect(jsonOf(manifest)) === LATEST_UCP_VERSION
        return seconds !== null && seconds >= MIN_MANIFEST_CACHE_SECONDS
          ? pass((isNewest && cachingAdvice(answer)) || undefined)
          : gap(
              `Cache-Control is ${shown(answer.headers['cache-control'])}; expected public and at least max-age=${MIN_MANIFEST_CACHE_SECONDS}.`,
            )
      }),
  }),
  rule({
    // Shops that block training crawlers often block shopping agents with them, by copied lists.
    gap: 'robots_blocks_ai_agents',
    passed: 'robots_allows_ai_agents',
    lostWith: ['https_missing'],
    check: 'well_known',
    severity: 'high',
    label: 'robots.txt blocks AI shopping agents',
    fix: 'Let the listed agents read the storefront; training crawlers may stay blocked.',
    tool: null,
    authority: 'RFC 9309',
    reads: ['site', 'robots', 'productPages'],
    audit: judgeRobots,
  }),
  rule({
    // A preference and no barrier: only operators that follow it stay away, so it is medium.
    gap: 'content_signal_refuses_agents',
    passed: 'content_signals',
    lostWith: ['https_missing'],
    check: 'well_known',
    severity: 'medium',
    label: 'A content signal asks AI agents not to use the store',
    fix: 'Say search=yes and ai-input=yes, or leave them out; ai-train=no may stay.',
    tool: null,
    authority: 'Content Signals; AIPREF',
    reads: ['site', 'robots', 'homePage', 'productPages'],
    audit: judgeSignals,
  }),
  rule({
    gap: 'product_pages_not_indexed',
    passed: 'product_pages_indexable',
    lostWith: ['https_missing'],
    check: 'well_known',
    severity: 'high',
    label: 'Product pages ask search engines to leave them out',
    fix: 'Remove noindex and none from the robots meta element and the X-Robots-Tag header of product pages, and let each name itself as canonical.',
    tool: null,
    authority: 'Google robots meta tag; Google AI features',
    reads: ['productPages'],
    audit: judgeIndexing,
  }),
  ...accessRules,
]
