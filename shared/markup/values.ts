import type { MarkupNode, MarkupValue } from './node.ts'

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

export const nodesOf = (node: MarkupNode, name: string): MarkupNode[] =>
  valuesOf(node, name).filter(isNode)

/** Text of a value on one line: a number as digits, a node by its name. Empty text is null. */
export function oneLineText(value: MarkupValue | undefined): string | null {
  if (value === undefined || typeof value === 'boolean') return null
  if (isNode(value)) {
    const [name] = valuesOf(value, 'name').filter((each) => !isNode(each))
    return oneLineText(name)
  }
  return String(value).replace(/\s+/g, ' ').trim() || null
}

/** The first value that says something. */
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

/** Addresses as written: texts, or nodes that hold one, as an ImageObject does. */
export function urlsOf(node: MarkupNode, name: string): string[] {
  return valuesOf(node, name).flatMap((value) => {
    if (!isNode(value)) return oneLineText(value) ?? []
    return firstText(value, 'contentUrl') ?? firstText(value, 'url') ?? value.id ?? []
  })
}
