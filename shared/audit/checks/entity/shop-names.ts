import type { MarkupNode } from '../../../markup/node.ts'
import { namedOrganizations } from '../../../markup/organizations.ts'
import type { Page } from '../../../markup/page.ts'
import { textsOf } from '../../../markup/values.ts'
import { compareNames, type NameMatch } from './brand-name.ts'

/** A name that a home page gives its shop, and the other spellings that it states for it. */
export interface ShopName {
  source: string
  name: string
  alternates: string[]
}

/** Other spellings that the owner states, so that they are no contradiction. */
const ALTERNATES = ['alternateName', 'legalName']

/**
 * The names on a home page, the most important source first. The title is not included: it often
 * holds a slogan, so it can only support a name.
 */
export function shopNames(page: Page): ShopName[] {
  const sites = page.nodes.filter(({ types }) => types.includes('WebSite')).slice(0, 1)
  const [organization] = namedOrganizations(page)
  return [
    ...sites.flatMap((site) => nameOf(site, 'WebSite')),
    ...(organization === undefined ? [] : nameOf(organization, 'Organization')),
    ...metaName(page, 'og:site_name'),
    ...metaName(page, 'application-name'),
  ]
}

function nameOf(node: MarkupNode, type: string): ShopName[] {
  const [name] = textsOf(node, 'name')
  if (name === undefined) return []
  const alternates = ALTERNATES.flatMap((property) => textsOf(node, property))
  return [{ source: `${type} name (${node.where})`, name, alternates }]
}

/** The name in a `<meta>`, as a list of one or none; it has no other spellings. */
function metaName(page: Page, key: string): ShopName[] {
  const name = page.meta.find((meta) => meta.key === key)?.content.trim()
  return name ? [{ source: key, name, alternates: [] }] : []
}

/** The best match first: one spelling that agrees is enough. */
const STRENGTH: readonly NameMatch[] = ['equal', 'variant', 'unknown', 'conflict']

/** The best match between any spellings of the two. */
export function compareShopNames(a: ShopName, b: ShopName): NameMatch {
  const matches = [a.name, ...a.alternates.slice(0, 20)].flatMap((first) =>
    [b.name, ...b.alternates.slice(0, 20)].map((second) => compareNames(first, second)),
  )
  return STRENGTH.find((match) => matches.includes(match)) ?? 'unknown'
}
