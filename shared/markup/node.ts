/**
 * A schema.org node, from JSON-LD, microdata or RDFa alike, so that readers need not know which one
 * a store uses. Property names as written, without a namespace; values in order. All of it is
 * untrusted.
 */
export interface MarkupNode {
  /** Short type names: `Product`, never `https://schema.org/Product`. */
  types: string[]
  /** `@id` or `itemid`, absolute if it can be resolved; null if the markup states none. */
  id: string | null
  /** A Map, because hostile markup may name a property `__proto__`. */
  props: Map<string, MarkupValue[]>
  /**
   * `JSON-LD block 2, $.@graph[1].offers`, `microdata at line 88, column 5`,
   * `RDFa at line 9, column 2`: where a person finds it.
   */
  where: string
  syntax: 'json_ld' | 'microdata' | 'rdfa'
  /** The node that it is written in, whether or not as the value of a property; null at the top. */
  parent: MarkupNode | null
}

/**
 * Text as written, or a nested node. JSON-LD's numbers and booleans stay, its null is empty text.
 */
export type MarkupValue = string | number | boolean | MarkupNode
