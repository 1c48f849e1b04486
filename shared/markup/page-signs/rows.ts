import { type Box, indexFrom, isInAny, outermost, signOf, startOf } from './boxes.ts'
import {
  type Card,
  type Climb,
  MANY_THINGS,
  MAX_PLAIN_CARD,
  NEAR,
  NEXT,
  type Owner,
  type Placed,
  unnamed,
  type Visible,
} from './owner.ts'

/** Plain links in equal elements are names: a buy box has a link to its brand once. */
export function markPlain(climbs: readonly Climb[]): void {
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
export function markSiblings(controls: readonly Placed[], climbs: readonly Climb[]): void {
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

interface Row {
  control: Placed
  /** The last control of its place. */
  last: Placed
  climb: Climb
  /** Those of all its controls. */
  all: readonly Climb[]
}

/** Things that follow each other in one element without elements of their own. */
export function markRows(
  places: readonly (readonly Placed[])[],
  climbs: readonly (readonly Climb[])[],
  page: Visible,
  taken: readonly Box[],
): void {
  const rows = places.flatMap((place, index): Row[] => {
    const [climb] = climbs[index] ?? []
    const [control] = place
    const isOpen = climb !== undefined && control !== undefined && climb.owner.is !== 'cards'
    return isOpen && !taken.some((box) => box === climb.within)
      ? [{ control, last: place.at(-1) ?? control, climb, all: climbs[index] ?? [] }]
      : []
  })
  for (const group of Map.groupBy(rows, ({ climb }) => climb.within).values()) {
    const alike = alikeIn(group, page)
    for (const { all } of alike) markAs(all, unnamed(1))
    const others = group.filter((row) => !alike.has(row))
    const names = others.map(({ control }, n) => {
      const before = others[n - 1]?.last.box.to
      const heading = page.headings.findLast(({ box }) => box.from < control.box.from)
      return nameIn(before ?? heading?.box.to ?? 0, control.box.from, page, taken)
    })
    if (others.length > 1 && names.slice(1).every((name) => name !== null)) {
      for (const [n, { all }] of others.entries()) {
        const name = names[n]
        if (name != null) markAs(all, { is: 'cards', count: 1, cards: [name], within: null })
      }
    } else if (areThings(others, page)) for (const { all } of others) markAs(all, unnamed(1))
  }
}

function markAs(climbs: readonly Climb[], owner: Owner): void {
  for (const climb of climbs) climb.owner = owner
}

/** A plain link in a part of the page, with a price right after it. */
function nameIn(
  from: number,
  to: number,
  { links, read, prices }: Visible,
  taken: readonly Box[],
): Card | null {
  for (let n = indexFrom(links, from, startOf); n < links.length; n += 1) {
    const link = links[n]
    if (link === undefined || link.box.from >= to) break
    const end = link.box.text.to
    const price = prices[indexFrom(prices, end, ({ at }) => at)]
    if (price === undefined || price.at - end > NEXT || isInAny(link.box, taken)) continue
    const page = read(link.href)
    if (page === null || page === 'here' || page.looks === 'other') continue
    return { url: page.url, name: link.name }
  }
  return null
}

/** Equal elements next to each other, each with a heading of its own. */
function alikeIn(group: readonly Row[], { names }: Visible): Set<Row> {
  const units = new Map<Box | null, Map<string, Map<Box, Row>>>()
  for (const row of group) {
    const { within } = row.climb
    for (let box = row.control.box.parent; box !== null && box !== within; box = box.parent) {
      const name = names[indexFrom(names, box.from, startOf)]
      if (name === undefined || name.box.to > box.to) continue
      const signs = units.get(box.parent) ?? new Map<string, Map<Box, Row>>()
      units.set(box.parent, signs)
      const alike = signs.get(signOf(box)) ?? new Map<Box, Row>()
      signs.set(signOf(box), alike.set(box, row))
    }
  }
  const all = [...units.values()].flatMap((signs) => [...signs.values()])
  return new Set(all.flatMap((alike) => (alike.size > 1 ? [...alike.values()] : [])))
}

/** Sizes of one product stand in a table; other things that follow each other are a list. */
const areThings = (group: readonly Row[], { prices }: Visible): boolean =>
  group.length >= MANY_THINGS &&
  group.every(({ control, climb }, n) => {
    for (let box = control.box.parent; box !== null && box !== climb.within; box = box.parent) {
      if (box.element.name === 'tr') return false
    }
    const from = group[n - 1]?.last.at ?? control.at - MAX_PLAIN_CARD
    const price = prices[indexFrom(prices, from, ({ at }) => at)]
    const isNext = control.at - from <= MAX_PLAIN_CARD
    return isNext && price !== undefined && price.at <= control.at + NEAR
  })

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
export function withoutPrice(
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
