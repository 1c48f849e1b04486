import { createBudget, LIMITS } from './budget.ts'
import type { PageControls } from './control.ts'
import { createControlsReader } from './controls.ts'
import { attributeOf, type PageElement, walkHtml } from './html/elements.ts'
import { isJsonLdType, type JsonLdBlock, type JsonLdProblem, readJsonLd } from './json-ld.ts'
import { createMicrodataReader } from './microdata.ts'
import type { MarkupNode } from './node.ts'
import { createSignsReader, type PageSigns } from './page-signs/signs.ts'
import { createRdfaReader } from './rdfa.ts'
import { createVisibleReader, type VisiblePage } from './visible/visible-page.ts'
import { createRetiredReader, type RetiredVocabulary } from './vocabulary.ts'

/** A `<script>`. Its text is untrusted and never runs. */
export interface DocumentScript {
  /** Resolved, or as written if that fails. */
  src: string | null
  /** Lower case, empty without the attribute. */
  type: string
  in_head: boolean
  text: string
  /** By lower-case name, as written otherwise. */
  attributes: Map<string, string>
}

/**
 * The machine-readable content of a page's HTML, from which a `Page` is made; too large to keep.
 */
export interface MarkupDocument {
  lang: string | null
  /** The first `<title>`, on one line; empty text for an empty element. */
  title: string | null
  /** In document order; `key` is the lower-cased `name`, `property` or `http-equiv`. */
  meta: { key: string; content: string }[]
  /** `<link>` elements; `href` is resolved, `rel` split and lower-cased. */
  links: { rel: string[]; href: string; type: string | null }[]
  /**
   * Targets of `<a href>`, resolved, http(s) only, without fragment, unique, at most 1,000; without
   * those that are only linked with `rel="nofollow"`.
   */
  anchors: string[]
  scripts: DocumentScript[]
  /**
   * All top-level and nested nodes, each once, `@id` references resolved, cycles kept as cycles.
   */
  nodes: MarkupNode[]
  /** Script elements of JSON-LD, valid or not. */
  blocks: readonly JsonLdBlock[]
  json_ld_problems: JsonLdProblem[]
  /** Its own, that of its canonical link, and that of its Open Graph markup. */
  addresses: string[]
  /** What a person sees, as far as it tells kinds of pages apart. */
  signs: PageSigns
  visible: VisiblePage
  controls: PageControls
  retired: RetiredVocabulary[]
  /** Makes an address absolute, by the page's own or its `<base>`. */
  resolve: (href: string) => string
}

/** Product pages are sampled from these links, a few of them per audit. */
const MAX_ANCHORS = 1_000

/**
 * Reads any text as HTML, like a browser with scripting on. Never throws; takes time linear in
 * `html`, of which as much is read as the budget allows. `url` is the page's own, absolute.
 * `isWhole` is false if `html` is only the beginning of the page.
 */
export function readDocument(
  html: string,
  url: string,
  budget = createBudget(),
  isWhole = true,
): MarkupDocument {
  const isCut = !isWhole || html.length > LIMITS.characters
  if (isCut) budget.cut('characters')
  const text = html.slice(html.startsWith('\uFEFF') ? 1 : 0, LIMITS.characters)
  const plain = collectPlain()
  const signs = createSignsReader(URL.parse(url)?.hostname ?? '')
  const visible = createVisibleReader()
  const controls = createControlsReader(visible.isHidden)
  const items = [createMicrodataReader(budget), createRdfaReader(budget)]
  const retired = createRetiredReader()
  const { truncated } = walkHtml(text, {
    start(element) {
      plain.start(element)
      signs.start(element)
      visible.start(element)
      controls.start(element)
      for (const reader of items) reader.start(element)
      retired.start(element)
    },
    end(element, raw, isClosed) {
      // Half a block would read as a broken one.
      if (raw !== null && (isClosed || !isCut)) plain.raw(element, raw)
      if (raw !== null && !element.foreign && HAS_READABLE_TEXT.has(element.name)) {
        for (const reader of items) reader.text(raw)
      }
      signs.end(element)
      visible.end(element, raw)
      controls.end(element)
      for (const reader of items) reader.end(element)
    },
    text(characters) {
      signs.text(characters)
      visible.text(characters)
      controls.text(characters)
      for (const reader of items) reader.text(characters)
    },
  })
  if (truncated) budget.cut('html_depth')
  const { lang, title, meta, base, links, anchors, scripts, blocks } = plain.collected
  const resolve = createResolver(base, url)
  const canonical = links.find(({ rel }) => rel.includes('canonical'))?.href
  const shared = meta.find(({ key }) => key === 'og:url')?.content
  const addresses = [url, ...[canonical, shared].flatMap((each) => (each ? [resolve(each)] : []))]
  const jsonLd = readJsonLd(blocks, resolve, budget)
  return {
    lang,
    title,
    meta,
    links: links.map((link) => ({ ...link, href: resolve(link.href) })),
    anchors: targets(anchors, resolve),
    scripts: scripts.map((script) =>
      script.src === null ? script : { ...script, src: resolve(script.src) },
    ),
    nodes: [...jsonLd.nodes, ...items.flatMap((reader) => reader.finish(resolve))],
    retired: retired.found,
    blocks,
    json_ld_problems: jsonLd.problems,
    addresses,
    signs: signs.finish({ title, addresses, resolve }),
    visible: visible.finish(),
    controls: controls.finish(),
    resolve,
  }
}

/**
 * Elements whose content the tokenizer gives as plain text and that a person sees: it counts as
 * text of a property, unlike that of `<script>` and `<style>`.
 */
const HAS_READABLE_TEXT = new Set(['title', 'textarea', 'plaintext', 'xmp'])

/** The result of `collectPlain`: what needs no reader of its own. */
interface Plain extends Pick<MarkupDocument, 'lang' | 'title' | 'meta' | 'links' | 'scripts'> {
  base: string | null
  anchors: Set<string>
  blocks: JsonLdBlock[]
}

/**
 * Everything but structured data. Addresses stay as written, because a `<base>` may come after
 * them.
 */
function collectPlain() {
  const collected: Plain = {
    lang: null,
    title: null,
    meta: [],
    base: null,
    links: [],
    anchors: new Set(),
    scripts: [],
    blocks: [],
  }
  const { meta, links, anchors, scripts, blocks } = collected

  return {
    collected,
    start(element: PageElement) {
      if (element.foreign) return
      const read = (name: string) => attributeOf(element, name)
      const href = element.name === 'base' || element.name === 'link' ? read('href') : null
      if (element.name === 'html') collected.lang = read('lang')?.trim() || null
      else if (element.name === 'base') collected.base ??= href
      else if (element.name === 'link' && href !== null) {
        links.push({ rel: words(read('rel')), href, type: read('type') })
      } else if (element.name === 'meta') {
        const keys = ['name', 'property', 'http-equiv'].flatMap(
          (name) => read(name)?.trim().toLowerCase() || [],
        )
        const content = read('content')
        if (content !== null) meta.push(...[...new Set(keys)].map((key) => ({ key, content })))
      } else if (element.name === 'a') {
        const target = read('href')?.trim() ?? ''
        // Unspecified: links with nofollow are left out, because stores mark those that trigger
        // actions.
        const isFollowed = !words(read('rel')).includes('nofollow')
        if (target !== '' && !target.startsWith('#') && isFollowed) anchors.add(target)
      }
    },
    raw(element: PageElement, text: string) {
      if (element.name === 'title') collected.title ??= text.replace(/\s+/g, ' ').trim()
      if (element.name !== 'script') return
      const type = attributeOf(element, 'type') ?? ''
      if (isJsonLdType(type)) blocks.push({ text, offset: element.offset })
      scripts.push({
        src: attributeOf(element, 'src'),
        type: type.trim().toLowerCase(),
        in_head: element.in_head,
        text,
        attributes: new Map(element.attributes.map(({ name, value }) => [name, value])),
      })
    },
  }
}

/**
 * A space-separated attribute such as `rel`, lower-cased: its keywords are ASCII case-insensitive
 * in HTML.
 */
const words = (list: string | null): string[] =>
  (list ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/**
 * Makes an address absolute; one that cannot be resolved stays as written. Only an http(s) `<base>`
 * counts: browsers ignore `data:` and `javascript:` too
 * (https://html.spec.whatwg.org/#set-the-frozen-base-url).
 */
function createResolver(base: string | null, url: string): (href: string) => string {
  const declared = base === null ? null : URL.parse(base, url)
  const origin = declared !== null && /^https?:$/.test(declared.protocol) ? declared.href : url
  return (href) => URL.parse(href.trim(), origin)?.href ?? href
}

/** The targets of links, each once and without its fragment: pages that can be fetched. */
function targets(anchors: ReadonlySet<string>, resolve: (href: string) => string): string[] {
  const found = new Set<string>()
  for (const anchor of anchors) {
    const target = resolve(anchor).replace(/#.*$/s, '')
    if (/^https?:\/\//.test(target)) found.add(target)
    if (found.size === MAX_ANCHORS) break
  }
  return [...found]
}
