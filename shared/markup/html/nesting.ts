// Which open elements a tag closes. Follows the tree construction of
// https://html.spec.whatwg.org/multipage/parsing.html as far as the ancestors of an element go:
// where elements are moved (foster parenting, adoption) the nesting is kept, not the place.

const names = (list: string): readonly string[] => list.split(' ')
const set = (list: string): ReadonlySet<string> => new Set(names(list))

/**
 * Elements without content or end tag (https://html.spec.whatwg.org/#void-elements), those that
 * only the parser still knows included.
 */
export const VOID_ELEMENTS = set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)

/**
 * Elements whose content is text to the tokenizer (https://html.spec.whatwg.org/#rcdata-state and
 * #rawtext-state); `noscript` as in a browser that runs scripts.
 */
export const RCDATA_ELEMENTS = set('title textarea')
export const RAWTEXT_ELEMENTS = set('style xmp iframe noembed noframes noscript')

/** Start tags that may be in the head: any other one opens the body. */
export const HEAD_ELEMENTS = set(
  'base basefont bgsound html head link meta noframes noscript script style template title',
)

// How an element affects its neighbours, as bits.
const SPECIAL = 1
// Bits named after the parser's terms: "special" elements, and those that end a "scope".
const SCOPE = 1 << 1
const TABLE_SCOPE = 1 << 2
// The parser opens these again after a block has ended them (HTML, "active formatting elements").
const FORMATTING = 1 << 3
const HEADING = 1 << 4
const TABLE_PART = 1 << 5
const TABLE = 1 << 6
const CELL = 1 << 7
const ROW = 1 << 8
const ROW_GROUP = 1 << 9
const PARAGRAPH = 1 << 10
const BUTTON = 1 << 11
const ITEM = 1 << 12
const TERM = 1 << 13
const OPTION = 1 << 14
const OPTION_GROUP = 1 << 15
const LIST = 1 << 16

/** Ends an unclosed `<p>`. */
const BLOCK = 1 << 17

/** Hides an unclosed `<li>`, `<dd>` or `<dt>` outside of it from the next one. */
const ITEM_LIMIT = 1 << 18

/** Each element's traits; an unlisted element has none and is never closed by another's tag. */
const TRAITS = new Map<string, number>()

/** Adds a trait to every element of a space-separated list. */
const mark = (trait: number, list: string) => {
  for (const name of names(list)) TRAITS.set(name, (TRAITS.get(name) ?? 0) | trait)
}

/** Elements that end an open `<p>` (HTML, "in body" insertion mode). */
const SECTIONING =
  'article aside blockquote center details dialog dir dl fieldset figcaption figure footer form ' +
  'header hgroup listing main menu nav ol plaintext pre search section summary table ul xmp'
/**
 * The other "special" elements of the parser (https://html.spec.whatwg.org/#special) that may hold
 * blocks.
 */
const CONTAINERS =
  'applet body button caption colgroup frameset head html marquee object select tbody td template ' +
  'tfoot th thead tr foreignobject desc mi mo mn ms mtext'
mark(SPECIAL | ITEM_LIMIT, `${SECTIONING} ${CONTAINERS} h1 h2 h3 h4 h5 h6 li dd dt`)
mark(SPECIAL, 'address div p')
mark(BLOCK, `${SECTIONING} address div h1 h2 h3 h4 h5 h6 hr li dd dt`)
mark(
  SCOPE,
  'applet body caption html marquee object select table td template th foreignobject desc mi mo mn ms mtext',
)
mark(TABLE_SCOPE, 'body html template')
mark(FORMATTING, 'a b big code em font i nobr s small strike strong tt u')
mark(HEADING, 'h1 h2 h3 h4 h5 h6')
mark(TABLE_PART, 'caption colgroup table tbody td tfoot th thead tr')
mark(TABLE, 'table')
mark(CELL, 'td th')
mark(ROW, 'tr')
mark(ROW_GROUP, 'tbody thead tfoot caption colgroup')
mark(PARAGRAPH, 'p')
mark(BUTTON, 'button')
mark(ITEM, 'li')
mark(TERM, 'dd dt')
mark(OPTION, 'option')
mark(OPTION_GROUP, 'optgroup')
mark(LIST, 'ol ul')

/** The bits of a name; elements in SVG and MathML are looked up by their names alike. */
export const traitsOf = (name: string): number => TRAITS.get(name) ?? 0

/**
 * Depths of open elements. Each lookup takes constant time: a hostile page causes one for each of
 * its tags.
 */
export interface OpenElements {
  /** The innermost element with one of these traits, or -1. */
  lastWith(traits: number): number
  /** The innermost element of this name, or -1. */
  lastOf(name: string): number
}

/**
 * What a start tag ends: an element with a trait of `closes`, unless one of `limit` is nearer.
 * Authors may leave these end tags out (https://html.spec.whatwg.org/#optional-tags).
 */
const IMPLIED_ENDS: readonly { start: number; closes: number; limit: number }[] = [
  { start: BLOCK | PARAGRAPH, closes: PARAGRAPH, limit: SCOPE | BUTTON },
  { start: HEADING, closes: HEADING, limit: SPECIAL },
  { start: ITEM, closes: ITEM, limit: ITEM_LIMIT },
  { start: TERM, closes: TERM, limit: ITEM_LIMIT },
  { start: OPTION, closes: OPTION, limit: OPTION_GROUP | SPECIAL },
  { start: OPTION_GROUP, closes: OPTION | OPTION_GROUP, limit: SPECIAL },
  { start: BUTTON, closes: BUTTON, limit: SCOPE },
  { start: CELL, closes: CELL, limit: TABLE | TABLE_SCOPE },
  { start: ROW, closes: ROW, limit: TABLE | TABLE_SCOPE },
  { start: ROW_GROUP, closes: ROW_GROUP, limit: TABLE | TABLE_SCOPE },
]

/** The index, unless an element further in hides it. */
const unless = (open: OpenElements, limit: number, index: number): number =>
  open.lastWith(limit) > index ? -1 : index

/**
 * The depth of the outermost open element that a start tag ends, or -1. All elements within it end
 * too.
 */
export function closedByStart(open: OpenElements, name: string): number {
  const traits = traitsOf(name)
  let outermost = -1
  for (const { start, closes, limit } of IMPLIED_ENDS) {
    if ((traits & start) === 0) continue
    const index = unless(open, limit, open.lastWith(closes))
    if (index !== -1 && (outermost === -1 || index < outermost)) outermost = index
  }
  return outermost
}

/**
 * What an end tag ends: everything from `index` on, -1 for nothing. With `alone` it is only that
 * element: a block inside an unclosed `<b>` or `<a>` goes on behind its end tag (the adoption
 * agency algorithm, https://html.spec.whatwg.org/#adoption-agency-algorithm).
 */
export function closedByEnd(open: OpenElements, name: string): { index: number; alone: boolean } {
  const traits = traitsOf(name)
  const wanted = traits & HEADING ? open.lastWith(HEADING) : open.lastOf(name)
  if (traits & TABLE_PART) {
    return { index: unless(open, TABLE_SCOPE | TABLE, wanted), alone: false }
  }
  if (traits & SPECIAL) {
    const own = traits & PARAGRAPH ? BUTTON : traits & ITEM ? LIST : 0
    return { index: unless(open, SCOPE | own, wanted), alone: false }
  }
  const index = unless(open, SPECIAL, wanted)
  if (index !== -1 || (traits & FORMATTING) === 0) return { index, alone: false }
  return { index: unless(open, SCOPE, wanted), alone: true }
}
