import type { Box } from './boxes.ts'
import type { LinkReader } from './card-links.ts'

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
  read: LinkReader['read']
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

/** Characters of a card whose name is a plain link. */
export const MAX_PLAIN_CARD = 500

/** Characters between a name and its price, and between a control and a price that is its own. */
export const NEXT = 80
export const NEAR = 400

/** Consecutive things without a link that each have a price and a control. */
export const MANY_THINGS = 4

/** What the way outwards from a control came to. */
export interface Climb {
  owner: Owner
  /** The part of the page that says so. */
  within: Box | null
  /** A plain link that may be the name. */
  plain: { card: Card; within: Box } | null
  /** Of the page, as far as that says so. */
  heading?: string
}

/** Things that are not the page's own, and whose pages are not known. */
export const unnamed = (count: number): Owner => ({ is: 'cards', count, cards: [], within: null })
