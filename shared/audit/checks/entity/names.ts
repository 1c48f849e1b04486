import { namedOrganizations, type SiteName } from '../../../markup/organizations.ts'
import type { Page } from '../../../markup/page.ts'

/**
 * How two names of a shop relate. `equal` after normalising; `variant`: they share a word
 * that tells shops apart; `unknown`: scripts that cannot be compared; `conflict`: two names.
 */
type NameMatch = 'equal' | 'variant' | 'unknown' | 'conflict'

/** Legal forms of companies, and what joins them to the name; dropped at the end of a name only. */
const DROPPED_AT_END = new Set(
  (
    'and inc incorporated corp corporation co company llc ltd limited plc lp llp pty gmbh ag kg ohg ug ' +
    'mbh ek bv nv sa sas sarl eurl srl spa sl slu ab as asa oy oyj aps sro spzoo zoo kft doo dd ' +
    'kk pte bhd sdn pvt private se kgaa'
  ).split(' '),
)

/** Words that shops add to their name, those of their domain, and what trade is called. */
const SHOP_WORDS = new Set(
  (
    'com net org eu uk de fr us www the shop store online official outlet webshop onlineshop ' +
    'versand trading group holding'
  ).split(' '),
)

/** Letters that no normal form takes apart, as they are written where a keyboard lacks them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  ı: 'i',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
}

/**
 * A name without what changes between its spellings: case, accents, signs, apostrophes, spaces,
 * dots between initials and the legal form at its end. Normalising twice changes nothing more.
 */
export function normaliseName(name: string): string {
  const words = name
    .slice(0, 500)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłøıđæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/[®™©℠'’‘`´]/g, '')
    .replace(/(?<!\p{L})(\p{L}\.){2,}/gu, (initials) => `${initials.replaceAll('.', '')} `)
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
  while (words.length > 1 && DROPPED_AT_END.has(words.at(-1) ?? '')) words.pop()
  return words.join(' ')
}

/** A name made ready to be compared: each is read once and compared with many. */
interface ReadName {
  /** As `normaliseName` gives it, `ae` as the `a` that it leaves of `ä`. */
  text: string
  /** The words that tell shops apart, the same in one word, and every few of them in one word. */
  words: ReadonlySet<string>
  joined: string
  runs: ReadonlySet<string>
  scripts: string
}

/** Names have a few words; of a slogan, the first ones are compared. */
const MAX_WORDS = 12

/** Initials and articles are in many names. */
const SHORTEST_SHARED = 3

export function readName(name: string): ReadName {
  const text = normaliseName(name).replace(/([aou])e/g, '$1')
  const words = distinctiveWords(text)
  return {
    text,
    words: new Set(words),
    joined: words.join(''),
    runs: runsOf(words.filter((word) => !DROPPED_AT_END.has(word)).slice(0, MAX_WORDS)),
    scripts: scriptsOf(text),
  }
}

/** `bike`, `discount` and `bikediscount`: shops write their name with and without a hyphen. */
const runsOf = (words: readonly string[]): ReadonlySet<string> =>
  new Set(
    words
      .flatMap((_, from) =>
        words.slice(from).map((_, n) => words.slice(from, from + n + 1).join('')),
      )
      .filter((run) => run.length >= SHORTEST_SHARED),
  )

/**
 * How two names relate; symmetric. A name without a letter or a digit says nothing, and is
 * `unknown` to every other. Names in different scripts are not compared: a transliteration does
 * not conflict.
 */
export function compareNames(first: ReadName, second: ReadName): NameMatch {
  if (first.text === '' || second.text === '') return 'unknown'
  if (first.text === second.text) return 'equal'
  if (first.joined === second.joined) return 'variant'
  if (isSubset(first.words, second.words) || isSubset(second.words, first.words)) return 'variant'
  if ([...first.runs].some((run) => second.runs.has(run))) return 'variant'
  if (isUnspacedPart(first.joined, second.joined)) return 'variant'
  return first.scripts === second.scripts ? 'conflict' : 'unknown'
}

/** At least one word: a shop may be called "The Store". */
function distinctiveWords(normalised: string): string[] {
  const words = normalised.split(' ')
  const distinctive = words.filter((word) => !SHOP_WORDS.has(word))
  return distinctive.length > 0 ? distinctive : words
}

/** Every word of one name is in the other: `Fell` and `Fell Outdoor`. */
const isSubset = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  some.size <= all.size && [...some].every((word) => all.has(word))

/**
 * Scripts without spaces between words: in them, legal forms and words for shops stand in one with
 * a name.
 */
const UNSPACED = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{N}]+$/u

/** `小米` and `小米商城`; one character alone is in many names. */
function isUnspacedPart(one: string, other: string): boolean {
  // Korean syllables were taken apart, and a part of one is not a word.
  const [a, b] = [one.normalize('NFC'), other.normalize('NFC')]
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  return (
    UNSPACED.test(longer) &&
    /\p{L}/u.test(shorter) &&
    [...shorter].length > 1 &&
    longer.includes(shorter)
  )
}

/** Scripts that shops write their names in. Japanese mixes three of them, so they count as one. */
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Hangul}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
]

/** The scripts of a name, as one word; digits have none. */
const scriptsOf = (name: string): string =>
  SCRIPTS.flatMap((script, index) => (script.test(name) ? index : [])).join(' ')

/** A name that a home page gives its shop, and the other spellings that it states for it. */
interface ShopName {
  source: string
  name: string
  alternates: string[]
}

/**
 * The names on a home page, the most important source first. The title is not included: it often
 * holds a slogan, so it can only support a name.
 */
export function shopNames(page: Page): ShopName[] {
  const [organization] = namedOrganizations(page)
  return [
    ...(page.web_site === null ? [] : nameOf(page.web_site, 'WebSite')),
    ...(organization === undefined ? [] : nameOf(organization, 'Organization')),
    ...metaName(page, 'og:site_name'),
    ...metaName(page, 'application-name'),
  ]
}

const nameOf = ({ name, where, alternates }: SiteName, type: string): ShopName[] =>
  name === null ? [] : [{ source: `${type} name (${where})`, name, alternates }]

/** The name in a `<meta>`, as a list of one or none; it has no other spellings. */
function metaName(page: Page, key: string): ShopName[] {
  const name = page.meta.find((meta) => meta.key === key)?.content.trim()
  return name ? [{ source: key, name, alternates: [] }] : []
}

/** The best match first: one spelling that agrees is enough. */
const STRENGTH: readonly NameMatch[] = ['equal', 'variant', 'unknown', 'conflict']

/** The best match between any spellings of the two. */
export function compareShopNames(a: ShopName, b: ShopName): NameMatch {
  const [own, other] = [a, b].map(({ name, alternates }) => [name, ...alternates].map(readName))
  const matches = new Set(
    own?.flatMap((first) => other?.map((second) => compareNames(first, second)) ?? []),
  )
  return STRENGTH.find((match) => matches.has(match)) ?? 'unknown'
}
