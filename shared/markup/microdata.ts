import { type Budget, createBudget, LIMITS } from './budget.ts'
import { attributeOf, type PageElement } from './html/elements.ts'
import type { MarkupNode, MarkupValue } from './node.ts'
import { shortName, shortType } from './vocabulary.ts'

/** Takes a page's elements and text in document order, as `walkHtml` gives them. */
export interface ItemReader {
  start(element: PageElement): void
  end(element: PageElement): void
  text(characters: string): void
  /** All items, in document order. */
  finish(resolve: (url: string) => string): MarkupNode[]
}

/** An element used by microdata: it is an item or a property, or `itemref` may name it. */
export interface Part {
  /** Position in the document, from 0: the order of an item's properties. */
  order: number
  /** The nearest used elements within it; all others are skipped. */
  children: Part[]
  id: string | null
  /** The property names of `itemprop`; empty if it is not a property. */
  names: string[]
  /** The name of an item, if no property states one. */
  value: Value
  item: { node: MarkupNode; refs: string[] } | null
  /** The item that it is or belongs to. */
  holder: MarkupNode | null
  /** The value as it was read; `itemref` may ask for it from many items. */
  read: string | null
}

/** A range of the page's text, from `start` to `end`, so that nested properties need no copies. */
export type Value =
  | { kind: 'text'; start: number; end: number }
  | { kind: 'written'; text: string }
  | { kind: 'url'; url: string }
  /** An address that may be the id of an item, which then is the value. */
  | { kind: 'reference'; url: string }

/** Values are cut, because a property may span the whole page. */
const MAX_TEXT = 20_000

/** Names of one property, and types of one item; real ones have one or two. */
export const MAX_TOKENS = 20

/**
 * Reads items as https://html.spec.whatwg.org/multipage/microdata.html says, in linear time:
 * elements are collected in one pass, and `itemref` is followed at the end, when all ids are known.
 * Deviation: `content` counts on every element.
 */
export const createMicrodataReader = (budget: Budget = createBudget()): ItemReader =>
  createItemReader(budget, partOf)

/**
 * A reader of items in the attributes of elements. `partOf` gives an element's role: its position
 * among the used elements, and where in their text it begins.
 */
export function createItemReader(
  budget: Budget,
  partOf: (element: PageElement, order: number, textStart: number) => Part | null,
): ItemReader {
  const parts: Part[] = []
  const open: Part[] = []
  const partAt = new Map<PageElement, Part>()
  let text = ''
  let readers = 0

  return {
    start(element) {
      const part = partOf(element, parts.length, text.length)
      if (part === null) return
      // What was read so far stays; because of the budget, missing items prove nothing.
      if (!budget.take('microdata_parts')) return
      if (part.item !== null && !budget.take('nodes')) return
      parts.push(part)
      const outer = open.at(-1)
      outer?.children.push(part)
      if (part.item !== null) part.item.node.parent = outer?.holder ?? null
      part.holder = part.item?.node ?? outer?.holder ?? null
      open.push(part)
      partAt.set(element, part)
      if (part.value.kind === 'text') readers += 1
    },
    end(element) {
      const part = partAt.get(element)
      if (part === undefined) return
      partAt.delete(element)
      open.splice(open.lastIndexOf(part), 1)
      if (part.value.kind !== 'text') return
      part.value.end = text.length
      readers -= 1
    },
    text(characters) {
      // Text outside of every text property is never needed, so it is not kept.
      if (readers > 0) text += characters
    },
    finish(resolve) {
      const byId = new Map<string, Part>()
      for (const part of parts) {
        // Of a repeated id, only the first element counts (HTML, microdata: "the properties of an
        // item").
        if (part.id !== null && !byId.has(part.id)) byId.set(part.id, part)
      }
      const textOf = (part: Part): string => {
        part.read ??= readValue(part.value, text, resolve, budget)
        return part.read
      }
      const items = parts.filter(({ item }) => item !== null)
      const named = new Map<string, MarkupNode>()
      for (const { item } of items) {
        if (item === null || item.node.id === null) continue
        item.node.id = resolve(item.node.id)
        if (!named.has(item.node.id)) named.set(item.node.id, item.node)
      }
      const valueIn = (part: Part): MarkupValue => {
        const read = part.item?.node ?? textOf(part)
        return typeof read === 'string' && part.value.kind === 'reference'
          ? (named.get(read) ?? read)
          : read
      }
      for (const root of items) {
        const { item } = root
        if (item === null) continue
        const referred = item.refs.flatMap((id) => byId.get(id) ?? [])
        for (const part of propertiesOf(root, referred, budget)) {
          for (const name of part.names) {
            const values = item.node.props.get(name) ?? []
            item.node.props.set(name, values)
            if (values.length === LIMITS.values_of_property) budget.cut('values_of_property')
            else if (budget.take('values')) values.push(valueIn(part))
          }
        }
        // A `<meta itemscope content>` cannot hold a property; its content is its value.
        const name = textOf(root)
        if (name !== '' && !item.node.props.has('name')) item.node.props.set('name', [name])
      }
      return items.flatMap(({ item }) => (item === null ? [] : [item.node]))
    },
  }
}

/**
 * The properties of the item `root`, in document order, without those of items within it (HTML,
 * microdata: "the properties of an item").
 */
function propertiesOf(root: Part, referred: readonly Part[], budget: Budget): Part[] {
  const properties: Part[] = []
  // Elements that refer to each other by `itemref` are visited once (HTML: "memory").
  const seen = new Set([root])
  const pending = [...root.children, ...referred]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (seen.has(part)) continue
    if (!budget.take('microdata_steps')) break
    seen.add(part)
    if (part.names.length > 0) properties.push(part)
    if (part.item === null) for (const child of part.children) pending.push(child)
  }
  return properties.sort((a, b) => a.order - b.order)
}

/**
 * The element's role in an item, or null without one. SVG and MathML have no microdata attributes.
 */
function partOf(element: PageElement, order: number, textStart: number): Part | null {
  if (element.foreign) return null
  const id = attributeOf(element, 'id')
  const names = tokens(attributeOf(element, 'itemprop')).slice(0, MAX_TOKENS).map(shortName)
  const isItem = attributeOf(element, 'itemscope') !== null
  if (id === null && names.length === 0 && !isItem) return null
  const hasText = names.length > 0 && !isItem
  return {
    order,
    children: [],
    id,
    names,
    item: isItem ? itemOf(element) : null,
    value: hasText
      ? declaredValue(element, textStart)
      : { kind: 'written', text: (isItem && attributeOf(element, 'content')) || '' },
    holder: null,
    read: null,
  }
}

/** `itemid` is resolved at the end, because a `<base>` may come later than the item. */
function itemOf(element: PageElement): Part['item'] {
  const { line, column } = element
  const node: MarkupNode = {
    types: tokens(attributeOf(element, 'itemtype')).slice(0, MAX_TOKENS).map(shortType),
    id: attributeOf(element, 'itemid'),
    props: new Map(),
    where: `microdata at line ${line}, column ${column}`,
    syntax: 'microdata',
    parent: null,
  }
  return { node, refs: tokens(attributeOf(element, 'itemref')) }
}

/**
 * A set of space-separated tokens: split at ASCII whitespace, each once
 * (https://infra.spec.whatwg.org/#ascii-whitespace).
 */
export const tokens = (list: string | null): string[] =>
  list === null ? [] : [...new Set(list.split(/[\t\n\f\r ]+/).filter((token) => token !== ''))]

/** Elements whose property value is an address or an attribute (HTML, microdata: "Values"). */
const URL_ATTRIBUTE: ReadonlyMap<string, string> = new Map([
  ...['audio', 'embed', 'iframe', 'img', 'source', 'track', 'video'].map(
    (name) => [name, 'src'] as const,
  ),
  ...['a', 'area', 'link'].map((name) => [name, 'href'] as const),
  ['object', 'data'],
])
const VALUE_ATTRIBUTE: ReadonlyMap<string, string> = new Map([
  ['data', 'value'],
  ['meter', 'value'],
  ['time', 'datetime'],
])

/**
 * The value of a property by its element (HTML, microdata: "Values"). `content` counts on every
 * element, as in https://www.w3.org/TR/microdata/ and with search engines; WHATWG knows it on
 * `<meta>` only.
 */
function declaredValue(element: PageElement, start: number): Value {
  const content = attributeOf(element, 'content')
  if (content !== null) return { kind: 'written', text: content }
  if (element.name === 'meta') return { kind: 'written', text: '' }
  const urlAttribute = URL_ATTRIBUTE.get(element.name)
  if (urlAttribute !== undefined) {
    return { kind: 'url', url: attributeOf(element, urlAttribute) ?? '' }
  }
  const valueAttribute = VALUE_ATTRIBUTE.get(element.name)
  const written = valueAttribute === undefined ? null : attributeOf(element, valueAttribute)
  if (written !== null) return { kind: 'written', text: written }
  if (element.name === 'data' || element.name === 'meter') return { kind: 'written', text: '' }
  return { kind: 'text', start, end: start }
}

/**
 * The value as text; addresses are made absolute. Text loses the blanks before it, which templates
 * leave by the thousand.
 */
function readValue(
  value: Value,
  text: string,
  resolve: (url: string) => string,
  budget: Budget,
): string {
  if (value.kind === 'written') return value.text.slice(0, MAX_TEXT)
  if (value.kind !== 'text') return value.url === '' ? '' : resolve(value.url)
  const end = Math.min(value.end, value.start + MAX_TEXT)
  if (!budget.take('microdata_characters', end - value.start)) return ''
  return text.slice(value.start, end).trimStart()
}
