import { namedOrganizations, type SiteName } from '../../../markup/organizations.ts'
import type { Page } from '../../../markup/page.ts'
import { compareNames, type NameMatch, readName } from './brand-name.ts'

/** A name that a home page gives its shop, and the other spellings that it states for it. */
interface ShopName {
  source: string
  name: string
  alternates: string[]
}

/**
 * The names on a home page, the most important source first. The title is not included: it often
 * holds a slogan, so it can only support a name.
 */
export function shopNames(page: Page): ShopName[] {
  const [organization] = namedOrganizations(page)
  return [
    ...(page.web_site === null ? [] : nameOf(page.web_site, 'WebSite')),
    ...(organization === undefined ? [] : nameOf(organization, 'Organization')),
    ...metaName(page, 'og:site_name'),
    ...metaName(page, 'application-name'),
  ]
}

const nameOf = ({ name, where, alternates }: SiteName, type: string): ShopName[] =>
  name === null ? [] : [{ source: `${type} name (${where})`, name, alternates }]

/** The name in a `<meta>`, as a list of one or none; it has no other spellings. */
function metaName(page: Page, key: string): ShopName[] {
  const name = page.meta.find((meta) => meta.key === key)?.content.trim()
  return name ? [{ source: key, name, alternates: [] }] : []
}

/** The best match first: one spelling that agrees is enough. */
const STRENGTH: readonly NameMatch[] = ['equal', 'variant', 'unknown', 'conflict']

/** The best match between any spellings of the two. */
export function compareShopNames(a: ShopName, b: ShopName): NameMatch {
  const [own, other] = [a, b].map(({ name, alternates }) => [name, ...alternates].map(readName))
  const matches = new Set(
    own?.flatMap((first) => other?.map((second) => compareNames(first, second)) ?? []),
  )
  return STRENGTH.find((match) => matches.has(match)) ?? 'unknown'
}
