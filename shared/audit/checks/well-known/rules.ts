import { isNewerProfile, newerWords, recogniseDialect } from '../../../manifest/dialect.ts'
import { otherShopOf } from '../../../manifest/inspect.ts'
import { inspectAny } from '../../../manifest/ucp/profile.ts'
import { UCP } from '../../../protocols/ucp/versions.ts'
import {
  cachingAdvice,
  MIN_MANIFEST_CACHE_SECONDS,
  sharedCacheSeconds,
} from '../../../web/http/cache-control.ts'
import { describeFetch, type Fetched } from '../../../web/http/fetched.ts'
import { contentType, isJsonType, jsonOf, presenceOf } from '../../../web/http/presence.ts'
import { field, shown } from '../../../web/json/json.ts'
import { gap, pass, type Rule, rule, skip } from '../../rule.ts'
import { salesOver } from '../acp/steps.ts'
import { WITHOUT_MANIFEST } from '../lost-with.ts'
import { accessRules } from './access/rules.ts'
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
import { judgeDoor } from './open-door.ts'
import { judgeDeadPages, judgeIndexing } from './product-pages.ts'
import { judgeRobots, judgeSignals } from './robots.ts'
import { signedRules } from './signed/rules.ts'

const SPEC = 'Specification, Merchant-side UCP endpoints'
const UCP_HOSTING = `UCP ${UCP.newest}, profile hosting`

/** A capability that the spec requires of every published manifest (spec, Manifest). */
const undeclared = (id: OwnGap): Rule =>
  rule({
    id,
    lostWith: ['well_known_not_json'],
    dialect: 'specification',
    check: 'well_known',
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
    id: 'https_missing',
    check: 'well_known',
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
    id: 'well_known_missing',
    lostWith: ['https_missing', ...WITHOUT_MANIFEST],
    check: 'well_known',
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
    id: 'well_known_only_on_subdomain',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
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
    id: 'well_known_requires_auth',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
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
    id: 'well_known_redirected',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
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
    id: 'well_known_wrong_content_type',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
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
    id: 'well_known_not_json',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
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
  undeclared('catalog_undeclared'),
  undeclared('checkout_undeclared'),
  rule({
    // The file was copied from another shop or from staging.
    id: 'well_known_domain_mismatch',
    dialect: 'specification',
    lostWith: ['well_known_not_json'],
    check: 'well_known',
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
    id: 'well_known_invalid',
    lostWith: ['well_known_not_json'],
    check: 'well_known',
    // The generator cannot help: it does not know the keys, services and handlers of an official
    // profile, nor the endpoints of a manifest.
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
    id: 'well_known_generated_at',
    dialect: 'specification',
    lostWith: ['well_known_not_json'],
    check: 'well_known',
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
    id: 'well_known_not_cacheable',
    lostWith: WITHOUT_MANIFEST,
    check: 'well_known',
    tool: null,
    authority: UCP_HOSTING,
    reads: ['manifest'],
    audit: ({ manifest }) =>
      whenPresent(manifest, (answer) => {
        const seconds = sharedCacheSeconds(answer)
        const isNewest = recogniseDialect(jsonOf(manifest)) === UCP.newest
        return seconds !== null && seconds >= MIN_MANIFEST_CACHE_SECONDS
          ? pass((isNewest && cachingAdvice(answer)) || undefined)
          : gap(
              `Cache-Control is ${shown(answer.headers['cache-control'])}; expected public and at least max-age=${MIN_MANIFEST_CACHE_SECONDS}.`,
            )
      }),
  }),
  rule({
    // Shops before their opening, and those for members alone.
    id: 'store_behind_password',
    lostWith: ['https_missing'],
    check: 'well_known',
    tool: null,
    authority: 'Specification, Authentication 3',
    reads: ['site', 'homePage'],
    audit: judgeDoor,
  }),
  rule({
    // Shops that block training crawlers often block shopping agents with them, by copied lists.
    id: 'robots_blocks_ai_agents',
    lostWith: ['https_missing'],
    check: 'well_known',
    tool: 'robots',
    authority: 'RFC 9309',
    reads: ['site', 'robots', 'productPages'],
    audit: judgeRobots,
  }),
  rule({
    id: 'content_signal_refuses_agents',
    lostWith: ['https_missing'],
    check: 'well_known',
    tool: null,
    authority: 'Content Signals; AIPREF',
    reads: ['site', 'robots', 'homePage', 'productPages'],
    audit: judgeSignals,
  }),
  rule({
    // After a move to other software, catalog, feed and sitemap still name the old addresses.
    id: 'product_pages_dead',
    lostWith: ['https_missing'],
    check: 'well_known',
    tool: null,
    authority: 'RFC 9110, 404 and 410',
    reads: ['productPages'],
    audit: judgeDeadPages,
  }),
  rule({
    id: 'product_pages_not_indexed',
    lostWith: ['https_missing', 'product_pages_dead'],
    check: 'well_known',
    tool: null,
    authority: 'Google robots meta tag; Google AI features',
    reads: ['productPages'],
    audit: judgeIndexing,
  }),
  ...accessRules,
  ...signedRules,
]
