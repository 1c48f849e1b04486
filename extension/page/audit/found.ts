import { blockedBy, snippetsOf } from '../../../shared/audit/checks/attribution/rules.ts'
import { sellables } from '../../../shared/audit/checks/pages.ts'
import type { ProductMarkup } from '../../../shared/markup/products.ts'
import type { BothPages } from './judged-page.ts'
import type { FoundOnPage, FoundOrganization, FoundProduct, FoundSnippet } from './page-audit.ts'

/** The most of each kind; longer lists are cut. */
const MAX_LISTED = 20
const MAX_OFFERS = 10
const MAX_TEXT = 200
/** The longest price, currency or availability; longer text is not one of these. */
const MAX_WORD = 60

const cut = (text: string | null, length = MAX_TEXT): string | null =>
  text?.slice(0, length) ?? null

/** What the open page says to machines, as the browser shows it. */
export function findOnPage(both: BothPages): FoundOnPage {
  const { rendered } = both
  return {
    products: findProducts(both),
    organizations: findOrganizations(both),
    snippet: findSnippet(both),
    json_ld_blocks: rendered.json_ld_blocks,
    broken_blocks: rendered.json_ld_problems.length,
  }
}

function findProducts({ rendered, judged, served }: BothPages): FoundProduct[] {
  const inHtml = served.ok ? new Set(judged.products.map(productKey)) : null
  return rendered.products.slice(0, MAX_LISTED).map((product) => ({
    type: product.type,
    name: cut(product.name),
    where: product.where,
    sku: cut(product.sku),
    variants: product.variants.length,
    offers: offersOf(product),
    in_served: inHtml?.has(productKey(product)) ?? true,
  }))
}

/** Products with the same name and number are one, in either version of the page. */
const productKey = ({ type, name, sku }: ProductMarkup): string => JSON.stringify([type, name, sku])

const offersOf = (product: ProductMarkup): FoundProduct['offers'] =>
  [...new Set([product, ...sellables(product)])]
    .flatMap(({ offers }) => offers)
    .slice(0, MAX_OFFERS)
    .map(({ price, currency, availability }) => ({
      price: cut(price, MAX_WORD),
      currency: cut(currency, MAX_WORD),
      availability: cut(availability, MAX_WORD),
    }))

function findOrganizations({ rendered, judged, served }: BothPages): FoundOrganization[] {
  const inHtml = served.ok ? new Set(judged.organizations.map(({ name }) => name)) : null
  return rendered.organizations.slice(0, MAX_LISTED).map(({ types, name, url, where }) => ({
    types,
    name: cut(name),
    url: cut(url),
    where,
    in_served: inHtml?.has(name) ?? true,
  }))
}

function findSnippet(both: BothPages): FoundSnippet | null {
  const { rendered, judged, served } = both
  const all = snippetsOf(rendered)
  const [first] = all
  if (first === undefined) return null
  return {
    id: cut(first.url.searchParams.get('id')?.trim() || null),
    src: first.url.href.slice(0, MAX_TEXT),
    count: all.length,
    in_head: all.some(({ script }) => script.in_head),
    blocked_by_csp: cut(blockingPolicy(both)),
    in_served: !served.ok || snippetsOf(judged).length > 0,
  }
}

/**
 * The directive that blocks the tag's script or its report, read from the served HTML: the browser
 * hides nonces of a shown page (https://html.spec.whatwg.org/#nonce-attributes).
 */
function blockingPolicy({ judged, answer }: BothPages): string | null {
  const [first] = snippetsOf(judged)
  if (first === undefined) return null
  const inPage = judged.meta.filter(({ key }) => key === 'content-security-policy')
  const policies = [
    answer.headers['content-security-policy'] ?? '',
    ...inPage.map(({ content }) => content),
  ]
  for (const policy of policies) {
    const blocked = blockedBy(policy, first, judged)
    if (blocked !== null) return blocked.directive
  }
  return null
}
