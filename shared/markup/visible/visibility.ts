import type { PageElement } from '../html/elements.ts'

/**
 * Whether people see an element: `unsure` where a style sheet, a script or a click decides, or
 * where screen readers alone have it.
 */
type Visibility = 'shown' | 'unsure' | 'hidden'

const RANK: Record<Visibility, number> = { shown: 0, unsure: 1, hidden: 2 }

/** Follows what the HTML itself hides: attributes, and the page's own style sheets. */
export function createVisibility() {
  const open: { element: PageElement; own: Visibility }[] = []
  const sheet = createSheet()
  /** Few classes are those of many elements. */
  const byClasses = new Map<string, Visibility>()
  const ofClass = (value: string): Visibility => {
    const known = byClasses.get(value)
    if (known !== undefined) return known
    const own = byClass(value, sheet.hides)
    if (byClasses.size < MAX_NAMES) byClasses.set(value, own)
    return own
  }
  const now = () => open.at(-1)?.own ?? 'shown'
  return {
    now,
    start(element: PageElement): void {
      const own = visibilityOf(element, sheet.hides, ofClass)
      if (RANK[own] > RANK[now()]) open.push({ element, own })
    },
    end(element: PageElement): void {
      const index = open.findLastIndex((each) => each.element === element)
      if (index !== -1) open.splice(index, 1)
    },
    style(text: string): void {
      byClasses.clear()
      sheet.read(text)
    },
  }
}

/** Names that hide by convention. With others like `md:block` they do so on some screens only. */
const HIDING = /(?:^|\s)(?:hidden|is-hidden|hide|d-none|u-hidden|display-none)(?=\s|$)/i
const ON_SOME_SCREENS =
  /(?:^|\s)(?:(?:max-)?(?:xs|sm|md|lg|xl|2xl|print|dark|group-\w+):|(?:d|hidden|show)-(?:xs|sm|md|lg|xl|print))/i
/** Names of what opens later, or is for screen readers. */
const UNSURE =
  /(?:(?<!overflow-(?:[xy]-)?|backface-)hidden|invisible|sr-?only|screen-?reader|offscreen|off-canvas|offcanvas|(?<!border-)collapse|accordion|modal|popup|popover|tooltip|drawer|dropdown|skip-link|lightbox)/i

function visibilityOf(
  element: PageElement,
  hides: (name: string) => Visibility,
  ofClass: (value: string) => Visibility,
): Visibility {
  const { name } = element
  if (name === 'option' || name === 'dialog' || name === 'datalist') return 'unsure'
  let found: Visibility = name === 'details' ? 'unsure' : 'shown'
  const add = (other: Visibility) => {
    if (RANK[other] > RANK[found]) found = other
  }
  for (const { name: attribute, value } of element.attributes) {
    if (attribute === 'open' && name === 'details') return 'shown'
    if (attribute === 'hidden') add('hidden')
    else if (attribute === 'style') add(byStyle(value))
    else if (attribute === 'id') add(hides(`#${value}`))
    // Of the whole page, names say what it has somewhere.
    else if (attribute === 'class' && name !== 'html' && name !== 'body')
      add(ofClass(value.slice(0, MAX_CLASS)))
  }
  return found
}

const MAX_CLASS = 500

function byClass(value: string, hides: (name: string) => Visibility): Visibility {
  const bySheet = value.split(' ').map((each) => hides(`.${each}`))
  if (bySheet.includes('hidden')) return 'hidden'
  if (HIDING.test(value)) return ON_SOME_SCREENS.test(value) ? 'unsure' : 'hidden'
  return bySheet.includes('unsure') || UNSURE.test(value) ? 'unsure' : 'shown'
}

const HIDES = /(?:^|[;{\s])(?:display:none|visibility:(?:hidden|collapse))/
/** Spares the search in what has none of these words. */
const MAY_HIDE = /none|hidden|collapse/i
/** For those who hear the page, or for a moment until it moves. */
const MOVES =
  /(?:^|;)(?:font-size:[01](?:px|em|rem|%)?(?![.\d])|opacity:0(?:\.0+)?(?![.\d])|(?:left|right|top|text-indent|margin-left):-\d{3,}|clip:rect|clip-path:inset\((?:50|100)%|transform:scale\(0\)|(?:max-)?height:[01](?:px)?(?![.\d])|width:[01]px)/

function byStyle(style: string): Visibility {
  const plain = plainStyle(style)
  if (HIDES.test(plain) || isInItsBackground(plain)) return 'hidden'
  return MOVES.test(plain) ? 'unsure' : 'shown'
}

const plainStyle = (style: string): string =>
  style
    .slice(0, 1_000)
    .toLowerCase()
    .replace(/\s*([:;(,)])\s*/g, '$1')
    .trim()

/** Text of the color that is behind it: white on white. */
function isInItsBackground(style: string): boolean {
  const value = (name: string) => new RegExp(`(?:^|;)${name}:([^;!]+)`).exec(style)?.[1]?.trim()
  const color = value('color')
  if (color === 'transparent') return true
  return color !== undefined && color === (value('background-color') ?? value('background'))
}

/** More than these are not read: a style sheet in a page is short. */
const MAX_SHEET = 150_000
const MAX_NAMES = 5_000

/** The classes and ids that the page's `<style>` elements hide on every screen. */
function createSheet() {
  const rules = new Map<string, { hides: boolean; rules: number }>()
  let left = MAX_SHEET
  return {
    /** Unsure for a name that other rules speak of as well: one may show it again. */
    hides(name: string): Visibility {
      const found = rules.get(name)
      if (found === undefined || !found.hides) return 'shown'
      return found.rules === 1 ? 'hidden' : 'unsure'
    },
    read(text: string): void {
      const css = withoutComments(text.slice(0, left))
      left -= css.length
      let depth = 0
      let from = 0
      let selector = ''
      for (let at = 0; at < css.length; at += 1) {
        const sign = css[at]
        if (sign === '{') {
          selector = css.slice(from, at)
          depth += 1
          from = at + 1
        } else if (sign === '}') {
          note(selector, css.slice(from, at), depth === 1)
          depth = Math.max(0, depth - 1)
          selector = ''
          from = at + 1
        } else if (sign === ';' && depth === 0) from = at + 1
      }
    },
  }

  /** `isEverywhere` is false in a block such as `@media print`. */
  function note(selector: string, body: string, isEverywhere: boolean): void {
    const hides = isEverywhere && MAY_HIDE.test(body) && HIDES.test(plainStyle(body))
    const whole = selector.slice(0, 2_000)
    // `.name` or `p.name`, and not within or next to anything else.
    const alone = new Set(
      hides ? whole.split(',').map((each) => each.trim().replace(/^[a-z]+(?=[.#])/i, '')) : [],
    )
    for (const [name] of whole.matchAll(/[.#][\w-]{1,60}/g)) {
      const known = rules.get(name) ?? { hides: false, rules: 0 }
      if (known.rules === 0 && rules.size >= MAX_NAMES) return
      known.rules += 1
      known.hides ||= hides && alone.has(name)
      rules.set(name, known)
    }
  }
}

const withoutComments = (css: string): string =>
  css
    .split('/*')
    .map((part, n) =>
      n === 0 ? part : part.slice(part.includes('*/') ? part.indexOf('*/') + 2 : part.length),
    )
    .join('')
