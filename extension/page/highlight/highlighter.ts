import { boxOf, createElement, elementText, rootOf, scrollTo } from '../collect/safe-document.ts'
import { withoutPlace } from '../without-place.ts'
import { findElement, visibleElement } from './find-element.ts'
import type { HighlightTarget } from './target.ts'

/** What to highlight, and the words next to it. All of it is put on the page as text. */
export interface HighlightNote {
  target: HighlightTarget
  title: string
  detail: string
  /** Shown when the element exists but is not visible. */
  hint: string
  /** Shown when there is no element. */
  absent: string
  close: string
}

const MAX_QUOTE = 600

// Set through CSSOM, which a page's policy cannot forbid
// (https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/style-src).
const HOST = 'all: initial; position: fixed; inset: 0; z-index: 2147483647; pointer-events: none'
const FRAME =
  'position: fixed; border: 3px solid #c2410c; border-radius: 6px; box-shadow: 0 0 0 3px #fff, 0 0 0 6px #0006'
const CARD = [
  'position: fixed; right: 16px; bottom: 16px; box-sizing: border-box; pointer-events: auto',
  'display: flex; flex-direction: column; align-items: start; width: min(380px, calc(100vw - 32px))',
  'max-height: 60vh; padding: 16px',
  'border: 2px solid #c2410c; border-radius: 10px; box-shadow: 0 8px 30px #0005',
  'color: #1a1a1a; background: #fff; font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere',
].join('; ')
const WORDS = 'min-height: 0; margin: 0 0 8px; overflow: auto; align-self: stretch'
const TITLE = 'margin: 0 0 8px; font-weight: 700'
const TEXT = 'margin: 0 0 8px'
const QUOTE =
  'margin: 0 0 8px; padding: 8px; background: #f3f3f3; white-space: pre-wrap; font: 12px/1.5 ui-monospace, monospace'
const BUTTON =
  'flex: none; padding: 6px 14px; border: 1px solid #1a1a1a; border-radius: 6px; color: #1a1a1a; background: #fff; font: inherit; cursor: pointer'

/**
 * Highlights the element of a gap on the open page, in a closed shadow root that the page's styles
 * and scripts do not reach. Each call removes the previous highlight, as do null, Escape, the
 * button, and a page that a router replaces. Returns whether something was drawn.
 */
export function createHighlighter(page: Window): (note: HighlightNote | null) => boolean {
  let clear = () => {}
  return (note) => {
    clear()
    if (note === null) return false
    const root = rootOf(page.document)
    if (root === null) return false
    clear = draw(page, root, findElement(root, note.target), note)
    return true
  }
}

function draw(page: Window, root: Element, found: Element | null, note: HighlightNote): () => void {
  const visible = visibleElement(root, found, note.target)
  const host = createElement(page.document, 'div')
  host.style.cssText = HOST
  const stop = new AbortController()
  const { signal } = stop
  const clear = () => {
    stop.abort()
    host.remove()
  }
  const frame = createElement(page.document, 'div')
  frame.style.cssText = FRAME
  const marked = [found, visible].filter((element) => element !== null)
  const address = withoutPlace(page.location.href)
  const isStale = () =>
    withoutPlace(page.location.href) !== address ||
    marked.some((element) => !Node.prototype.contains.call(root, element))
  const check = () => {
    if (isStale()) clear()
  }
  const place = () => {
    if (isStale()) return clear()
    const { left, top, width, height } = visible === null ? new DOMRect() : boxOf(visible)
    frame.style.left = `${left - 6}px`
    frame.style.top = `${top - 6}px`
    frame.style.width = `${width + 6}px`
    frame.style.height = `${height + 6}px`
    frame.hidden = visible === null
  }
  const shadow = host.attachShadow({ mode: 'closed' })
  shadow.append(
    ...(visible === null ? [] : [frame]),
    card(page.document, found, visible, note, clear),
  )
  root.append(host)
  if (visible !== null) scrollTo(visible)
  place()
  const onKey = (event: KeyboardEvent) => event.key === 'Escape' && clear()
  page.addEventListener('keydown', onKey, { signal, capture: true })
  page.addEventListener('scroll', place, { signal, capture: true, passive: true })
  page.addEventListener('resize', place, { signal })
  page.addEventListener('popstate', check, { signal })
  // Missing in some supported Firefox versions. There a router's page is noticed when the element
  // disappears.
  if ('navigation' in page)
    page.navigation.addEventListener('currententrychange', check, { signal })
  const observer = new MutationObserver(check)
  observer.observe(root, { childList: true, subtree: true })
  signal.addEventListener('abort', () => observer.disconnect())
  return clear
}

function card(
  document: Document,
  found: Element | null,
  visible: Element | null,
  note: HighlightNote,
  clear: () => void,
): Element {
  const add = (name: 'p' | 'pre', style: string, text: string) => {
    const element = createElement(document, name)
    element.style.cssText = style
    element.textContent = text
    return element
  }
  const button = createElement(document, 'button')
  button.style.cssText = BUTTON
  button.textContent = note.close
  button.addEventListener('click', clear)
  const quoted = found !== null && found !== visible ? elementText(found) : ''
  // The words scroll, and the button stays below them.
  const words = createElement(document, 'div')
  words.style.cssText = WORDS
  words.append(
    add('p', TITLE, note.title),
    add('p', TEXT, note.detail),
    ...(found !== null && found === visible
      ? []
      : [add('p', TEXT, found === null ? note.absent : note.hint)]),
    ...(quoted === '' ? [] : [add('pre', QUOTE, quoted.slice(0, MAX_QUOTE))]),
  )
  const box = createElement(document, 'div')
  box.style.cssText = CARD
  box.setAttribute('role', 'status')
  box.append(words, button)
  return box
}
