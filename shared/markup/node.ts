/** A schema.org node, from JSON-LD or microdata alike. Property names as written, values in order. */
export interface MarkupNode {
  /** Short type names: `Product`, never `https://schema.org/Product`. */
  types: string[]
  id: string | null
  props: Map<string, MarkupValue[]>
  /** `JSON-LD block 2, $.@graph[1].offers`, `microdata at line 88, column 5`: where a person finds it. */
  where: string
  syntax: 'json_ld' | 'microdata'
}

/** Text as written, or a nested node. JSON-LD's numbers and booleans stay, its null is empty text. */
export type MarkupValue = string | number | boolean | MarkupNode
