import type { CDPSession, Protocol } from 'puppeteer-core'
import type { PageNode } from '../../../shared/walk/pages/tree.ts'

/** A tree with more is cut: no agent reads so much. */
const MOST_NODES = 20_000
const MOST_FRAMES = 20
const MOST_TEXT = 400
const MOST_OPTIONS = 300

/** The attributes that agents go by, and that name an element. */
const READ = new Set([
  ...['id', 'name', 'type', 'autocomplete', 'href', 'placeholder', 'title', 'src', 'rel'],
  ...[
    'inputmode',
    'aria-label',
    'aria-haspopup',
    'aria-expanded',
    'target',
    'for',
    'action',
    'maxlength',
  ],
])

/** Roles that say nothing: their children stand in their place. */
const BARE = new Set(['generic', 'none', 'presentation', 'InlineTextBox', 'LineBreak'])

interface Element {
  node: Protocol.DOM.Node
  parent: Element | null
  attributes: Record<string, string>
  /** The document's frame, of a frame's element. */
  frame: string | undefined
}

/** The document, its shadow trees and its frames, as elements by the browser's number for each. */
export type Elements = ReadonlyMap<number, Element>

/** Reads the elements and the accessibility tree of a page. */
export async function readTree(
  cdp: CDPSession,
): Promise<{ nodes: PageNode[]; elements: Elements }> {
  const { root } = await cdp.send('DOM.getDocument', { depth: -1, pierce: true })
  const elements = elementsOf(root)
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const frames = framesOf(frameTree).slice(0, MOST_FRAMES)
  const trees = new Map<string, Protocol.Accessibility.AXNode[]>()
  for (const frameId of frames) {
    const answer = await cdp.send('Accessibility.getFullAXTree', { frameId }).catch(() => null)
    if (answer) trees.set(frameId, answer.nodes)
  }
  const nodes: PageNode[] = []
  addFrame(frameTree.frame.id, -1, { trees, elements, nodes })
  return { nodes, elements }
}

const framesOf = (tree: Protocol.Page.FrameTree): string[] => [
  tree.frame.id,
  ...(tree.childFrames ?? []).flatMap(framesOf),
]

function elementsOf(root: Protocol.DOM.Node): Elements {
  const elements = new Map<number, Element>()
  const rest: [Protocol.DOM.Node, Element | null][] = [[root, null]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [node, parent] = next
    const list = node.attributes ?? []
    const attributes: Record<string, string> = {}
    for (let at = 0; at < list.length; at += 2) {
      attributes[list[at] ?? ''] = (list[at + 1] ?? '').slice(0, MOST_TEXT)
    }
    const element = { node, parent, attributes, frame: node.frameId }
    elements.set(node.backendNodeId, element)
    const inside = [node.contentDocument ?? [], node.shadowRoots ?? [], node.children ?? []].flat()
    for (const child of inside) rest.push([child, element])
  }
  return elements
}

interface Reading {
  trees: Map<string, Protocol.Accessibility.AXNode[]>
  elements: Elements
  nodes: PageNode[]
}

function addFrame(frameId: string, parent: number, reading: Reading): void {
  const list = reading.trees.get(frameId) ?? []
  // A frame is read once, also where its element is named twice.
  reading.trees.delete(frameId)
  const byId = new Map(list.map((node) => [node.nodeId, node]))
  const [top] = list
  const rest: [Protocol.Accessibility.AXNode, number][] = top ? [[top, parent]] : []
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [ax, above] = next
    const role = String(ax.role?.value ?? '')
    let at = above
    if (!ax.ignored && !BARE.has(role) && reading.nodes.length < MOST_NODES) {
      at = reading.nodes.length
      reading.nodes.push(toNode(ax, role, above, reading.elements))
      const frame = reading.elements.get(ax.backendDOMNodeId ?? -1)?.frame
      if (role === 'Iframe' && frame !== undefined) addFrame(frame, at, reading)
    }
    for (const id of (ax.childIds ?? []).toReversed()) {
      const child = byId.get(id)
      if (child) rest.push([child, at])
    }
  }
}

function toNode(
  ax: Protocol.Accessibility.AXNode,
  role: string,
  parent: number,
  elements: Elements,
): PageNode {
  const ref = ax.backendDOMNodeId ?? -1
  const element = elementOf(ref, elements)
  const states = new Map(ax.properties?.map(({ name, value }) => [String(name), value.value]))
  const text = (value: unknown) =>
    String(value ?? '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MOST_TEXT)
  const isOn = (state: string) => states.get(state) === true || states.get(state) === 'true'
  const level = states.get('level')
  return {
    role,
    name: text(ax.name?.value),
    value: text(ax.value?.value),
    parent,
    level: typeof level === 'number' ? level : null,
    checked: isOn('checked'),
    pressed: states.has('pressed')
      ? isOn('pressed')
      : states.has('selected')
        ? isOn('selected')
        : null,
    disabled: isOn('disabled'),
    required: isOn('required'),
    invalid: isOn('invalid'),
    tag: element?.node.localName ?? '',
    attributes: Object.fromEntries(
      Object.entries(element?.attributes ?? {}).filter(([name]) => READ.has(name)),
    ),
    options: element?.node.localName === 'select' ? optionsOf(element.node) : [],
    selector: element ? selectorOf(element) : '',
    ref,
  }
}

/** The element of a node, or that around a text. */
const elementOf = (ref: number, elements: Elements): Element | null => {
  let found = elements.get(ref) ?? null
  while (found !== null && found.node.nodeType !== 1) found = found.parent
  return found
}

function optionsOf(select: Protocol.DOM.Node): PageNode['options'] {
  const list = (select.children ?? []).flatMap((child) =>
    child.localName === 'optgroup' ? (child.children ?? []) : [child],
  )
  return list
    .filter(({ localName }) => localName === 'option')
    .slice(0, MOST_OPTIONS)
    .map(({ attributes = [], children = [] }) => {
      const attribute = (name: string) => {
        const at = attributes.findIndex((each, index) => index % 2 === 0 && each === name)
        return at < 0 ? null : (attributes[at + 1] ?? '')
      }
      const text = children
        .map(({ nodeValue }) => nodeValue)
        .join('')
        .replace(/\s+/g, ' ')
        .trim()
      return {
        value: attribute('value') ?? text,
        text: text.slice(0, MOST_TEXT),
        disabled: attribute('disabled') !== null,
      }
    })
}

const LEVELS = 5

/** Of React's `useId`: another one whenever the page is drawn again, as are those of options. */
const GENERATED_ID = /_[rR]_\w*_/
const hasLastingId = ({ id = '', role }: Element['attributes']): boolean =>
  /^[A-Za-z][\w-]*$/.test(id) && !GENERATED_ID.test(id) && role !== 'option'

/** A CSS selector that a person finds the element by; it may fit several in odd documents. */
function selectorOf(element: Element): string {
  const parts: string[] = []
  for (let each: Element | null = element; each && parts.length < LEVELS; each = each.parent) {
    const { node, attributes, parent } = each
    if (node.nodeType !== 1) break
    if (hasLastingId(attributes)) return [`#${attributes.id}`, ...parts].join(' > ')
    if (parts.length === 0 && attributes.name && !/["\\]/.test(attributes.name)) {
      return `${node.localName}[name="${attributes.name}"]`
    }
    const same = (parent?.node.children ?? []).filter(
      ({ localName }) => localName === node.localName,
    )
    const place = same.findIndex(({ backendNodeId }) => backendNodeId === node.backendNodeId) + 1
    parts.unshift(same.length > 1 ? `${node.localName}:nth-of-type(${place})` : node.localName)
  }
  return parts.join(' > ')
}

/** Whether one element is another, or in it. */
export function isInElement(ref: number, of: number, elements: Elements): boolean {
  for (let each = elements.get(ref) ?? null; each; each = each.parent) {
    if (each.node.backendNodeId === of) return true
  }
  return false
}

/** The label around a field or for it, which a click takes for the field itself. */
export function labelsOf(ref: number, elements: Elements): number[] {
  const element = elements.get(ref)
  const labels: number[] = []
  for (let each = element?.parent ?? null; each; each = each.parent) {
    if (each.node.localName === 'label') labels.push(each.node.backendNodeId)
  }
  const id = element?.attributes.id
  for (const [of, { node, attributes }] of elements) {
    if (id && node.localName === 'label' && attributes.for === id) labels.push(of)
  }
  return labels
}

/** What lies over something, as a selector. */
export function selectorOfRef(ref: number, elements: Elements): string {
  const element = elementOf(ref, elements)
  return element ? selectorOf(element) : ''
}
