import type { Json } from '../../../shared/web/fetched.ts'
import { parseMime } from '../probe/fetch/decode.ts'

/**
 * Values of one document, counted before any is made: 5 MB of `{}` are two million objects, some
 * 200 MB. A catalog page of a thousand products with fifty facts each has a quarter of it.
 */
const MAX_VALUES = 200_000

/** A list is kept as far as rules look; the next item shows that there are more. */
const MAX_ITEMS = 1_001

/**
 * Parses text that should be JSON; a text that we cut is not, since the fault would be ours.
 * `exceeded`: it was not even tried.
 */
export function readJson(
  body: string,
  { contentType, truncated }: { contentType: string | undefined; truncated: boolean },
): { json: Json; exceeded: boolean } {
  // MCP answers with a stream of events as well; the last one is the answer.
  const isStream = parseMime(contentType)?.essence === 'text/event-stream'
  const text = isStream ? lastData(body) : body
  const failed = (problem: string) => ({ json: { ok: false as const, problem }, exceeded: false })
  if (text === '') return failed('it is empty.')
  if (truncated) return failed(`it is longer than the ${text.length} characters read.`)
  if (countValues(text) > MAX_VALUES) {
    return { ...failed(`it holds more than ${MAX_VALUES} values.`), exceeded: true }
  }
  try {
    return { json: { ok: true, value: cutLists(JSON.parse(text)) }, exceeded: false }
  } catch (error) {
    return failed(error instanceof Error ? `${error.message}.` : 'it is not valid JSON.')
  }
}

const lastData = (stream: string): string =>
  stream
    .split(/\r\n|\r|\n/)
    .findLast((line) => line.startsWith('data:'))
    ?.replace(/^data: ?/, '') ?? ''

/** Counts what separates or opens values outside of strings: at least the number of values. */
function countValues(text: string): number {
  let values = 1
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x2c || code === 0x5b || code === 0x7b) values += 1
  }
  return values
}

/** Cuts long lists, so that what is kept of a document is a sample. */
function cutLists(document: unknown): unknown {
  const pending = [document]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (Array.isArray(value)) value.length = Math.min(value.length, MAX_ITEMS)
    if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) pending.push(part)
  }
  return document
}
