import type { Budget } from './budget.ts'
import { attributeOf, type PageElement } from './html/elements.ts'
import {
  createItemReader,
  type ItemReader,
  MAX_TOKENS,
  type Part,
  tokens,
  type Value,
} from './microdata.ts'
import type { MarkupNode } from './node.ts'
import { shortType } from './vocabulary.ts'

/** Prefixes of a page; real ones declare one or two of schema.org. */
const MAX_PREFIXES = 20

const SCHEMA = /^https?:\/\/(?:www\.)?schema\.org\/?#?$/i

/**
 * Reads RDFa Lite (https://www.w3.org/TR/rdfa-lite/) of schema.org in linear time: `vocab`,
 * `typeof`, `property`, `resource` and `prefix`. Terms of other vocabularies, Open Graph's among
 * them, are left out. What RDFa 1.1 has beyond it is not read, but for `content` and `datetime`.
 */
export function createRdfaReader(budget: Budget): ItemReader {
  // The initial context of RDFa declares it for every page.
  const prefixes = new Set(['schema'])
  const scopes: { element: PageElement; isSchema: boolean }[] = []

  const read = (list: string | null): string[] => {
    const isSchema = scopes.at(-1)?.isSchema ?? false
    return tokens(list)
      .slice(0, MAX_TOKENS)
      .flatMap((token) => termOf(token, isSchema, prefixes) ?? [])
  }
  const items = createItemReader(budget, (element, order, textStart) => {
    if (element.foreign) return null
    let isRead = false
    for (const { name } of element.attributes) {
      if (name === 'typeof' || name === 'property' || name === 'resource') isRead = true
    }
    return isRead ? partOf(element, order, textStart, read) : null
  })

  return {
    ...items,
    start(element) {
      for (const { name, value } of element.attributes) {
        if (name === 'vocab') scopes.push({ element, isSchema: SCHEMA.test(value.trim()) })
        else if (name === 'prefix') declare(value, prefixes)
      }
      items.start(element)
    },
    end(element) {
      items.end(element)
      if (scopes.at(-1)?.element === element) scopes.pop()
    },
    finish: (resolve) => joined(items.finish(resolve)),
  }
}

/** `prefix="s: https://schema.org/ og: http://ogp.me/ns#"` */
function declare(list: string, prefixes: Set<string>): void {
  const words = tokens(list)
  for (const [index, word] of words.entries()) {
    const target = words[index + 1] ?? ''
    if (prefixes.size === MAX_PREFIXES) return
    if (word.endsWith(':') && SCHEMA.test(target)) prefixes.add(word.slice(0, -1).toLowerCase())
  }
}

/** The name within schema.org, or null for a term of another vocabulary. */
function termOf(token: string, isSchema: boolean, prefixes: ReadonlySet<string>): string | null {
  const colon = token.indexOf(':')
  if (colon === -1) return isSchema ? token : null
  const name = token.slice(colon + 1)
  if (prefixes.has(token.slice(0, colon).toLowerCase())) return name
  return /^https?:\/\/(?:www\.)?schema\.org\/(\w+)$/i.exec(token)?.[1] ?? null
}

function partOf(
  element: PageElement,
  order: number,
  textStart: number,
  read: (list: string | null) => string[],
): Part | null {
  const typed = attributeOf(element, 'typeof')
  const types = read(typed).map(shortType)
  const names = read(attributeOf(element, 'property'))
  const resource = attributeOf(element, 'resource')
  // Alone, it says whose properties follow; a thing of another vocabulary has properties as well.
  const isSubject = typed !== null || (resource !== null && names.length === 0)
  if (!isSubject && names.length === 0) return null
  // It names what has a type (https://www.w3.org/TR/rdfa-core/#s_sequence, step 5), and is the value
  // of what has none.
  const address = resource ?? attributeOf(element, 'href') ?? attributeOf(element, 'src')
  const { line, column } = element
  const node: MarkupNode = {
    types,
    id: address,
    props: new Map(),
    where: `RDFa at line ${line}, column ${column}`,
    syntax: 'rdfa',
    parent: null,
  }
  return {
    order,
    children: [],
    id: null,
    names,
    item: isSubject ? { node, refs: [] } : null,
    value: isSubject ? { kind: 'written', text: '' } : declaredValue(element, address, textStart),
    holder: null,
    read: null,
  }
}

/** https://www.w3.org/TR/rdfa-core/#s_sequence, step 11. */
function declaredValue(element: PageElement, address: string | null, start: number): Value {
  const content = attributeOf(element, 'content')
  if (content !== null) return { kind: 'written', text: content }
  if (address !== null) return { kind: 'reference', url: address }
  const datetime = attributeOf(element, 'datetime')
  if (datetime !== null) return { kind: 'written', text: datetime }
  return element.name === 'meta'
    ? { kind: 'written', text: '' }
    : { kind: 'text', start, end: start }
}

/** Properties outside of their item, below a `resource`, go to it. */
function joined(nodes: MarkupNode[]): MarkupNode[] {
  const typed = new Map<string, MarkupNode>()
  for (const node of nodes) {
    if (node.id !== null && node.types.length > 0 && !typed.has(node.id)) typed.set(node.id, node)
  }
  return nodes.filter((node) => {
    if (node.types.length > 0) return true
    const target = node.id === null ? undefined : typed.get(node.id)
    if (target === undefined) return node.props.size > 0
    for (const [name, values] of node.props) {
      if (!target.props.has(name)) target.props.set(name, values)
    }
    return false
  })
}
