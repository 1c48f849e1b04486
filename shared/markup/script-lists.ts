/** A list of objects in the text of a script, such as the variants of a product. */
export interface ListInScript {
  /** The key that it stands under, in lower case. */
  key: string
  entries: readonly unknown[]
  /** What the object around it is labelled with. */
  label: string | null
  /** Whether the object that it belongs to, or one around that, is called so. */
  isOf: (isOwn: (text: string) => boolean) => boolean
}

/** Keys of variants, and of what can be chosen of them. */
const LIST =
  /\b(variants|variations|productVariants|product_variants|skus|simples|combinations|childProducts|options|sizes|colors|colours)\\?["']?\s{0,5}:\s{0,5}\[\s{0,50}\{/g

const MAX_LISTS = 60
/** Characters of one list, and of all that are read: several times what stores have. */
const MAX_LIST = 200_000
const MAX_READ = 1_000_000
/** Characters and levels around a list in which its product is named. */
const MAX_AROUND = 20_000
const MAX_LEVELS = 5

/** The lists of objects in scripts that are JSON, also in a text that a script reads as such. */
export function* listsIn(scripts: readonly string[]): Generator<ListInScript> {
  let lists = 0
  let left = MAX_READ
  for (const script of scripts) {
    for (const match of script.matchAll(LIST)) {
      lists += 1
      if (lists > MAX_LISTS || left <= 0) return
      const from = match.index + match[0].indexOf('[')
      // `JSON.parse("{\"variants\":[")`
      const isQuoted = match[0].includes('\\"')
      const text = isQuoted ? unquoted(script, from) : null
      const [at, source] = text === null ? [from, script] : [text.at, text.source]
      const end = closingOf(source, at, at + MAX_LIST)
      left -= (end ?? at + MAX_LIST) - at
      const entries = end === null ? null : parsed(source.slice(at, end))
      if (entries === null || end === null) continue
      yield {
        key: (match[1] ?? '').toLowerCase(),
        entries,
        label: labelBefore(source, at),
        isOf: (isOwn) => isCalled(source, at, end, isOwn),
      }
    }
  }
}

/** A part of a text in a script, without the marks that it needs there. */
function unquoted(script: string, from: number): { at: number; source: string } {
  const strip = (text: string) => text.replace(/\\(["\\/])/g, '$1')
  const before = strip(script.slice(Math.max(0, from - MAX_AROUND), from))
  return { at: before.length, source: before + strip(script.slice(from, from + MAX_LIST)) }
}

function parsed(json: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Where the bracket at `from` closes; null if it does not before `until`. */
function closingOf(text: string, from: number, until: number): number | null {
  let depth = 0
  let isText = false
  const end = Math.min(until, text.length)
  for (let at = from; at < end; at += 1) {
    const sign = text[at]
    if (isText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}

const LABEL = /"label"\s?:\s?"([^"]{1,40})"[^{}[\]]{0,200}$/

const labelBefore = (text: string, at: number): string | null =>
  LABEL.exec(text.slice(Math.max(0, at - 300), at))?.[1] ?? null

const IDENTITY =
  /["']?\b(title|name|productName|product_name|handle|slug|url|link|href|canonicalUrl|sku|id|productId|product_id)["']?\s?:\s?["']?([^"',}\n]{1,300})/g
/** What an object has that is a product of its own. */
const PRODUCT_KEY = /["']?\b(?:handle|slug|url|link|href|canonicalUrl|vendor|brand)["']?\s?:/
const NAME_KEY = /["']?\b(?:title|name|productName|product_name)["']?\s?:/
/** Keys of other products that a page shows as well. */
const BESIDE =
  /["']?\w{0,40}(?:related|recommend|similar|cross|upsell|alternativ|accessor|bundle|recent|viewed|also)\w{0,40}["']?\s?:\s?$/i

/**
 * Goes outwards from a list through the objects around it, until one is called so, or is another
 * product.
 */
function isCalled(
  text: string,
  from: number,
  to: number,
  isOwn: (text: string) => boolean,
): boolean {
  const least = Math.max(0, from - MAX_AROUND)
  const most = to + MAX_AROUND
  let [start, end] = [from, to]
  for (let level = 0; level < 2 * MAX_LEVELS; level += 1) {
    const before = outwards(text, start - 1, -1, least)
    const after = outwards(text, end, 1, Math.min(most, text.length - 1))
    const own = before.own + after.own
    for (const [, , value] of own.matchAll(IDENTITY)) {
      if (isOwn(unescaped(value ?? ''))) return true
    }
    const isOther = NAME_KEY.test(own) && PRODUCT_KEY.test(own)
    if (before.at === null || after.at === null || isOther) return false
    start = before.at
    end = after.at + 1
    if (BESIDE.test(text.slice(Math.max(0, start - 100), start))) return false
  }
  return false
}

const unescaped = (text: string): string =>
  text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll('\\/', '/')

/** The text next to a place, without what is in brackets there, up to the bracket around it. */
function outwards(
  text: string,
  from: number,
  step: 1 | -1,
  until: number,
): { own: string; at: number | null } {
  const [opens, closes] = step === 1 ? ['[{', ']}'] : [']}', '[{']
  let depth = 0
  let isText = false
  const own: string[] = []
  for (let at = from; step === 1 ? at <= until : at >= until; at += step) {
    const sign = text[at] ?? ''
    if (sign === '"' && !isEscaped(text, at)) isText = !isText
    if (!isText && closes.includes(sign)) {
      if (depth === 0) return { own: joined(own, step), at }
      depth -= 1
    } else if (!isText && opens.includes(sign)) depth += 1
    else if (depth === 0) own.push(sign)
  }
  return { own: joined(own, step), at: null }
}

const joined = (signs: string[], step: 1 | -1): string =>
  (step === 1 ? signs : signs.reverse()).join('')

function isEscaped(text: string, at: number): boolean {
  let marks = 0
  while (text[at - 1 - marks] === '\\' && marks < 10) marks += 1
  return marks % 2 === 1
}
