import type { MarkupNode, MarkupValue } from './node.ts'

/** JSON-LD's objects and microdata's items; everything else is text, a number or a boolean. */
export const isNode = (value: MarkupValue): value is MarkupNode => typeof value === 'object'

/**
 * A property's values as written. Names in another case, such as `Offers` and `pricecurrency`, are
 * read too, because shops write them.
 */
export function valuesOf(node: MarkupNode, name: string): MarkupValue[] {
  const values = node.props.get(name)
  if (values !== undefined) return values
  const lower = name.toLowerCase()
  for (const [key, others] of node.props) {
    if (key.length === name.length && key.toLowerCase() === lower) return others
  }
  return []
}

/** The nested nodes of a property, without its plain values. */
export const nodesOf = (node: MarkupNode, name: string): MarkupNode[] =>
  valuesOf(node, name).filter(isNode)

/**
 * Text of a value on one line: a number as digits, a node by its name, such as a Brand. Null for
 * empty text and for booleans, which say nothing that a person would read.
 */
export function oneLineText(value: MarkupValue | undefined): string | null {
  if (value === undefined || typeof value === 'boolean') return null
  if (isNode(value)) {
    const [name] = valuesOf(value, 'name').filter((each) => !isNode(each))
    return oneLineText(name)
  }
  return String(value).replace(/\s+/g, ' ').trim() || null
}

/**
 * The first value that says something; null when none does. Shopify's themes write empty text for
 * what is not filled in.
 */
export function firstText(node: MarkupNode, name: string): string | null {
  for (const value of valuesOf(node, name)) {
    const text = oneLineText(value)
    if (text !== null) return text
  }
  return null
}

/** Every value that says something, in order. */
export const textsOf = (node: MarkupNode, name: string): string[] =>
  valuesOf(node, name).flatMap((value) => oneLineText(value) ?? [])

/**
 * Addresses as written: texts, or nodes that hold one. An ImageObject states its file as
 * `contentUrl` or `url` (https://schema.org/ImageObject).
 */
export function urlsOf(node: MarkupNode, name: string): string[] {
  return valuesOf(node, name).flatMap((value) => {
    if (!isNode(value)) return oneLineText(value) ?? []
    return firstText(value, 'contentUrl') ?? firstText(value, 'url') ?? value.id ?? []
  })
}
