import {
  type Control,
  type ControlTag,
  kindOfTag,
  MOST_CONTROLS,
  MOST_NAME,
  ownName,
  type PageControls,
  readTag,
  toPageControls,
  valueName,
} from '../../../shared/markup/control.ts'
import { rootOf } from './safe-document.ts'

const CONTROLS = 'button,a[href],input,select,textarea,[role="button" i],[role="link" i]'
/** What is not in the accessibility tree, regardless of styles. */
const UNHEARD = '[aria-hidden="true" i],[inert]'
/** Elements whose text is not shown. */
const SILENT = new Set(['script', 'style', 'template', 'noscript'])

/** Nodes that are read for names, in all: a page with more is odd, and the rest is left out. */
const MOST_NODES = 200_000
/** Elements in one another: scripts can nest more than a parser does. */
const MOST_DEPTH = 100

/**
 * The controls of a page as the browser shows them: what styles hide is left out, and names are
 * those of the accessibility tree (accname 1.2), with what styles add. Goes into open shadow roots.
 */
export function readShownControls(root: Element): PageControls {
  const reader = createNameReader()
  const found: Control[] = []
  const collect = (from: ParentNode, depth: number) => {
    for (const element of all(from, CONTROLS)) {
      if (found.length >= MOST_CONTROLS || reader.isSpent()) return
      if (element.namespaceURI !== HTML) continue
      const tag = tagOf(element)
      const kind = kindOfTag(tag)
      if (kind === null || (kind === 'field' && is(element, ':disabled'))) continue
      if (isHeard(element)) found.push({ kind, tag, name: reader.nameOf(element, tag, kind) })
    }
    if (depth >= MOST_DEPTH) return
    for (const element of all(from, '*')) {
      const shadow = shadowOf(element)
      if (shadow !== null && isHeard(element)) collect(shadow, depth + 1)
    }
  }
  collect(root, 0)
  return toPageControls(found)
}

// An input named `closest` hides the method of its form: see `safe-document.ts`.
const { closest, matches, checkVisibility, getAttribute } = Element.prototype

const all = (from: ParentNode, selector: string): Element[] => {
  const proto = from instanceof Element ? Element.prototype : DocumentFragment.prototype
  const list: NodeListOf<Element> = proto.querySelectorAll.call(from, selector)
  return [...list]
}
const HTML = 'http://www.w3.org/1999/xhtml'

const is = (element: Element, selector: string): boolean => matches.call(element, selector)

const attribute = (element: Element, name: string): string =>
  getAttribute.call(element, name)?.trim() ?? ''

const shadowOf = (element: Element): ShadowRoot | null => {
  const { shadowRoot } = element
  return shadowRoot instanceof ShadowRoot ? shadowRoot : null
}

function tagOf(element: Element): ControlTag {
  const { localName, attributes } = element
  return {
    name: localName,
    attributes: attributes instanceof NamedNodeMap ? [...attributes] : [],
  }
}

/** In the accessibility tree: rendered, and not taken out of it. */
const isHeard = (element: Element): boolean =>
  isRendered(element) && closest.call(element, UNHEARD) === null

/** An element without a box of its own is as its parent is. */
function isRendered(element: Element): boolean {
  if (checkVisibility.call(element, { visibilityProperty: true })) return true
  const parent = element.parentElement
  if (getComputedStyle(element).display !== 'contents') return false
  return parent instanceof Element && isRendered(parent)
}

/** Glyphs of an icon font. */
const ICONS = /[\uE000-\uF8FF\u{F0000}-\u{10FFFF}]/gu

const plain = (text: string): string => text.replace(ICONS, '').trim()

/**
 * Text that styles add, such as `"Buy"`: the content of a pseudo-element, or its alternative. A
 * single sign is a picture of an icon font, which has one for each letter.
 */
const addedTo = (element: Element): string =>
  ['::before', '::after']
    .flatMap((pseudo) => {
      const { content } = getComputedStyle(element, pseudo)
      const texts = [...(content ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g)]
      return texts.map(([, text]) => plain(text ?? ''))
    })
    .filter((text) => text.length > 1)
    .join('')

function createNameReader() {
  let left = MOST_NODES

  /** What the content of an element says; `isNamed`: by a reference, which names what is hidden. */
  function said(node: Node, depth: number, isNamed = false): string {
    left -= 1
    if (left <= 0 || depth >= MOST_DEPTH) return ''
    if (node instanceof Text) return plain(node.data)
    if (!(node instanceof Element) || SILENT.has(node.localName)) return ''
    if (!isNamed && (is(node, UNHEARD) || !(isRendered(node) || isTitle(node)))) return ''
    const label = (isNamed ? '' : labelledBy(node)) || attribute(node, 'aria-label')
    if (label !== '') return label
    const own = node.localName === 'img' || node.localName === 'input' ? altOf(node) : ''
    return own || saidIn(node, depth, isNamed) || attribute(node, 'title')
  }

  function saidIn(node: Element, depth: number, isNamed = false): string {
    let text = ''
    for (const child of contentOf(node)) {
      if (text.length < MOST_NAME) text += said(child, depth + 1, isNamed)
    }
    return text || addedTo(node)
  }

  /** What is named so may not refer to others (accname, 2B). */
  function labelledBy(element: Element): string {
    const ids = attribute(element, 'aria-labelledby').split(/\s+/).slice(0, 10)
    const root = element.getRootNode()
    if (!(root instanceof Document || root instanceof ShadowRoot)) return ''
    return ids
      .flatMap((id) => (id === '' ? [] : (all(scopeOf(root), `[id="${CSS.escape(id)}"]`)[0] ?? [])))
      .map((named) => said(named, 1, true))
      .join('')
  }

  return {
    isSpent: () => left <= 0,
    nameOf(element: Element, tag: ControlTag, kind: Control['kind']): string {
      const label = labelledBy(element)
      if (label !== '') return label
      const own = ownName(tag) + valueName(tag)
      const labels = kind === 'link' ? [] : labelsOf(element)
      const around = labels.map((each) => said(each, 1)).join('')
      const hasContent = kind !== 'field' && tag.name !== 'input'
      return own + around + (hasContent ? saidIn(element, 1) : '')
    },
  }
}

/** That of a drawing, which has no box. */
const isTitle = (element: Element): boolean =>
  element.localName === 'title' && element.namespaceURI !== HTML

const scopeOf = (root: Document | ShadowRoot): ParentNode =>
  root instanceof ShadowRoot ? root : (rootOf(root) ?? new DocumentFragment())

const altOf = (element: Element): string => {
  const tag = tagOf(element)
  return tag.name === 'img' ? readTag(tag, 'alt') : valueName(tag)
}

function labelsOf(element: Element): Element[] {
  const labels: unknown = Reflect.get(element, 'labels')
  return labels instanceof NodeList ? [...labels].filter((each) => each instanceof Element) : []
}

/** What an element shows within it: its shadow, or what is put into its slot. */
function contentOf(element: Element): Node[] {
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes()
    if (assigned.length > 0) return assigned
  }
  const from: Node = shadowOf(element) ?? element
  const children: unknown = Object.getOwnPropertyDescriptor(
    Node.prototype,
    'childNodes',
  )?.get?.call(from)
  return children instanceof NodeList ? [...children] : []
}
