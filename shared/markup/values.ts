import type { MarkupNode, MarkupValue } from './node.ts'

/** JSON-LD's objects and microdata's items; everything else is text, a number or a boolean. */
export const isNode = (value: MarkupValue): value is MarkupNode => typeof value === 'object'

/**
 * Whether a node is described within another one, and not only named there: by `@id` in JSON-LD, by
 * `resource` in RDFa; microdata has no such names. The budget limits the nesting, so the way up is
 * short.
 */
export function isWithin(value: MarkupNode, node: MarkupNode): boolean {
  if (value.syntax === 'microdata') return true
  for (let { parent } = value; parent !== null; parent = parent.parent) {
    // Parts of one thing that are written apart have the same id.
    if (parent === node || (parent.id !== null && parent.id === node.id)) return true
  }
  return false
}

/** The place of a node, at the length that a finding can show. */
export const placeOf = ({ where }: MarkupNode): string =>
  where.length > MAX_PLACE ? `${where.slice(0, MAX_PLACE - 1)}…` : where

const MAX_PLACE = 160

/** The longest text that is needed; many nodes may share one. */
const MAX_TEXT = 4_000

/**
 * What was already read of each node. Many nodes may refer to one, and it is read once for all of
 * them: a list of 1,000 products must not read the 1,000 values of its brand for each.
 */
const known = new WeakMap<MarkupNode, Known>()

interface Known {
  /** The first values under each lower-case name; built when a name is not found exactly. */
  folded: Map<string, MarkupValue[]> | null
  firstTexts: Map<string, string | null>
  /** The name that represents the node where text is expected; undefined until it is needed. */
  name: string | null | undefined
  /** The same where an address is expected. */
  address: string | null | undefined
}

function knownOf(node: MarkupNode): Known {
  const found = known.get(node) ?? {
    folded: null,
    firstTexts: new Map(),
    name: undefined,
    address: undefined,
  }
  known.set(node, found)
  return found
}

/**
 * A property's values as written. Names in another case, such as `Offers` and `pricecurrency`, are
 * read too, because stores write them.
 */
export function valuesOf(node: MarkupNode, name: string): readonly MarkupValue[] {
  const values = node.props.get(name)
  if (values !== undefined) return values
  const facts = knownOf(node)
  facts.folded ??= fold(node)
  return facts.folded.get(name.toLowerCase()) ?? []
}

function fold({ props }: MarkupNode): Map<string, MarkupValue[]> {
  const folded = new Map<string, MarkupValue[]>()
  for (const [key, values] of props) {
    const lower = key.toLowerCase()
    if (!folded.has(lower)) folded.set(lower, values)
  }
  return folded
}

/** The nested nodes of a property, without its plain values. */
export const nodesOf = (node: MarkupNode, name: string): MarkupNode[] =>
  valuesOf(node, name).filter(isNode)

/**
 * Text of a value on one line: a number as digits, a node by its name, such as a Brand. Null for
 * empty text and for booleans.
 */
export function oneLineText(value: MarkupValue | undefined): string | null {
  if (value === undefined || typeof value === 'boolean') return null
  if (isNode(value)) return nameOf(value)
  return String(value).slice(0, MAX_TEXT).replace(/\s+/g, ' ').trim() || null
}

/** The first plain value of a node's `name`. */
function nameOf(node: MarkupNode): string | null {
  const facts = knownOf(node)
  if (facts.name === undefined) {
    facts.name = oneLineText(valuesOf(node, 'name').find((each) => !isNode(each)))
  }
  return facts.name
}

/**
 * The first value that is not empty; null if there is none. Shopify's themes write empty text for
 * missing values.
 */
export function firstText(node: MarkupNode, name: string): string | null {
  const { firstTexts } = knownOf(node)
  const before = firstTexts.get(name)
  if (before !== undefined) return before
  let found: string | null = null
  for (const value of valuesOf(node, name)) {
    found = oneLineText(value)
    if (found !== null) break
  }
  firstTexts.set(name, found)
  return found
}

/** Every value that is not empty, in order. */
export const textsOf = (node: MarkupNode, name: string): string[] =>
  valuesOf(node, name).flatMap((value) => oneLineText(value) ?? [])

/** Addresses as written, at most `most`: texts, or nodes that hold one. */
export function urlsOf(node: MarkupNode, name: string, most: number): string[] {
  const urls: string[] = []
  for (const value of valuesOf(node, name)) {
    if (urls.length === most) break
    const url = isNode(value) ? addressOf(value) : oneLineText(value)
    if (url !== null) urls.push(url)
  }
  return urls
}

/**
 * An ImageObject states its file as `contentUrl` or `url` (https://schema.org/ImageObject). For a
 * node in their place, the address is its id, if it has one, and not its name: the `url` of a thing
 * that is named by its address is the thing itself.
 */
function addressOf(node: MarkupNode): string | null {
  const facts = knownOf(node)
  if (facts.address === undefined) {
    const stated = ['contentUrl', 'url']
      .flatMap((name) => valuesOf(node, name))
      .map((value) => (isNode(value) && value.id !== null ? value.id : oneLineText(value)))
    facts.address = stated.find((each) => each !== null) ?? node.id
  }
  return facts.address
}

/** Stated, and not as empty text: Shopify's themes write `""` for missing values. */
export const hasValue = (node: MarkupNode, name: string): boolean =>
  valuesOf(node, name).some((value) => isNode(value) || oneLineText(value) !== null)
