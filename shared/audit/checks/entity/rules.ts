import { namedOrganizations, type OrganizationMarkup } from '../../../markup/organizations.ts'
import type { Page } from '../../../markup/page.ts'
import { isSameSite } from '../../../web/address/same-site.ts'
import { shown } from '../../../web/json/json.ts'
import type { PageSeen } from '../../evidence.ts'
import { gap, notApplicable, pass, type Rule, rule, skip, type Verdict } from '../../rule.ts'
import { WITHOUT_HOME_PAGE } from '../lost-with.ts'
import { cut, describeTruncated, whenHomeRead } from '../pages.ts'
import { compareNames, compareShopNames, readName, shopNames } from './names.ts'

const ORGANIZATION = 'Google organization structured data'
const SITE_NAME = 'Google site names'
const SCHEMA_TOOL = { check: 'entity', tool: 'schema' } as const

/** What is not read of a page may name the shop otherwise, or say whose organization it is. */
const whenWhole = (home: PageSeen, audit: (page: Page) => Verdict): Verdict =>
  whenHomeRead(home, (page) =>
    page.truncated === null ? audit(page) : skip(describeTruncated(page)),
  )

/** Judges the shop's Organization; a page without one has a gap of its own. */
const whenMarkedUp = (
  home: PageSeen,
  audit: (organization: OrganizationMarkup, page: Page) => Verdict,
): Verdict =>
  whenWhole(home, (page) => {
    const [organization] = namedOrganizations(page)
    return organization === undefined
      ? skip('no Organization markup to judge')
      : audit(organization, page)
  })

/** Two organization names that do not match in any spelling, or null. */
function conflictingNames(page: Page): [OrganizationMarkup, OrganizationMarkup] | null {
  const named = namedOrganizations(page).map((organization) => ({
    organization,
    names: spellings(organization).map(readName),
  }))
  const [first, ...others] = named.filter(({ names }) => names.length > 0)
  if (first === undefined) return null
  const other = others.find(({ names }) =>
    first.names.every((a) => names.every((b) => compareNames(a, b) === 'conflict')),
  )
  return other === undefined ? null : [first.organization, other.organization]
}

/** Names that the markup itself gives for one organization: they never conflict with each other. */
const spellings = ({ name, alternates, legal_name }: OrganizationMarkup): string[] =>
  [name, alternates[0], legal_name].flatMap((spelling) => spelling ?? [])

/** A host without `www.`, which names the same site. */
const bare = (host: string): string => host.toLowerCase().replace(/^www\./, '')

/** An absolute http(s) address, or null. */
function absolute(url: string): URL | null {
  const parsed = /^https?:\/\//i.test(url) ? URL.parse(url) : null
  return parsed !== null && parsed.hostname !== '' ? parsed : null
}

/** Why an entry of `sameAs` leads to no profile, or null. */
function sameAsFault(value: string, domain: string): string | null {
  if (value === '') return 'an empty entry'
  const url = absolute(value)
  if (url === null) return `${shown(value)}, which is not an absolute URL`
  return bare(url.hostname) === bare(domain)
    ? `${shown(value)}, which is the shop's own site`
    : null
}

/** Whether the home page says who the shop is, and says it once. */
export const entityRules: readonly Rule[] = [
  rule({
    ...SCHEMA_TOOL,
    // Google's site name documentation: use one name in WebSite, og:site_name and Organization.
    // Agents that see several cannot tell which shop it is.
    id: 'brand_name_inconsistent',
    lostWith: ['organization_missing', 'organization_names_conflict'],
    authority: SITE_NAME,
    reads: ['homePage', 'site'],
    audit: ({ homePage, site }) =>
      whenWhole(homePage, (page) => {
        if (conflictingNames(page) !== null) return skip('the Organizations have different names')
        const names = shopNames(page)
        const pairs = names.flatMap((a, index) =>
          names.slice(index + 1).map((b) => ({ a, b, match: compareShopNames(a, b) })),
        )
        if (names.length < 2)
          return notApplicable('the home page names the shop in fewer than two places')
        if (!pairs.some(({ match }) => match === 'conflict')) {
          return pairs.some(({ match }) => match !== 'unknown')
            ? pass()
            : skip('the names are in different scripts and cannot be compared')
        }
        const listed = names.map(({ source, name }) => `${source} ${shown(name)}`).join(', ')
        const matching = names.find(({ name }) =>
          ['equal', 'variant'].includes(compareNames(readName(name), readName(site.label))),
        )
        const hint = matching === undefined ? '' : ` ${shown(matching.name)} fits the domain.`
        return gap(cut(`${page.url} says ${listed}, expected one name.${hint}`))
      }),
  }),
  rule({
    ...SCHEMA_TOOL,
    id: 'organization_missing',
    lostWith: WITHOUT_HOME_PAGE,
    authority: ORGANIZATION,
    reads: ['homePage'],
    audit: ({ homePage }) =>
      whenHomeRead(homePage, (page) => {
        if (page.organizations.length > 0) return pass()
        if (page.truncated !== null) return skip(describeTruncated(page))
        const broken = page.json_ld_problems.map(
          ({ block, message }) => ` JSON-LD block ${block} is not valid JSON: ${message}.`,
        )
        const found = page.has_organization
          ? 'an Organization only as part of something else, such as the seller of a product'
          : 'no Organization'
        return gap(cut(`${page.url} describes ${found}.${broken.join('')}`))
      }),
  }),
  rule({
    ...SCHEMA_TOOL,
    lostWith: ['organization_missing'],
    // A theme that marks up the logo, and leaves out what it is the logo of.
    id: 'organization_name_missing',
    authority: ORGANIZATION,
    reads: ['homePage'],
    audit: ({ homePage }) =>
      whenMarkedUp(homePage, (organization, page) => {
        const isNamed = namedOrganizations(page).some((each) => spellings(each).length > 0)
        return isNamed ? pass() : gap(`name is missing (${organization.where} of ${page.url}).`)
      }),
  }),
  rule({
    ...SCHEMA_TOOL,
    // Copied from a template or an agency's site. Country domains of one shop are fine.
    id: 'organization_url_mismatch',
    lostWith: ['organization_missing'],
    authority: ORGANIZATION,
    reads: ['homePage', 'site'],
    audit: ({ homePage, site }) =>
      whenMarkedUp(homePage, (organization, page) => {
        const { url: stated } = organization
        if (stated === null) return notApplicable('the Organization states no url')
        const host = URL.parse(stated, page.url)?.hostname ?? ''
        // The same shop under another country's domain.
        const isSibling = bare(host).split('.').slice(0, -1).includes(site.label.toLowerCase())
        // The domain may lead to another one, which is then the shop's.
        const own = URL.parse(page.url)?.hostname ?? site.domain
        if (isSameSite(host, own) || isSameSite(host, site.domain) || isSibling) return pass()
        const expected = isSameSite(own, site.domain) ? site.domain : own
        return gap(
          `url is ${shown(stated)} (${organization.where} of ${page.url}), expected https://${expected}/.`,
        )
      }),
  }),
  rule({
    ...SCHEMA_TOOL,
    // Google: a URL that can be crawled; a path works on the page, but not where agents show it.
    id: 'organization_logo_invalid',
    lostWith: ['organization_missing'],
    authority: ORGANIZATION,
    reads: ['homePage'],
    audit: ({ homePage }) =>
      whenMarkedUp(homePage, (organization, page) => {
        const { logo } = organization
        const where = `(${organization.where} of ${page.url})`
        if (logo === null) return gap(`logo is missing ${where}, expected an absolute https URL.`)
        if (logo === '') return gap(`logo has no address ${where}, expected an absolute https URL.`)
        if (absolute(logo)?.protocol === 'https:') return pass()
        return gap(`logo is ${shown(logo)} ${where}, expected an absolute https URL.`)
      }),
  }),
  rule({
    ...SCHEMA_TOOL,
    // Themes print every social network of their settings, empty where the shop has no profile.
    id: 'organization_same_as_invalid',
    lostWith: ['organization_missing'],
    authority: ORGANIZATION,
    reads: ['homePage', 'site'],
    audit: ({ homePage, site }) =>
      whenMarkedUp(homePage, (organization, page) => {
        const values = organization.same_as
        if (values.length === 0) return notApplicable('the Organization states no sameAs')
        const faults = values.flatMap((value) => sameAsFault(value, site.domain) ?? [])
        if (faults.length === 0) return pass()
        const some = [...new Set(faults)].slice(0, 5).join('; ')
        return gap(cut(`sameAs holds ${some} (${organization.where} of ${page.url}).`))
      }),
  }),
  rule({
    ...SCHEMA_TOOL,
    // Theme, plugin and app each add an Organization, one of them with its own default name.
    id: 'organization_names_conflict',
    lostWith: ['organization_missing'],
    authority: ORGANIZATION,
    reads: ['homePage'],
    audit: ({ homePage }) =>
      whenWhole(homePage, (page) => {
        if (!page.has_organization) return skip('no Organization markup to judge')
        const conflict = conflictingNames(page)
        if (conflict === null) return pass()
        const named = conflict.map(({ name, where }) => `${shown(name)} (${where})`)
        return gap(`${page.url} describes ${named.join(' and ')}, expected one name.`)
      }),
  }),
]
