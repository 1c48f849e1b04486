import type { PageElement } from '../html/elements.ts'
import { wordsIn } from './address.ts'
import type { LinkedPage, LinkReader } from './card-links.ts'

/** An element: where it is among the tags, and in the visible text. */
export interface Box {
  parent: Box | null
  element: PageElement
  from: number
  to: number
  text: { from: number; to: number }
}

/** A link, which may name what stands next to a control. */
export interface NamingLink {
  box: Box
  href: string
  /** The text of its heading, else its own, else that of its image. */
  name: string
  is_image: boolean
  /** It is in a heading, or holds one. */
  is_heading: boolean
}

/** What shows whose product a control buys: lists in the order of the document. */
export interface Visible<Price extends { at: number } = { at: number }> {
  text: string
  links: readonly NamingLink[]
  read: LinkReader
  /** Headings of the page itself, which link to no other. */
  headings: readonly { box: Box; text: string }[]
  /** All headings that are no links, in the order of their ends. */
  names: readonly { box: Box }[]
  prices: readonly Price[]
}

export interface Placed {
  box: Box
  /** In the visible text. */
  at: number
}

/** A product of another page that this one shows. */
export interface Card {
  url: string
  name: string
}

/** Whose product a control buys: the page's own, or those of other pages. */
export type Owner =
  | { is: 'page' }
  | { is: 'unknown' }
  | { is: 'cards'; count: number; cards: Card[]; within: Box | null }

/** Characters of the longest card, and of one whose name is a plain link. */
const MAX_CARD = 1_500
const MAX_PLAIN_CARD = 500

/** Links that are read for one control: with more, it is not a card. */
const MAX_LINKS = 120

/** Characters between a name and its price, and between a control and a price that is its own. */
const NEXT = 80
const NEAR = 400

/** Consecutive things without a link that each have a price and a control. */
const THINGS = 4

/** Elements that themes make of each thing in a list, by their names and their classes. */
const ENTRIES = new Set(['li', 'tr', 'article'])
const ENTRY =
  /(?:product|item|article|artikel|prod)[-_]*(?:tile|item|card|box|cell|miniature|thumb|summary|teaser|layout)\b|\b(?:tile|teaser)\b/i

interface Climb {
  owner: Owner
  /** The part of the page that says so. */
  within: Box | null
  /** A plain link that may be the name. */
  plain: { card: Card; within: Box } | null
  /** Of the page, as far as that says so. */
  heading?: string
}

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
  if (new Set(headed.map(({ heading }) => heading)).size >= THINGS)
    for (const climb of headed) climb.owner = unnamed(1)
  withoutPrice(places, climbs, page)
  return climbs.map((list) => list.map(({ owner }) => owner))
}

const unnamed = (count: number): Owner => ({ is: 'cards', count, cards: [], within: null })

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
    if (link === undefined || read > MAX_LINKS || isWithin(link.box, taken)) return
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
    const heading = headings.find((each) => isInside(each.box, box) && !isWithin(each.box, taken))
    if (heading !== undefined) {
      const owner = severalOr({ is: 'page' }, heading.box.text.to)
      return { owner, within: box, plain, heading: heading.text }
    }
    if (read > MAX_LINKS) continue
    const price =
      prices[indexFrom(prices, box.text.from, ({ at }) => at)]?.at ?? Number.POSITIVE_INFINITY
    const size = box.text.to - box.text.from
    // Only what is new can change what was seen further in.
    const isPart = isThing(box)
    const state = `${read} ${price < box.text.to} ${isPart}`
    if (state === seen || targets.size === 0) continue
    seen = state
    const within: Within = {
      control,
      text,
      price: price < box.text.to ? price : null,
      size,
      isPart,
    }
    const found = [...targets.values()].map((target) => ({
      target,
      strength: strengthOf(target, within),
    }))
    const most = Math.max(0, ...found.map(({ strength }) => strength))
    const best = most === 0 ? [] : found.filter(({ strength }) => strength === most)
    const [only] = best
    if (best.length === 1 && only !== undefined && size <= MAX_CARD) {
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
    return isAbove && is_image && is_heading && size <= MAX_PLAIN_CARD ? 2 : 0
  }
  // The whole card is a link, its button included.
  if (first.box.to > control.box.to) return 4
  if (target.links > 1 && (is_image || is_heading || is_control)) return is_heading ? 4 : 3
  if (is_heading) return 2
  if (isEntry && (is_image || isAbove)) return 1
  if (looks === 'other' || !isAbove) return 0
  const own = text.slice(first.box.text.from, first.box.text.to).trim()
  if (is_image && own !== '') return 1
  if (is_image) {
    const words = new Set(wordsIn(first.name))
    return wordsIn(text.slice(first.box.text.to, price)).some((word) => words.has(word)) ? 1 : 0
  }
  return looks === 'product' && isPlainName(target, within) ? 1 : 0
}

/** A text that is a link, and a price right after it. */
const isPlainName = ({ first, looks }: Target, { control, price, size }: Within): boolean =>
  looks !== 'other' &&
  size <= MAX_PLAIN_CARD &&
  price !== null &&
  first.box.from < control.box.from &&
  price >= first.box.text.from &&
  price - first.box.text.to <= NEXT

/** Plain links in equal elements are names: a buy box has a link to its brand once. */
function markPlain(climbs: readonly Climb[]): void {
  const open = climbs.filter(({ owner, plain }) => owner.is !== 'cards' && plain !== null)
  for (const group of Map.groupBy(open, ({ plain }) => plain && signOf(plain.within)).values()) {
    if (new Set(group.map(({ plain }) => plain?.card.url)).size < 2) continue
    for (const climb of group) {
      if (climb.plain !== null)
        climb.owner = {
          is: 'cards',
          count: 1,
          cards: [climb.plain.card],
          within: climb.plain.within,
        }
    }
  }
}

/** What is made like the cards around it is one as well, in spite of its link. */
function markSiblings(controls: readonly Placed[], climbs: readonly Climb[]): void {
  const cards = new Map<Box | null, Map<string, Set<Box>>>()
  for (const { owner, within } of climbs) {
    if (owner.is !== 'cards' || within === null) continue
    const signs = cards.get(within.parent) ?? new Map<string, Set<Box>>()
    cards.set(within.parent, signs)
    const alike = signs.get(signOf(within)) ?? new Set()
    signs.set(signOf(within), alike.add(within))
  }
  for (const [index, climb] of climbs.entries()) {
    if (climb.owner.is === 'cards') continue
    for (let box = controls[index]?.box ?? null; box !== climb.within; box = box.parent) {
      if (box === null) break
      const alike = cards.get(box.parent)?.get(signOf(box))
      if (alike !== undefined && alike.size > 1) climb.owner = unnamed(1)
    }
  }
}

const isThing = ({ element: { name, attributes } }: Box): boolean =>
  ENTRIES.has(name) || attributes.some((each) => each.name === 'class' && ENTRY.test(each.value))

const signOf = ({ element: { name, attributes } }: Box): string =>
  `${name} ${attributes.find((each) => each.name === 'class')?.value ?? ''}`

/** Things that follow each other in one element without elements of their own. */
function markRows(
  places: readonly (readonly Placed[])[],
  climbs: readonly (readonly Climb[])[],
  { links, read, headings, names: titles, prices }: Visible,
  taken: readonly Box[],
): void {
  const rows = places.flatMap((place, index) => {
    const [climb] = climbs[index] ?? []
    const [control] = place
    const isOpen = climb !== undefined && control !== undefined && climb.owner.is !== 'cards'
    return isOpen && !taken.some((box) => box === climb.within)
      ? [{ control, last: place.at(-1) ?? control, climb, all: climbs[index] ?? [] }]
      : []
  })
  for (const group of Map.groupBy(rows, ({ climb }) => climb.within).values()) {
    const nameOf = (from: number, to: number): Card | null => {
      for (let n = indexFrom(links, from, startOf); n < links.length; n += 1) {
        const link = links[n]
        if (link === undefined || link.box.from >= to) break
        const end = link.box.text.to
        const price = prices[indexFrom(prices, end, ({ at }) => at)]
        if (price === undefined || price.at - end > NEXT || isWithin(link.box, taken)) continue
        const page = read(link.href)
        if (page === null || page === 'here' || page.looks === 'other') continue
        return { url: page.url, name: link.name }
      }
      return null
    }
    const names = group.map(({ control }, n) => {
      const before = group[n - 1]?.last.box.to
      const heading = headings.findLast(({ box }) => box.from < control.box.from)
      return nameOf(before ?? heading?.box.to ?? 0, control.box.from)
    })
    if (group.length > 1 && names.slice(1).every((name) => name !== null)) {
      for (const [n, { all }] of group.entries()) {
        const name = names[n]
        if (name == null) continue
        for (const climb of all)
          climb.owner = { is: 'cards', count: 1, cards: [name], within: null }
      }
    } else if (areAlike(group) || areThings(group)) {
      for (const { all } of group) for (const climb of all) climb.owner = unnamed(1)
    }
  }

  /** Equal elements next to each other, each with a heading of its own. */
  function areAlike(group: readonly { control: Placed; climb: Climb }[]): boolean {
    const units = group.map(({ control, climb }) => {
      for (let box = control.box.parent; box !== null && box !== climb.within; box = box.parent) {
        const each = box
        if (titles.some((title) => isInside(title.box, each))) return box
      }
      return null
    })
    const [first] = units
    return (
      group.length > 1 &&
      first != null &&
      new Set(units).size === group.length &&
      units.every((unit) => unit?.parent === first.parent && signOf(unit) === signOf(first))
    )
  }

  /** Sizes of one product stand in a table; other things that follow each other are a list. */
  function areThings(group: readonly { control: Placed; climb: Climb; last: Placed }[]): boolean {
    return (
      group.length >= THINGS &&
      group.every(({ control, climb }, n) => {
        for (let box = control.box.parent; box !== null && box !== climb.within; box = box.parent) {
          if (box.element.name === 'tr') return false
        }
        const from = group[n - 1]?.last.at ?? control.at - MAX_PLAIN_CARD
        const price = prices[indexFrom(prices, from, ({ at }) => at)]
        const isNext = control.at - from <= MAX_PLAIN_CARD
        return isNext && price !== undefined && price.at <= control.at + NEAR
      })
    )
  }
}

/** Prices that are in no card. */
export function ownPrices<Price extends { at: number }>(
  prices: readonly Price[],
  owners: readonly Owner[],
): Price[] {
  const cards = owners.flatMap((owner) => (owner.is === 'cards' && owner.within) || [])
  const boxes = outermost(cards)
  return prices.filter(({ at }) => {
    const box = boxes[indexFrom(boxes, at + 1, ({ text }) => text.from) - 1]
    return box === undefined || at >= box.text.to
  })
}

/** Among cards, a control without a price of its own, such as one for all that is chosen. */
function withoutPrice(
  places: readonly (readonly Placed[])[],
  climbs: readonly (readonly Climb[])[],
  { prices }: Visible,
): void {
  const owners = climbs.flat().map(({ owner }) => owner)
  if (prices.length === 0 || owners.every(({ is }) => is !== 'cards')) return
  const own = ownPrices(prices, owners)
  for (const [index, list] of climbs.entries()) {
    for (const [n, climb] of list.entries()) {
      const at = places[index]?.[n]?.at ?? 0
      const from = Math.min(at - NEAR, climb.within?.text.from ?? at)
      const price = own[indexFrom(own, from, (each) => each.at)]
      const hasPrice = price !== undefined && price.at <= at + NEAR
      if (climb.owner.is !== 'cards' && !hasPrice) climb.owner = unnamed(0)
    }
  }
}

const startOf = ({ box }: { box: Box }): number => box.from

/** The index of the first that is not before a place, of a list in order. */
function indexFrom<T>(list: readonly T[], place: number, of: (each: T) => number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const each = list[middle]
    if (each !== undefined && of(each) < place) low = middle + 1
    else high = middle
  }
  return low
}

const isInside = (inner: Box, outer: Box): boolean =>
  inner.from >= outer.from && inner.to <= outer.to

/** `outer` is in order, and none of it in another. */
function isWithin(box: Box, outer: readonly Box[]): boolean {
  const each = outer[indexFrom(outer, box.from + 1, ({ from }) => from) - 1]
  return each !== undefined && isInside(box, each)
}

/** Those that are in no other. */
function outermost(boxes: readonly Box[]): Box[] {
  const kept: Box[] = []
  for (const box of boxes.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = kept.at(-1)
    if (last === undefined || !isInside(box, last)) kept.push(box)
  }
  return kept
}
