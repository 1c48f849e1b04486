import type { FeedItem } from '../../../../shared/commerce/feed.ts'
import { readTable } from './delimited.ts'
import {
  type FeedRead,
  type FeedState,
  type Followed,
  feedOf,
  firstState,
  type Rows,
  rowsOf,
} from './format.ts'
import { readJsonFeed } from './json.ts'
import { readXml } from './xml.ts'

/** White space before the first character, at most. */
const MAX_BLANK = 4096

/** What one part of a feed gave: its new items, and all that the next part needs. */
export interface FeedPart {
  state: FeedState
  items: FeedItem[]
}

/**
 * Reads one part of a product feed of any kind. The kind is recognised by the content: a name
 * ending or a content type is as often wrong as right. `rowsFor` takes its rows instead of the
 * audit's tally. Never throws.
 */
export function readFeedPart(
  before: FeedState | null,
  text: string,
  followed: Followed,
  rowsFor?: (state: FeedState) => Rows,
): FeedPart {
  const state = before ?? firstState()
  const items: FeedItem[] = []
  if (state.done) return { state, items }
  const all = state.tail + text
  const first = all.trimStart().charAt(0)
  if (first === '' && state.form === null) {
    state.done = all.length > MAX_BLANK
    state.tail = all
    return { state, items }
  }
  const read = state.form === null ? readerFor(first) : READERS[state.form.is]
  state.tail = all.slice(read(state, all, followed, rowsFor?.(state) ?? rowsOf(state, items)))
  if (state.done) state.tail = ''
  return { state, items }
}

/** Reads a whole text in one go. */
export function readFeed(text: string): FeedRead {
  const { state, items } = readFeedPart(null, text, 'end')
  return feedOf(state, items, null)
}

const READERS = { xml: readXml, table: readTable, json: readJsonFeed }

/** By the first character: markup, JSON, or else a table. */
function readerFor(first: string) {
  if (first === '<') return readXml
  return first === '{' || first === '[' ? readJsonFeed : readTable
}
