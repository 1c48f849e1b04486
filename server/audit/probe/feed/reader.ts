import { createDelimitedReader } from './delimited.ts'
import { type FeedRead, type FeedReader, notAFeed } from './format.ts'
import { createJsonReader } from './json.ts'
import { createXmlReader } from './xml.ts'

/** White space before the first character, at most. */
const MAX_BLANK = 4096

/** What was read of a feed's beginning, and whether more of it would add anything. */
export interface FeedReading {
  read: FeedRead
  enough: boolean
}

/** Characters per piece; after each, the reader says whether it has enough. */
const PIECE = 65_536

/** Reads a text that may be a feed; `cut`: there is more of it. */
export function readFeed(text: string, cut: boolean): FeedReading {
  const reader = createFeedReader()
  for (let at = 0; at < text.length; at += PIECE) {
    if (!reader.write(text.slice(at, at + PIECE))) return { read: reader.end(true), enough: true }
  }
  return { read: reader.end(cut), enough: false }
}

/**
 * Reads a product feed of any kind. The kind is told by the content: a name ending or a content
 * type is as often wrong as right.
 */
export function createFeedReader(): FeedReader {
  let head = ''
  let reader: FeedReader | null = null
  return {
    write(text) {
      if (reader !== null) return reader.write(text)
      head += text
      const first = head.trimStart().charAt(0)
      if (first === '') return head.length < MAX_BLANK
      reader = readerFor(first)
      return reader.write(head)
    },
    end: (cut) => reader?.end(cut) ?? notAFeed(),
  }
}

/** By the first character: markup, JSON, or else a table. */
function readerFor(first: string): FeedReader {
  if (first === '<') return createXmlReader()
  if (first === '{' || first === '[') return createJsonReader()
  return createDelimitedReader()
}
