import type { DocumentScript } from './document.ts'
import { attributeOf, type PageElement, walkHtml } from './html/elements.ts'
import { isJsonLdType } from './json-ld.ts'
import { type ListInScript, listsIn } from './script-lists.ts'

/** Something to choose of a product, such as its size, that only a script of the page names. */
export interface ScriptedChoice {
  name: string
  /** The first of them, as written. */
  values: string[]
}

/** What the page's product is known by; empty texts and nulls know nothing. */
export interface ProductIdentity {
  url: string
  names: readonly (string | null)[]
  /** Its numbers, as the markup states them. */
  numbers: readonly (string | null)[]
}

const MAX_CHOICES = 3
const MAX_VALUES = 12
const MAX_ENTRIES = 300
const MAX_VALUE = 40

/**
 * What can be chosen of the page's product by the data in its scripts, while its HTML neither says
 * the values nor has a control for them. Where it is in doubt, the HTML has them: a value counts as
 * said in any text, attribute or JSON-LD, and a list, group or swatch of other words may be the
 * choice in other words. Null where no script has such data.
 */
export function readScriptedChoices(
  html: string,
  scripts: readonly DocumentScript[],
  product: ProductIdentity,
): ScriptedChoice[] | null {
  const isOwn = ownerTest(product, html)
  const choices = new Map<string, Set<string>>()
  const inline = scripts.filter(({ src, type }) => src === null && !isJsonLdType(type))
  for (const list of listsIn(inline.map(({ text }) => text))) {
    const found = choicesOf(list)
    if (found.size === 0 || !list.isOf(isOwn)) continue
    for (const [name, values] of found) {
      if (choices.size >= MAX_CHOICES && !choices.has(name)) continue
      choices.set(name, new Set([...(choices.get(name) ?? []), ...values]))
    }
  }
  return choices.size === 0 ? null : unsaidIn(html, choices)
}

/** Keys of what is sold, in contrast to a filter, a picture or a part of the page. */
const SOLD =
  /^(?:sku|price|prices|finalprice|available|availability|instock|isinstock|isavailable|stock|inventory|quantity|ean|gtin|barcode|variantid|purchasable|products|offers?)/

/** What products differ in, in the languages of stores. */
const CHOICE =
  /size|colou?r|taille|couleur|gr(?:ö|oe?)(?:ß|ss)e|farbe|talla|tamaño|tamanho|maat|kleur|taglia|colore|rozmiar|kolor|storlek|färg|flavou?r|geschmack|goût|sabor|scent|material|length|width|capacity|volume|shade/i
const CHOICE_KEY = new RegExp(
  `^(?:${CHOICE.source})(?:_?(?:name|label|title|value|text))?$`,
  CHOICE.flags,
)
/** Keys under which a variant has its choices. */
const CHOICES =
  /^(?:options|selected_?options|option_?values|variation_?values|attribute_?values|attributes)$/i
/** A product with one form only, and what is a number of the software's own. */
const NO_VALUE =
  /^(?:default(?: title)?|n\/a|none|one ?size|os|https?:.*|\/.*|#[\da-f]{3,8}|\d{5,}|[\da-f]{8}-.*|[\da-f]{16,})$/i

const plainKey = (key: string): string => key.toLowerCase().replace(/[_-]/g, '')

type Entry = Record<string, unknown>

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The choices that the entries of a list differ in, each with its values. */
function choicesOf({ key, entries, label }: ListInScript): Map<string, Set<string>> {
  const choices = new Map<string, Set<string>>()
  const add = (name: string, value: string | null) => {
    if (value === null) return
    const values = choices.get(name) ?? new Set()
    if (values.size < MAX_ENTRIES) values.add(value)
    choices.set(name, values)
  }
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    if (!isEntry(entry)) continue
    const name = textOf(entry.name ?? entry.label ?? entry.title)
    const { values } = entry
    if (key === 'options' && name !== null && Array.isArray(values)) {
      for (const value of values.slice(0, MAX_ENTRIES)) add(name, textOf(value))
      continue
    }
    if (!Object.keys(entry).some((each) => SOLD.test(plainKey(each)))) continue
    const own = key === 'options' ? [] : ownChoices(entry)
    for (const each of own) add(...each)
    if (own.length === 0) add(label ?? singular(key), name)
  }
  for (const [name, values] of choices) {
    if (new Set([...values].map(plain)).size < 2) choices.delete(name)
  }
  return choices
}

function ownChoices(entry: Entry): [string, string | null][] {
  return Object.entries(entry).flatMap(([key, value]): [string, string | null][] => {
    if (/^option[123]$/.test(key) || CHOICE_KEY.test(key)) return [[key, textOf(value)]]
    if (!CHOICES.test(key)) return []
    const isAny = plainKey(key) !== 'attributes'
    return pairsOf(value).flatMap(([name, each]): [string, string | null][] =>
      isAny || CHOICE.test(name) ? [[name, textOf(each)]] : [],
    )
  })
}

/** `["41", "Red"]`, `[{"name": "Size", "value": "41"}]` and `{"size": "41"}` alike. */
function pairsOf(value: unknown): [string, unknown][] {
  if (isEntry(value)) return Object.entries(value).slice(0, 10)
  if (!Array.isArray(value)) return []
  return value.slice(0, 10).map((each, n): [string, unknown] => {
    if (!isEntry(each)) return [`option ${n + 1}`, each]
    const name = [each.name, each.key, each.attribute, each.option].find(isText)
    return name === undefined ? [`option ${n + 1}`, each] : [name, each.value ?? each.label]
  })
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function textOf(value: unknown): string | null {
  if (isEntry(value)) {
    const { label, name, value: own, title, text } = value
    return textOf([label, name, own, title, text].find(isText) ?? null)
  }
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value).replace(/\s+/g, ' ').trim()
  return text === '' || text.length > MAX_VALUE || NO_VALUE.test(text) ? null : text
}

const singular = (key: string): string => key.replace(/s$/, '')

/** Letters and digits, with one blank between words. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Whether a text from a script names the product: its name, its number or its address. */
function ownerTest({ url, names, numbers }: ProductIdentity, html: string) {
  const path = URL.parse(url)?.pathname ?? ''
  const slug = plain((path.split('/').findLast((part) => part !== '') ?? '').replace(/\.\w+$/, ''))
  const known = new Set(
    [...names.map((name) => plain(name ?? '')), slug].filter((each) => each !== ''),
  )
  const exact = new Set(numbers.flatMap((each) => (each ? [plain(each)] : [])))
  const formNumber = plain(FORM_NUMBER.exec(html)?.[1] ?? '')
  if (formNumber !== '') exact.add(formNumber)
  return (written: string): boolean => {
    const text = plain(written)
    if (exact.has(text) || known.has(text) || (slug.length >= 8 && text.endsWith(slug))) return true
    // A heading may say more than the name.
    return text.length >= 8 && [...known].some((each) => each.startsWith(`${text} `))
  }
}

/** The hidden field by which software names the product that its form buys. */
const FORM_NUMBER =
  /<input[^>]{0,200}\bname="(?:product|product_id|id_product|add-to-cart)"[^>]{0,200}\bvalue="(\d{1,20})"/i

/** Lists for something else than a variant. */
const OTHER_LIST =
  /qty|quantit|menge|anzahl|cantidad|sort|order.?by|country|currency|lang|locale|region|month|year|day|rating|per.?page|limit/i
/** What software calls a control of a variant, in its class or its attributes. */
const SWATCH =
  /(?:^|[-_ ])(?:swatch(?:es)?|variants?|variations?|sizes?|colou?rs?)(?=$|[-_ ]|picker|selector|button)/i
const PRESSED = new Set(['a', 'button', 'input', 'label', 'li'])

/** The choices of which the HTML says at most one value, unless a control may be theirs. */
function unsaidIn(html: string, choices: ReadonlyMap<string, Set<string>>): ScriptedChoice[] {
  const wanted = [...choices].map(([name, all]) => {
    const values = [...all].slice(0, MAX_VALUES)
    return { name, values, unsaid: new Set(values.map(plain)), size: values.length }
  })
  const say = (text: string): boolean => {
    const said = plain(text)
    if (said === '') return false
    let isAny = false
    for (const { unsaid } of wanted) {
      for (const value of unsaid) {
        if (isSaid(said, value)) isAny = unsaid.delete(value)
      }
    }
    return isAny
  }
  /** As a whole, and between the signs of a list. */
  const sayAll = (text: string): boolean => {
    const parts = text.split(SEPARATORS)
    const all = parts.length === 1 ? parts : [text, ...parts]
    return all.filter((each) => each.length <= MAX_RUN && say(each)).length > 0
  }
  /** Controls that are no choice of a value from the scripts. */
  let others = 0
  let list: { element: PageElement; options: number; isKnown: boolean } | null = null
  const radios = new Map<string, number>()
  let swatches = 0
  let run = ''
  const flush = () => {
    const isKnown = run.length <= MAX_LONG && sayAll(run)
    run = ''
    if (list !== null && isKnown) list.isKnown = true
  }
  walkHtml(html, {
    start(element) {
      flush()
      const read = (name: string) => attributeOf(element, name) ?? ''
      const called = `${read('name')} ${read('id')} ${read('aria-label')}`
      if (element.name === 'select') list = { element, options: 0, isKnown: false }
      if (element.name === 'option' && list !== null && read('value') !== '') list.options += 1
      if (element.name === 'input' && read('type').toLowerCase() === 'radio') {
        if (!OTHER_LIST.test(called)) radios.set(read('name'), (radios.get(read('name')) ?? 0) + 1)
      }
      const isPressed = PRESSED.has(element.name) || read('role') === 'radio'
      if (isPressed && (SWATCH.test(read('class')) || SWATCH.test(called))) swatches += 1
      for (const { name, value } of element.attributes) {
        if (name === 'href') sayAll(value.slice(value.indexOf('?') + 1, MAX_LONG))
        else if (SAYS.test(name)) sayAll(value.slice(0, MAX_PARTS))
      }
    },
    end(element, raw) {
      flush()
      if (list?.element === element) {
        const isOther = OTHER_LIST.test(
          `${attributeOf(element, 'name')} ${attributeOf(element, 'id')} ${attributeOf(element, 'class')}`,
        )
        if (list.options >= 2 && !list.isKnown && !isOther) others += 1
        list = null
      }
      const isRead =
        element.name === 'script'
          ? isJsonLdType(attributeOf(element, 'type') ?? '')
          : element.name !== 'style'
      if (raw !== null && isRead) sayAll(raw.slice(0, MAX_PARTS))
    },
    text(characters) {
      if (run.length <= MAX_LONG) run += characters
    },
  })
  flush()
  const groups = [...radios.values()].filter((count) => count >= 2).length
  if (others > 0 || swatches >= 2 || groups > 0) return []
  return wanted.flatMap(({ name, values, unsaid, size }) =>
    unsaid.size >= size - 1 ? [{ name, values }] : [],
  )
}

/** Attributes in which a value may stand. */
const SAYS = /^(?:value|label|title|alt|content|aria-label|data-.{1,60})$/
const SEPARATORS = /[<>"',;:|=&?()[\]{}\n]/
const MAX_RUN = 60
const MAX_LONG = 1_000
const MAX_PARTS = 200_000

/** `41` in `EU 41`, and the other way around; an `S` only by itself. */
const isSaid = (said: string, value: string): boolean =>
  said === value ||
  (IS_LONG.test(value) && ` ${said} `.includes(` ${value} `)) ||
  (IS_LONG.test(said) && ` ${value} `.includes(` ${said} `))

const IS_LONG = /...|\d/
