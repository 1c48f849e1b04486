import {
  type ControlKind,
  kindOfTag,
  MOST_CONTROLS,
  MOST_NAME,
  ownName,
  type PageControls,
  readTag,
  toPageControls,
  valueName,
} from './control.ts'
import { attributeOf, type PageElement } from './html/elements.ts'

/** Controls in one another: a page with more is odd, and the rest is left out. */
const MOST_OPEN = 20

interface OpenControl {
  element: PageElement
  name: string
}

interface FoundControl extends OpenControl {
  kind: ControlKind
  /** What is around it as a label. */
  label: OpenControl | null
}

/**
 * Reads buttons, links and fields while a page is walked over. A name comes from a text, the
 * alternative of an image, a title, a label or an ARIA attribute (accname 1.2); what
 * `aria-labelledby` names is taken to be there. What is hidden in the HTML itself is left out, and
 * so are controls that the page's own styles hide; the text there may name others.
 */
export function createControlsReader(isHiddenHere: () => boolean) {
  const found: FoundControl[] = []
  const labels = new Map<string, string>()
  const open: OpenControl[] = []
  const openLabels: OpenControl[] = []
  /** The outermost hidden element, in which nothing counts. */
  let hidden: PageElement | null = null

  const say = (text: string) => {
    for (const each of [...open, ...openLabels]) {
      if (each.name.length < MOST_NAME) each.name += text.trim()
    }
  }

  return {
    start(element: PageElement) {
      if (hidden !== null) return
      if (isHidden(element)) {
        if (!VOID.has(element.name)) hidden = element
        return
      }
      say(saidBy(element))
      if (element.foreign || found.length >= MOST_CONTROLS) return
      if (element.name === 'label' && openLabels.length < MOST_OPEN) {
        openLabels.push({ element, name: '' })
      }
      const kind = kindOfTag(element)
      if (kind === null || isHiddenHere()) return
      const isOpen = kind !== 'field' && element.name !== 'input'
      if (isOpen && open.length >= MOST_OPEN) return
      const name = ownName(element) + readTag(element, 'aria-labelledby') + valueName(element)
      const control = { element, kind, name, label: openLabels.at(-1) ?? null }
      found.push(control)
      if (isOpen) open.push(control)
    },
    end(element: PageElement) {
      if (hidden === element) hidden = null
      for (const list of [open, openLabels]) {
        const at = list.findIndex((each) => each.element === element)
        const [ended] = at < 0 ? [] : list.splice(at, 1)
        const of = ended && list === openLabels ? attributeOf(element, 'for')?.trim() : undefined
        if (ended && of && labels.size < MOST_CONTROLS)
          labels.set(of, (labels.get(of) ?? '') + ended.name)
      }
    },
    text(characters: string) {
      if (hidden === null) say(characters)
    },
    finish(): PageControls {
      return toPageControls(
        found.map(({ element, kind, name, label }) => {
          const labelled = kind === 'link' ? '' : (labels.get(readTag(element, 'id')) ?? '')
          const around = kind === 'link' ? '' : (label?.name ?? '')
          return { kind, tag: element, name: labelled + around + name }
        }),
      )
    },
  }
}

const VOID = new Set(['input', 'img', 'br', 'hr', 'meta', 'link', 'source', 'area', 'base', 'col'])

/** What an element in a control says by its attributes. */
const saidBy = (element: PageElement): string =>
  readTag(element, 'aria-label') ||
  (element.name === 'img' ? readTag(element, 'alt') : '') ||
  readTag(element, 'title')

const isHidden = (element: PageElement): boolean =>
  attributeOf(element, 'hidden') !== null ||
  readTag(element, 'aria-hidden') === 'true' ||
  /display:\s*none|visibility:\s*hidden/i.test(readTag(element, 'style')) ||
  (element.name === 'input' && readTag(element, 'type').toLowerCase() === 'hidden')
