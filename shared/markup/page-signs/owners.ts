import { wordsIn } from './address.ts'
import { type Box, indexFrom, isInAny, isInside, outermost, startOf } from './boxes.ts'
import type { LinkedPage } from './card-links.ts'
import {
  type Card,
  type Climb,
  MANY_THINGS,
  MAX_PLAIN_CARD,
  type NamingLink,
  NEXT,
  type Owner,
  type Placed,
  unnamed,
  type Visible,
} from './owner.ts'
import { markPlain, markRows, markSiblings, withoutPrice } from './rows.ts'

/** Characters of the longest card, and of one that is in no doubt, such as of a list with texts. */
const MAX_CARD = 1_500
const MAX_SURE_CARD = 6_000

/** Links that are read for one control: with more, it is not a card. */
const MAX_LINKS = 120

/** Elements that themes make of each thing in a list, by their names and their classes. */
const ENTRIES = new Set(['li', 'tr', 'article'])
const ENTRY =
  /(?:product|item|article|artikel|prod)[-_]*(?:tile|item|card|box|cell|miniature|thumb|summary|teaser|layout)\b|(?:^|\s)(?:product|item|tile|teaser)(?:\s|$)/i

/**
 * Whose product each control buys. The smallest part of the page that holds the control and a name
 * says so: a heading of the page is its own, and a link to another page that is made like a name
 * (in a heading, or of a picture and a text) makes it a card. Controls of one place stand together.
 * Takes time linear in the page.
 */
export function ownersOf(places: readonly (readonly Placed[])[], page: Visible): Owner[][] {
  const claimed: Box[] = []
  const inner = places.map((place, index) => {
    // First what each place has for itself.
    const after = places[index - 1]?.at(-1)?.box.from ?? -1
    const before = places[index + 1]?.[0]?.box.from ?? Number.POSITIVE_INFINITY
    return place.map((control) => {
      const climb = climbFrom(control, page, (box) => box.from > after && box.to <= before, [])
      if (climb.owner.is !== 'unknown' && climb.within !== null) claimed.push(climb.within)
      return climb
    })
  })
  const taken = outermost(claimed)
  const climbs = inner.map((list, index) =>
    list.map((climb, n) => {
      const control = places[index]?.[n]
      return climb.owner.is !== 'unknown' || control === undefined
        ? climb
        : climbFrom(control, page, () => true, taken)
    }),
  )
  const flat = climbs.flat()
  markPlain(flat)
  markSiblings(places.flat(), flat)
  markRows(places, climbs, page, taken)
  // Some themes give the name of each thing in a list the first order.
  const headed = inner.flat().filter(({ owner }) => owner.is === 'page')
  if (new Set(headed.map(({ heading }) => heading)).size >= MANY_THINGS)
    for (const climb of headed) climb.owner = unnamed(1)
  withoutPrice(places, climbs, page)
  return climbs.map((list) => list.map(({ owner }) => owner))
}

/** What is known of the links to one page. */
interface Target {
  card: Card
  looks: LinkedPage['looks']
  links: number
  first: NamingLink
  is_image: boolean
  is_heading: boolean
  /** The control itself leads there. */
  is_control: boolean
}

/** Goes outwards from a control, as far as `isOpen`, without the parts that are `taken`. */
function climbFrom(
  control: Placed,
  { text, links, read: readLink, headings, prices }: Visible,
  isOpen: (box: Box) => boolean,
  taken: readonly Box[],
): Climb {
  const targets = new Map<string, Target>()
  let plain: Climb['plain'] = null
  let several: Target[] = []
  let low = indexFrom(links, control.box.from, startOf)
  let high = low
  let read = 0
  let seen = ''
  const take = (link: NamingLink | undefined) => {
    if (link === undefined || read > MAX_LINKS || isInAny(link.box, taken)) return
    const { box, href, name, is_image, is_heading } = link
    const page = readLink(href)
    if (page === null || page === 'here') return
    read += 1
    const is_control = box === control.box
    const known = targets.get(page.key)
    if (known === undefined) {
      const card = { url: page.url, name }
      const rest = { is_image, is_heading, is_control }
      targets.set(page.key, { card, looks: page.looks, links: 1, first: link, ...rest })
      return
    }
    known.links += 1
    if (box.from < known.first.box.from) known.first = link
    known.is_image ||= is_image
    known.is_control ||= is_control
    if (known.card.name === '' || (is_heading && !known.is_heading)) known.card.name = name
    known.is_heading ||= is_heading
  }
  for (let box: Box | null = control.box; box !== null && isOpen(box); box = box.parent) {
    while ((links[low - 1]?.box.from ?? -1) >= box.from) take(links[--low])
    while ((links[high]?.box.from ?? Number.POSITIVE_INFINITY) < box.to) take(links[high++])
    const inside = headings.filter((each) => isInside(each.box, box))
    const heading = inside.find((each) => !isInAny(each.box, taken))
    // Further out, what the heading names is not the only thing: a bar at the end buys it again.
    if (heading === undefined && inside.length > 0) break
    if (heading !== undefined) {
      const owner = severalOr({ is: 'page' }, heading.box.text.to)
      return { owner, within: box, plain, heading: heading.text }
    }
    if (read > MAX_LINKS) continue
    const { to } = box.text
    const priceFrom = (from: number) => {
      const price = prices[indexFrom(prices, from, ({ at }) => at)]
      return price !== undefined && price.at < to ? price.at : null
    }
    const price = priceFrom(box.text.from)
    const size = box.text.to - box.text.from
    // Only what is new can change what was seen further in.
    const isPart = isThing(box)
    const state = `${read} ${price !== null} ${isPart}`
    if (state === seen || targets.size === 0) continue
    seen = state
    const within: Within = { control, text, price, priceFrom, size, isPart }
    const found = [...targets.values()].map((target) => ({
      target,
      strength: strengthOf(target, within),
    }))
    const most = Math.max(0, ...found.map(({ strength }) => strength))
    const best = most === 0 ? [] : found.filter(({ strength }) => strength === most)
    const [only] = best
    if (best.length === 1 && only !== undefined && size <= (most > 2 ? MAX_SURE_CARD : MAX_CARD)) {
      const { card } = only.target
      return { owner: { is: 'cards', count: 1, cards: [card], within: box }, within: box, plain }
    }
    if (best.length > 1 && most > 1) several = best.map(({ target }) => target)
    const [one] = targets.values()
    if (targets.size === 1 && one !== undefined && isPlainName(one, within)) {
      plain ??= { card: one.card, within: box }
    }
  }
  return { owner: severalOr({ is: 'unknown' }, 0), within: null, plain }

  /** One button below a list of things buys those that are chosen; a set has a price above. */
  function severalOr(other: Owner, from: number): Owner {
    const start = Math.min(...several.map(({ first }) => first.box.text.from))
    const isSet = prices.some(({ at }) => at >= from && at < start)
    if (several.length === 0 || start < from || isSet) return other
    return {
      is: 'cards',
      count: several.length,
      cards: several.map(({ card }) => card),
      within: null,
    }
  }
}

/** Part of a page, as `strengthOf` sees it. */
interface Within {
  control: Placed
  text: string
  /** The first price in it. */
  price: number | null
  /** The first at or after a place. */
  priceFrom: (from: number) => number | null
  size: number
  /** It is made like a thing of a list. */
  isPart: boolean
}

/** How much links to a page look like the name of what is sold in this part; 0 for not at all. */
function strengthOf(target: Target, within: Within): number {
  const { control, text, price, size, isPart } = within
  const { first, looks, is_image, is_heading, is_control } = target
  // What follows the price is about its taxes or its shipping.
  const isAbove = price !== null && first.box.text.from <= price
  const isEntry = isPart && size <= MAX_PLAIN_CARD
  if (first.box.from >= control.box.from) {
    // A badge, or a button over the picture.
    return isAbove && is_heading && size <= MAX_PLAIN_CARD ? 2 : 0
  }
  // The whole card is a link, its button included.
  if (first.box.to > control.box.to) return 4
  if (target.links > 1 && (is_image || is_heading || is_control)) return is_heading ? 4 : 3
  if (is_heading) return 2
  if (isEntry && (is_image || isAbove)) return 1
  if (!is_image) return looks === 'product' && isPlainName(target, within) ? 1 : 0
  if (looks === 'other' || !isAbove) return 0
  const own = text.slice(first.box.text.from, first.box.text.to).trim()
  if (own !== '') return 1
  const words = new Set(wordsIn(first.name))
  return wordsIn(text.slice(first.box.text.to, price)).some((word) => words.has(word)) ? 1 : 0
}

/** A text that is a link, and a price right after it. */
function isPlainName({ first, looks }: Target, { control, priceFrom, size }: Within): boolean {
  const price = priceFrom(first.box.text.from)
  return (
    looks !== 'other' &&
    size <= MAX_PLAIN_CARD &&
    price !== null &&
    first.box.from < control.box.from &&
    price - first.box.text.to <= NEXT
  )
}

const isThing = ({ element: { name, attributes } }: Box): boolean =>
  ENTRIES.has(name) || attributes.some((each) => each.name === 'class' && ENTRY.test(each.value))
