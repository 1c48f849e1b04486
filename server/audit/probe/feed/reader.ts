import { createDelimitedReader } from './delimited.ts'
import { type FeedReader, notAFeed } from './format.ts'
import { createJsonReader } from './json.ts'
import { createXmlReader } from './xml.ts'

/** White space before the first character, at most. */
const MAX_BLANK = 4096

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
