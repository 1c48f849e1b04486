import { kindByLabel } from './field-kinds.ts'

/** What a page says of its controls, as far as agents operate them. */
export interface PageControls {
  /** Buttons, links, and fields that are not hidden: how many there are of each. */
  buttons: number
  links: number
  fields: number
  /** Start tags of those without a name, the first of them. */
  unnamed_buttons: string[]
  unnamed_links: string[]
  unnamed_fields: string[]
  /** Fields for contact and address that do not say so in `autocomplete`. */
  without_autocomplete: string[]
}

/** A start tag; its attributes have lower-case names. */
export interface ControlTag {
  /** Lower case. */
  name: string
  attributes: readonly { name: string; value: string }[]
}

export interface Control {
  kind: ControlKind
  tag: ControlTag
  /** What agents hear of it; empty without a name. */
  name: string
}

export type ControlKind = 'button' | 'link' | 'field'

/** A page with more is odd, and the rest is left out. */
export const MOST_CONTROLS = 5_000
/** Characters of a name: whether there are any is all that counts. */
export const MOST_NAME = 200
const MOST_NAMED = 10
const MOST_TAG = 160

const BUTTON_TYPES = new Set(['submit', 'button', 'image', 'reset'])
/** Types of input that a person does not fill in. */
const NOT_FILLED = new Set(['hidden', 'checkbox', 'radio', 'file', 'range', 'color'])
/** A value that browsers give to a button without one (HTML, 4.10.5.1.18). */
const NAMED_BY_BROWSER = new Set(['submit', 'reset'])

/** An attribute of a tag, without the blanks around it; empty without one. */
export const readTag = ({ attributes }: ControlTag, name: string): string =>
  attributes.find((each) => each.name === name)?.value.trim() ?? ''

const has = ({ attributes }: ControlTag, name: string): boolean =>
  attributes.some((each) => each.name === name)

/** What kind of control a tag makes; null for others, and for fields that are not filled in. */
export function kindOfTag(tag: ControlTag): ControlKind | null {
  const { name } = tag
  const role = readTag(tag, 'role').toLowerCase()
  if (name === 'button' || role === 'button') return 'button'
  if (role === 'link' || (name === 'a' && role === '' && has(tag, 'href'))) return 'link'
  const type = readTag(tag, 'type').toLowerCase()
  if (name === 'input' && BUTTON_TYPES.has(type)) return 'button'
  const isFilled =
    name === 'input' ? !NOT_FILLED.has(type) : name === 'select' || name === 'textarea'
  return isFilled && !has(tag, 'disabled') ? 'field' : null
}

/** What a control is named by without its content and its labels. */
export const ownName = (tag: ControlTag): string =>
  readTag(tag, 'aria-label') + readTag(tag, 'title')

/** What a button or a field is named by, because it has no content. */
export function valueName(tag: ControlTag): string {
  if (tag.name !== 'input') return tag.name === 'textarea' ? readTag(tag, 'placeholder') : ''
  const type = readTag(tag, 'type').toLowerCase()
  if (!BUTTON_TYPES.has(type)) return readTag(tag, 'placeholder')
  return readTag(tag, 'value') || readTag(tag, 'alt') || (NAMED_BY_BROWSER.has(type) ? type : '')
}

export function toPageControls(controls: readonly Control[]): PageControls {
  const of = (kind: ControlKind) => controls.filter((each) => each.kind === kind)
  const [buttons, links, fields] = [of('button'), of('link'), of('field')]
  const unnamed = (list: readonly Control[]) => tagsOf(list.filter(({ name }) => name === ''))
  return {
    buttons: buttons.length,
    links: links.length,
    fields: fields.length,
    unnamed_buttons: unnamed(buttons),
    unnamed_links: unnamed(links),
    unnamed_fields: unnamed(fields),
    without_autocomplete: tagsOf(fields.filter(isUnsaid)),
  }
}

/** Whether a field asks for what browsers and agents fill in, and does not say for what. */
function isUnsaid({ tag, name }: Control): boolean {
  if (tag.name !== 'input' || readTag(tag, 'autocomplete') !== '') return false
  const type = readTag(tag, 'type').toLowerCase()
  const own = readTag(tag, 'name').toLowerCase()
  return type === 'email' || type === 'tel' || (type !== 'search' && isAsked(name, own))
}

/** By its label, and by its own name too: a search for a place has the label alone. */
const isAsked = (label: string, name: string): boolean => {
  const kind = kindByLabel({ name: label.slice(0, MOST_NAME), attributes: {} })
  return (
    kind !== null && kind === kindByLabel({ name: name.replace(/[_[\]-]+/g, ' '), attributes: {} })
  )
}

const tagsOf = (controls: readonly Control[]): string[] =>
  controls.slice(0, MOST_NAMED).map(({ tag }) => startOf(tag))

/** The start tag, by the attributes that help to find it. */
function startOf({ name, attributes }: ControlTag): string {
  const shown = attributes
    .filter((each) => ['id', 'class', 'name', 'type', 'href'].includes(each.name))
    .map((each) => ` ${each.name}="${each.value.trim().slice(0, 60)}"`)
  return `<${name}${shown.join('')}>`.slice(0, MOST_TAG)
}
