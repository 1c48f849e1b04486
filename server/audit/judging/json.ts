import type { Json } from '../../../shared/web/http/fetched.ts'
import { excessOf } from '../../../shared/web/json/json.ts'
import { parseMime } from '../probe/fetch/body.ts'

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
  const excess = excessOf(text)
  if (excess !== null) return { ...failed(`it ${excess}.`), exceeded: true }
  try {
    return { json: { ok: true, value: cutLists(JSON.parse(text)) }, exceeded: false }
  } catch (error) {
    return failed(error instanceof Error ? `${error.message}.` : 'it is not valid JSON.')
  }
}

/** The lines of one event are one text, and an event may have none (HTML, Server-sent events). */
const lastData = (stream: string): string =>
  stream
    // One \r\n is one end of a line, and no event ends there.
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((event) =>
      event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.replace(/^data: ?/, ''))
        .join('\n'),
    )
    .findLast((data) => data !== '') ?? ''

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
