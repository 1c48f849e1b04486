import { countJsonValues, isRecord } from '../web/json/json.ts'
import { findJsonFault, positionIn } from '../web/json/json-fault.ts'
import { type Budget, createBudget, LIMITS } from './budget.ts'
import type { MarkupNode, MarkupValue } from './node.ts'
import { shortName, shortType } from './vocabulary.ts'

/** The text of a `<script type="application/ld+json">`. */
export interface JsonLdBlock {
  text: string
  /** Of the text in the document, in characters. */
  offset: number
}

/** A block that agents cannot read, described for the person who has to fix it. */
export interface JsonLdProblem {
  /** From 1, in document order over all JSON-LD blocks. */
  block: number
  /** Offset of the block in the document, in characters. */
  offset: number
  /** What is wrong and where in the block: `trailing comma at line 4, column 3`. */
  message: string
  /** The first 80 characters around the fault. */
  excerpt: string
  /** Type names that the block mentions, although it cannot be parsed. */
  types: string[]
}

/**
 * The content of a page's blocks. A broken block does not affect the others. What exceeded the
 * budget is missing, and the budget says so.
 */
interface JsonLdReading {
  nodes: MarkupNode[]
  problems: JsonLdProblem[]
}

/**
 * Whether a script's `type` is JSON-LD. Parameters and any case are allowed, as in a media type:
 * `Application/LD+JSON; charset=utf-8` is found on real stores.
 */
export const isJsonLdType = (type: string): boolean =>
  /^\s*application\/ld\+json\s*(;|$)/i.test(type)

/**
 * Reads JSON-LD as search engines do, in linear time: every term is taken as schema.org's, and
 * `@context` is not fetched, because that would let a page choose what we request. `resolve` makes
 * an `@id` absolute. A block that is not JSON gives a problem and no node.
 */
export function readJsonLd(
  blocks: readonly JsonLdBlock[],
  resolve: (id: string) => string,
  budget: Budget = createBudget(),
): JsonLdReading {
  const reading: JsonLdReading = { nodes: [], problems: [] }
  const documents: Pending[] = []
  for (const [index, { text, offset }] of blocks.entries()) {
    const number = index + 1
    const json = jsonOfBlock(text)
    // An empty block is neither content nor an error.
    if (json.trim() === '') continue
    // Counted before they are created: 2 MB of `{},` would be 700,000 objects.
    if (!budget.take('values', countJsonValues(json))) continue
    const read = parseJson(json)
    if ('value' in read) {
      const value = read.value
      documents.push({ value, path: `JSON-LD block ${number}, $`, index: null, depth: 0, ...TOP })
    } else if (budget.take('problems')) {
      reading.problems.push(describeFault(json, read.offset, read.reason, number, offset))
    }
  }
  // Reversed, because the last item of a stack is taken first.
  buildNodes(documents.reverse(), resolve, reading, budget)
  linkReferences(reading)
  return reading
}

/**
 * The JSON of a block, without the CDATA markers that XHTML pages put around scripts, which search
 * engines ignore too. Each of their characters becomes a space, so that offsets and columns in
 * findings stay right.
 */
export const jsonOfBlock = (text: string): string =>
  text
    .replace(/^\uFEFF/, ' ')
    .replace(/^\s*(?:\/\*\s*<!\[CDATA\[\s*\*\/|(?:\/\/\s*)?<!\[CDATA\[)/, blank)
    .replace(/(?:\/\*\s*\]\]>\s*\*\/|(?:\/\/\s*)?\]\]>)\s*$/, blank)

/** Each character but white space becomes a space. */
const blank = (text: string): string => text.replace(/\S/g, ' ')

/**
 * `JSON.parse` decides whether a block is valid; the tolerant reader only explains what it refused.
 * A block that needs tolerance must not pass, because agents parse strictly.
 */
function parseJson(text: string): { value: unknown } | { offset: number; reason: string } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return findJsonFault(text) ?? { offset: 0, reason: 'too large or too deeply nested to be read' }
  }
}

/** Line and column count within the block, from 1: that is what a person sees in an editor. */
function describeFault(
  text: string,
  at: number,
  reason: string,
  block: number,
  offset: number,
): JsonLdProblem {
  const { line, column } = positionIn(text, at)
  const excerpt = text.slice(Math.max(0, at - 40), at + 40)
  return {
    block,
    offset,
    message: `${reason} at line ${line}, column ${column}`,
    excerpt: excerpt.replace(/\s+/g, ' ').trim(),
    types: typesMentioned(text),
  }
}

/**
 * The type names in a block that cannot be parsed: a pattern, because there is no tree. It allows
 * for quotes, escapes and a URL prefix between `@type` and the name.
 */
function typesMentioned(text: string): string[] {
  const names = new Set<string>()
  for (const [, name = ''] of text.matchAll(/@type[^A-Z]{1,60}([A-Z]\w{1,60})/g)) {
    names.add(name)
    if (names.size === 20) break
  }
  return [...names]
}

/** A value that is still to be read, with the place that findings name. */
interface Pending {
  value: unknown
  /** Its place, without its position in a list: most values never need it. */
  path: string
  index: number | null
  depth: number
  /** Where the value goes; null for a top-level one. */
  into: MarkupValue[] | null
  parent: MarkupNode | null
}

const TOP = { into: null, parent: null } as const

const placeOf = ({ path, index }: Pending): string => (index === null ? path : `${path}[${index}]`)

/**
 * Depth first and in document order, without recursion: deeply nested input must not overflow the
 * stack.
 */
function buildNodes(
  stack: Pending[],
  resolve: (id: string) => string,
  reading: JsonLdReading,
  budget: Budget,
) {
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth, into, parent } = next
    if (depth > LIMITS.json_depth) {
      budget.cut('json_depth')
    } else if (into !== null && into.length === LIMITS.values_of_property) {
      budget.cut('values_of_property')
    } else if (Array.isArray(value)) {
      const path = placeOf(next)
      // One more than fits, so that the excess is noticed.
      const items = into === null ? value : value.slice(0, LIMITS.values_of_property + 1)
      pushReversed(
        stack,
        items.map((item, index) => ({ value: item, path, index, depth: depth + 1, into, parent })),
      )
    } else if (isRecord(value)) {
      const record = new Map(Object.entries(value))
      // A value, list or set object stands for its content (JSON-LD 1.1): it is not a node.
      const plain = record.get('@value') ?? record.get('@list') ?? record.get('@set')
      if (plain !== undefined) {
        stack.push({ ...next, value: plain, depth: depth + 1 })
        continue
      }
      if (!budget.take('nodes')) return
      const node = nodeOf(record, next, resolve)
      into?.push(node)
      reading.nodes.push(node)
      pushReversed(stack, membersOf(record, node, depth))
    } else if (isScalar(value)) {
      into?.push(value)
    } else {
      // null: explicitly stated as empty.
      into?.push('')
    }
  }
}

/** What `JSON.parse` can return besides null, lists and objects. */
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A stack returns the last item first; the reversal keeps the order of the document. */
function pushReversed(stack: Pending[], pending: Pending[]): void {
  for (let index = pending.length - 1; index >= 0; index--) {
    const item = pending[index]
    if (item !== undefined) stack.push(item)
  }
}

/**
 * Other names of `@type` and `@id` in schema.org's context, which has no properties that are called
 * so (https://schema.org/docs/jsonldcontext.jsonld).
 */
const ALIASES: ReadonlySet<string> = new Set(['type', 'id'])

/** At most twenty types: real nodes have one or two, and each is compared often. */
function nodeOf(
  record: ReadonlyMap<string, unknown>,
  pending: Pending,
  resolve: (id: string) => string,
): MarkupNode {
  const type = record.get('@type') ?? record.get('type')
  const id = record.get('@id') ?? record.get('id')
  const types = (Array.isArray(type) ? type.slice(0, 20) : [type]).filter(
    (name) => typeof name === 'string',
  )
  return {
    types: types.map(shortType),
    id: typeof id === 'string' && id !== '' ? resolve(id) : null,
    props: new Map(),
    where: placeOf(pending),
    syntax: 'json_ld',
    parent: pending.parent,
  }
}

/**
 * The values of an object that are still to be read. `@graph` and `@included` hold nodes of their
 * own, not properties of this one (JSON-LD 1.1); other keywords carry no facts.
 */
function membersOf(
  record: ReadonlyMap<string, unknown>,
  node: MarkupNode,
  depth: number,
): Pending[] {
  const members: Pending[] = []
  for (const [key, value] of record) {
    const place = {
      value,
      path: `${node.where}.${key.slice(0, 60)}`,
      index: null,
      depth: depth + 1,
      parent: node,
    }
    if (key === '@graph' || key === '@included') {
      members.push({ ...place, into: null })
    } else if (!key.startsWith('@') && !ALIASES.has(key)) {
      const name = shortName(key)
      const into = node.props.get(name) ?? []
      node.props.set(name, into)
      members.push({ ...place, into })
    }
  }
  return members
}

/**
 * Merges the nodes that share an `@id` and do not contradict each other, and replaces bare
 * references by the result. Reference cycles stay cycles; references that lead out of the page stay
 * as they are.
 */
function linkReferences(reading: JsonLdReading): void {
  const named = new Map<string, MarkupNode>()
  const replaced = new Map<MarkupNode, MarkupNode>()
  for (const node of reading.nodes) {
    if (node.id === null || isReference(node)) continue
    // The first node of an id stays; what later ones add is added to it.
    const first = named.get(node.id)
    if (first === undefined) named.set(node.id, node)
    else if (isCompatible(first, node)) {
      for (const [name, values] of node.props) {
        if (!first.props.has(name)) first.props.set(name, values)
      }
      replaced.set(node, first)
    }
  }
  for (const node of reading.nodes) {
    const target = node.id === null ? undefined : named.get(node.id)
    if (isReference(node) && target !== undefined) replaced.set(node, target)
  }
  reading.nodes = reading.nodes.filter(
    (node) => !replaced.has(node) && (node.types.length > 0 || !isReference(node)),
  )
  if (replaced.size === 0) return
  for (const { props } of reading.nodes) {
    for (const values of props.values()) {
      for (const [index, value] of values.entries()) {
        if (typeof value === 'object') values[index] = replaced.get(value) ?? value
      }
    }
  }
}

/** `{"@id": "#brand"}`, alone or with a type: it says nothing itself and points to another node. */
const isReference = (node: MarkupNode): boolean => node.id !== null && node.props.size === 0

/**
 * Some plugins use one `@id` for different things, such as the page and its product. Such nodes
 * share no type or differ in a value, and merging them would mix their facts.
 */
function isCompatible(first: MarkupNode, second: MarkupNode): boolean {
  const sharesType =
    second.types.length === 0 || second.types.some((type) => first.types.includes(type))
  if (!sharesType) return false
  for (const [name, values] of second.props) {
    const [own] = first.props.get(name) ?? []
    const [other] = values
    if (own === undefined || other === undefined) continue
    if (typeof own !== 'object' && typeof other !== 'object' && own !== other) return false
  }
  return true
}
