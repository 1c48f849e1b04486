import { kindByLabel } from './field-kinds.ts'
import { attributeOf, type PageElement } from './html/elements.ts'

/** What the HTML of a page says of its controls, as far as agents operate them. */
export interface PageControls {
  /** Buttons, and fields that are not hidden: how many there are of each. */
  buttons: number
  fields: number
  /** Start tags of those without a name, the first of them. */
  unnamed_buttons: string[]
  unnamed_fields: string[]
  /** Fields for contact and address that do not say so in `autocomplete`. */
  without_autocomplete: string[]
}

const MOST_NAMED = 10
const MOST_TAG = 160
/** Characters of a name: whether there are any is all that counts. */
const MOST_NAME = 200

/** Controls in one another, and in all: a page with more is odd, and the rest is left out. */
const MOST_OPEN = 20
const MOST_CONTROLS = 5_000

const BUTTON_TYPES = new Set(['submit', 'button', 'image', 'reset'])
/** Types of input that a person does not fill in. */
const NOT_FILLED = new Set(['hidden', 'checkbox', 'radio', 'file', 'range', 'color'])
/** A value that browsers give to a button without one (HTML, 4.10.5.1.18). */
const NAMED_BY_BROWSER = new Set(['submit', 'reset'])

interface OpenControl {
  element: PageElement
  name: string
}

interface Field {
  element: PageElement
  id: string | null
  /** What is around it as a label. */
  label: OpenControl | null
}

/**
 * Reads buttons and fields while a page is walked over. A name comes from a text, the alternative
 * of an image, a title, a label or an ARIA attribute (accname 1.2); what `aria-labelledby` names is
 * taken to be there. What is hidden in the HTML itself is left out; styles are not read.
 */
export function createControlsReader() {
  const buttons: OpenControl[] = []
  const fields: Field[] = []
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
      const read = (name: string) => attributeOf(element, name)?.trim() ?? ''
      if (isHidden(element, read)) {
        if (!VOID.has(element.name)) hidden = element
        return
      }
      say(read('aria-label') || (element.name === 'img' ? read('alt') : ''))
      if (element.foreign) return
      const type = read('type').toLowerCase()
      const isInput = element.name === 'input'
      if (buttons.length + fields.length >= MOST_CONTROLS) return
      if (element.name === 'label' && openLabels.length < MOST_OPEN) {
        openLabels.push({ element, name: '' })
      }
      if (element.name === 'button' || read('role') === 'button') {
        if (open.length >= MOST_OPEN) return
        const button = { element, name: ownName(read) }
        buttons.push(button)
        open.push(button)
      } else if (isInput && BUTTON_TYPES.has(type)) {
        const value = read('value') || read('alt') || (NAMED_BY_BROWSER.has(type) ? type : '')
        buttons.push({ element, name: ownName(read) + value })
      } else if (
        (isInput && !NOT_FILLED.has(type)) ||
        element.name === 'select' ||
        element.name === 'textarea'
      ) {
        if (attributeOf(element, 'disabled') !== null) return
        fields.push({ element, id: read('id') || null, label: openLabels.at(-1) ?? null })
      }
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
      const named = fields.map((field) => ({ ...field, name: nameOf(field, labels) }))
      return {
        buttons: buttons.length,
        fields: fields.length,
        unnamed_buttons: tagsOf(buttons.filter(({ name }) => name === '')),
        unnamed_fields: tagsOf(named.filter(({ name }) => name === '')),
        without_autocomplete: tagsOf(named.filter(isUnsaid)),
      }
    },
  }
}

const VOID = new Set(['input', 'img', 'br', 'hr', 'meta', 'link', 'source', 'area', 'base', 'col'])

const isHidden = (element: PageElement, read: (name: string) => string): boolean =>
  attributeOf(element, 'hidden') !== null ||
  read('aria-hidden') === 'true' ||
  /display:\s*none|visibility:\s*hidden/i.test(read('style')) ||
  (element.name === 'input' && read('type').toLowerCase() === 'hidden')

const ownName = (read: (name: string) => string): string =>
  read('aria-label') + read('aria-labelledby') + read('title')

function nameOf({ element, id, label }: Field, labels: ReadonlyMap<string, string>): string {
  const read = (name: string) => attributeOf(element, name)?.trim() ?? ''
  return (
    (id === null ? '' : (labels.get(id) ?? '')) +
    (label?.name ?? '') +
    ownName(read) +
    read('placeholder')
  )
}

/** Whether a field asks for what browsers and agents fill in, and does not say for what. */
function isUnsaid({ element, name }: { element: PageElement; name: string }): boolean {
  if (element.name !== 'input') return false
  const read = (each: string) => attributeOf(element, each)?.trim().toLowerCase() ?? ''
  if (read('autocomplete') !== '') return false
  const type = read('type')
  return type === 'email' || type === 'tel' || (type !== 'search' && isAsked(name, read('name')))
}

/** By its label, and by its own name too: a search for a place has the label alone. */
const isAsked = (label: string, name: string): boolean => {
  const kind = kindByLabel({ name: label.slice(0, MOST_NAME), attributes: {} })
  return (
    kind !== null && kind === kindByLabel({ name: name.replace(/[_[\]-]+/g, ' '), attributes: {} })
  )
}

const tagsOf = (controls: readonly { element: PageElement }[]): string[] =>
  controls.slice(0, MOST_NAMED).map(({ element }) => tagOf(element))

/** The start tag, by the attributes that help to find it. */
function tagOf({ name, attributes }: PageElement): string {
  const shown = attributes
    .filter((each) => ['id', 'class', 'name', 'type', 'href'].includes(each.name))
    .map((each) => ` ${each.name}="${each.value.trim().slice(0, 60)}"`)
  return `<${name}${shown.join('')}>`.slice(0, MOST_TAG)
}
