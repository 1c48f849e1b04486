/** A schema.org node, from JSON-LD or microdata alike. Property names as written, values in order. */
export interface MarkupNode {
  /** Short type names: `Product`, never `https://schema.org/Product`. */
  types: string[]
  id: string | null
  props: Map<string, MarkupValue[]>
  /** `JSON-LD block 2, $.@graph[1].offers` or `microdata at byte 5120`: where a person finds it. */
  where: string
  syntax: 'json_ld' | 'microdata'
}

/** Text as written, or a nested node. Numbers and booleans of JSON-LD keep their type. */
export type MarkupValue = string | number | boolean | MarkupNode

export interface JsonLdProblem {
  /** From 1, in document order over all JSON-LD blocks. */
  block: number
  /** Offset of the block in the document, in characters. */
  offset: number
  /** What is wrong and where in the block: `trailing comma at line 4`. */
  message: string
  /** The first 80 characters around the fault. */
  excerpt: string
}

export interface Script {
  src: string | null
  type: string
  in_head: boolean
  /** Inline text, at most 64 KiB of it. */
  text: string
  attributes: Map<string, string>
}

/** What a page says to a machine. Everything a stranger wrote; nothing of it is trusted. */
export interface Page {
  url: string
  lang: string | null
  title: string | null
  /** In document order; `key` is the lower-cased `name`, `property` or `http-equiv`. */
  meta: { key: string; content: string }[]
  /** `<link>` elements; `href` is resolved, `rel` split and lower-cased. */
  links: { rel: string[]; href: string; type: string | null }[]
  /** Targets of `<a href>`, resolved, http(s) only, without fragment, unique, at most 1,000. */
  anchors: string[]
  scripts: Script[]
  /** All top-level and nested nodes, each once, `@id` references resolved, cycles kept as cycles. */
  nodes: MarkupNode[]
  json_ld_blocks: number
  json_ld_problems: JsonLdProblem[]
  /** A limit on bytes, depth or nodes cut the reading short. */
  truncated: boolean
}
