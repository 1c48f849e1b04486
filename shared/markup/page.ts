import { MAX_ADDRESS } from '../web/address/uri.ts'
import { type Budget, createBudget, LIMITS } from './budget.ts'
import type { PageControls } from './control.ts'
import { type DocumentScript, type MarkupDocument, readDocument } from './document.ts'
import { type JsonLdBlock, type JsonLdProblem, jsonOfBlock } from './json-ld.ts'
import type { MarkupNode } from './node.ts'
import { type OrganizationReading, readOrganizations } from './organizations.ts'
import type { PageSigns } from './page-signs/signs.ts'
import { type PageSubjects, readSubjects } from './page-signs/subjects.ts'
import { mainProduct, type ProductMarkup, type ProductReading, readProducts } from './products.ts'
import {
  type ProductIdentity,
  readScriptedChoices,
  type ScriptedChoice,
} from './scripted-choices.ts'
import { placeOf } from './values.ts'
import type { VisiblePage } from './visible/visible-page.ts'
import type { RetiredVocabulary } from './vocabulary.ts'

/** A `<script src>`: it identifies the tag, and whether a policy lets it load. */
export interface Script {
  /** Resolved, or as written if that fails. */
  src: string
  in_head: boolean
  nonce: string | null
  integrity: string | null
  /** `data-endpoint`: where the tag reports to. */
  endpoint: string | null
}

/**
 * The machine-readable content of a page, as far as rules need it: plain data without cycles, at
 * most about 1 MB, so that it can be passed from thread to thread. All of it is untrusted. The
 * server makes it from fetched HTML, the extension from the shown page, and rules read both alike.
 */
export interface Page extends ProductReading, OrganizationReading {
  /**
   * The page's own address, absolute: what relative addresses are resolved against without a
   * `<base>`.
   */
  url: string
  lang: string | null
  /** The first `<title>`, on one line; empty text for an empty element. */
  title: string | null
  /** In document order; `key` is the lower-cased `name`, `property` or `http-equiv`. */
  meta: { key: string; content: string }[]
  /** `<link>` elements to other forms of the page, or to its feeds; `href` is resolved. */
  links: { rel: string[]; href: string; type: string | null }[]
  /** Targets of `<a href>`, resolved, http(s) only, without fragment, unique: the first of them. */
  anchors: string[]
  /** In document order. */
  scripts: Script[]
  /**
   * What inline scripts do with JSON-LD of products: one writes it, one merely names both, or
   * nothing.
   */
  product_script: 'writes' | 'mentions' | null
  /** Its scripts say that prices are converted from the shop's own money into the visitor's. */
  converted: boolean
  /** Account numbers in inline scripts, and whether each is in Google's opt-in for surveys. */
  merchant_ids: { id: string; survey: boolean }[]
  /** Script elements of JSON-LD, valid or not. */
  json_ld_blocks: number
  /** The beginnings of the first ones, by number less one: where a gap is shown on the page. */
  block_starts: string[]
  /**
   * The block with the main product, as JSON, from which a corrected one is made. Null if there is
   * none, or if it is too long to keep.
   */
  main_block: { number: number; json: string } | null
  json_ld_problems: JsonLdProblem[]
  /** Vocabularies that search engines have given up, each by its name, with its first place. */
  retired: RetiredVocabulary[]
  /** The places of the microdata items named above: the n-th of its type, from 0. */
  items: { where: string; type: string; index: number }[]
  /** What a person sees, as far as it tells product pages from others: see `judgeKind`. */
  signs: PageSigns
  /** What a person sees of the product, and what the text says without being seen. */
  visible: VisiblePage
  /** Its buttons, links and fields, as agents operate them. */
  controls: PageControls
  /**
   * What can be chosen of the product by the data in scripts, and is said nowhere else. Null if
   * there is no such data, or it was not to be read.
   */
  scripted_choices: ScriptedChoice[] | null
  /** What the markup says the page is about, and what it lists. */
  subjects: PageSubjects
  /** Why not all of the page was read, so that what is missing proves nothing; null if it was. */
  truncated: string | null
}

/**
 * Reads any text as HTML, like a browser with scripting on. Never throws; takes time linear in
 * `html`. `url` is the page's own, absolute; `isWhole` is false if `html` is only the beginning.
 * `readsChoices`: also what can be chosen by its scripts, for which the HTML is read once more.
 */
export function readPage(
  html: string,
  url: string,
  { isWhole = true, readsChoices = true } = {},
): Page {
  const budget = createBudget()
  const document = readDocument(html, url, budget, isWhole)
  const { lang, title, nodes, blocks, json_ld_problems } = document
  const titles = [title, ...document.signs.h1]
  const { addresses, signs } = document
  const products = readProducts(nodes, { addresses, titles, shows: signs.shows }, budget)
  const organizations = readOrganizations(nodes, budget)
  const kept = keepPlain(document, budget)
  return {
    url,
    lang: lang?.slice(0, MAX_KEY) ?? null,
    title: title?.slice(0, MAX_TITLE) ?? null,
    ...kept,
    product_script: productScriptOf(document.scripts),
    converted: isConverted(document.scripts),
    merchant_ids: merchantIdsOf(document.scripts),
    ...products,
    ...organizations,
    json_ld_blocks: blocks.length,
    block_starts: blocks
      .slice(0, MAX_STARTS)
      .map(({ text }) => text.trimStart().slice(0, START_LENGTH)),
    main_block: mainBlockOf(products, blocks),
    json_ld_problems,
    retired: document.retired,
    items: itemsOf(nodes, placesIn(products, organizations)),
    signs,
    visible: document.visible,
    controls: document.controls,
    scripted_choices: readsChoices
      ? readScriptedChoices(
          html,
          document.scripts,
          identityOf(url, document, mainProduct(products)),
        )
      : null,
    subjects: readSubjects(nodes, document.resolve),
    truncated: budget.reason(),
  }
}

/** By what scripts name the page's product. */
const identityOf = (
  url: string,
  { meta, signs }: MarkupDocument,
  product: ProductMarkup | null,
): ProductIdentity => ({
  url,
  names: [
    ...signs.h1,
    signs.heading,
    product?.name ?? null,
    meta.find(({ key }) => key === 'og:title')?.content ?? null,
  ],
  numbers: product === null ? [] : [product.sku, product.product_id, product.mpn],
})

const MAX_KEY = 100
const MAX_TITLE = 1_000

/** Characters that are kept of a meta element. */
export const MAX_META = 1_000

/** How many of a page's links are kept, from which product pages are chosen. */
const MAX_ANCHOR_CHARACTERS = 25_000

/** The size of the block that is kept whole; one of a product with thirty variants has as much. */
const MAX_BLOCK = 40_000

function mainBlockOf(products: ProductReading, blocks: readonly JsonLdBlock[]): Page['main_block'] {
  const number = Number(/^JSON-LD block (\d+),/.exec(mainProduct(products)?.where ?? '')?.[1])
  const text = blocks[number - 1]?.text
  return text === undefined || text.length > MAX_BLOCK ? null : { number, json: jsonOfBlock(text) }
}

/** How much of a JSON-LD block identifies it. */
const MAX_STARTS = 40
const START_LENGTH = 300

/** The lists of a page besides markup, as far as rules need them and they fit. */
function keepPlain(
  document: MarkupDocument,
  budget: Budget,
): Pick<Page, 'meta' | 'links' | 'scripts' | 'anchors'> {
  const fits = (...texts: (string | null)[]) =>
    budget.take('page_characters', texts.join('').length + ENTRY_SIZE)
  const meta = document.meta
    .map(({ key, content }) => ({
      key: key.slice(0, MAX_KEY),
      content: shortened(key, content, budget),
    }))
    .filter(({ key, content }) => fits(key, content))
  const links = document.links.flatMap(({ rel, href, type }) => {
    const words = rel.filter((word) => word === 'canonical' || word === 'alternate')
    if (words.length === 0 || href.length > MAX_ADDRESS) return []
    const link = { rel: rel.slice(0, 10), href, type: type?.slice(0, MAX_KEY) ?? null }
    return fits(link.href, link.type, ...link.rel) ? [link] : []
  })
  const scripts = document.scripts.flatMap(({ src, in_head, attributes }) => {
    if (src === null || src.length > MAX_ADDRESS) return []
    const attribute = (name: string, most: number) => attributes.get(name)?.slice(0, most) ?? null
    const nonce = attribute('nonce', MAX_TITLE)
    const integrity = attribute('integrity', MAX_TITLE)
    const endpoint = attribute('data-endpoint', MAX_ADDRESS)
    return fits(src, nonce, integrity, endpoint)
      ? [{ src, in_head, nonce, integrity, endpoint }]
      : []
  })
  let left = MAX_ANCHOR_CHARACTERS
  const anchors = document.anchors.filter((anchor) => {
    left -= anchor.length
    return left >= 0
  })
  return { meta, links, scripts, anchors }
}

/** What each entry of a list costs in addition to its text. */
const ENTRY_SIZE = 20

/** A cut policy would say something else; for other texts the beginning is enough. */
function shortened(key: string, content: string, budget: Budget): string {
  if (key !== 'content-security-policy') return content.slice(0, MAX_META)
  if (content.length > LIMITS.policy_characters) budget.cut('policy_characters')
  return content.slice(0, LIMITS.policy_characters)
}

/** Of one inline script: enough to recognise a widget or what writes JSON-LD. */
const MAX_SCRIPT_TEXT = 64 * 1024

const inlineScripts = (scripts: readonly DocumentScript[]) =>
  scripts.map(({ src, type, text }) => ({ src, type, text: text.slice(0, MAX_SCRIPT_TEXT) }))

function productScriptOf(scripts: readonly DocumentScript[]): Page['product_script'] {
  const about = inlineScripts(scripts).filter(
    ({ text }) => text.includes('ld+json') && text.includes('Product'),
  )
  const writes = about.some(
    ({ src, type, text }) =>
      src === null && /^$|javascript|module/.test(type) && /\bProduct(Group)?\b/.test(text),
  )
  return writes ? 'writes' : about.length > 0 ? 'mentions' : null
}

/**
 * Shopify writes the currency of the visitor and its rate to the shop's into each page:
 * `Shopify.currency = {"active":"EUR","rate":"1.0"}`.
 */
const isConverted = (scripts: readonly DocumentScript[]): boolean =>
  inlineScripts(scripts).some(({ text }) => {
    const rate = /Shopify\.currency\s*=\s*\{[^}]{0,80}"rate"\s*:\s*"?([\d.]{1,20})/.exec(text)?.[1]
    return rate !== undefined && Number(rate) !== 1
  })

/** The first account numbers in the forms that Google's widgets document. */
function merchantIdsOf(scripts: readonly DocumentScript[]): Page['merchant_ids'] {
  return inlineScripts(scripts)
    .flatMap(({ text }) => {
      const id = /\bmerchant_id["']?\s*:\s*["']?(\d{3,15})/.exec(text)?.[1]
      return id === undefined ? [] : [{ id, survey: text.includes('surveyoptin') }]
    })
    .slice(0, 20)
}

/** The places that findings about a page may name. */
function placesIn(
  { products }: ProductReading,
  { organizations, web_site }: OrganizationReading,
): Set<string> {
  const all = products.flatMap((product) => [product, ...product.variants])
  return new Set(
    [
      ...all,
      ...all.flatMap(({ offers }) => offers),
      ...organizations,
      ...(web_site ? [web_site] : []),
    ].map(({ where }) => where),
  )
}

/** Lines and columns are those of the HTML; on the shown page an item is found by its number. */
function itemsOf(nodes: readonly MarkupNode[], places: ReadonlySet<string>): Page['items'] {
  const counts = new Map<string, number>()
  const items: Page['items'] = []
  for (const node of nodes) {
    if (node.syntax !== 'microdata') continue
    const [type] = node.types
    const where = placeOf(node)
    if (type !== undefined && places.has(where)) {
      items.push({ where, type: type.slice(0, MAX_KEY), index: counts.get(type) ?? 0 })
    }
    for (const each of new Set(node.types)) counts.set(each, (counts.get(each) ?? 0) + 1)
  }
  return items
}
