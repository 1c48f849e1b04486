import robotsParser from 'robots-parser'

/** Normal files are far smaller, and the cost of a pattern grows with its wildcards. */
const MAX_LINE = 300
const MAX_WILDCARDS = 8
const MAX_WILDCARD_LINES = 100
const MAX_LINES = 5000
const MAX_PATH = 300

/** A URL that an agent may not read, and the line of robots.txt that says so. */
export interface Disallowed {
  url: string
  /** In the file, from 1. */
  line: number
}

/**
 * The first of the URLs that robots.txt keeps each agent from, by the groups of RFC 9309; agents
 * that may read all are not in the map. `robotsUrl` and `urls` are absolute, `tokens` are product
 * tokens. Lines over the limits are ignored: a hostile file must not hold us up.
 */
export function disallowedBy(
  text: string,
  robotsUrl: string,
  tokens: readonly string[],
  urls: readonly string[],
): Map<string, Disallowed> {
  const file = robotsParser(robotsUrl, bounded(text))
  const found = new Map<string, Disallowed>()
  const paths = urls.filter((url) => url.length <= MAX_PATH)
  for (const token of tokens) {
    const url = paths.find((path) => file.isDisallowed(path, token) === true)
    if (url !== undefined) found.set(token, { url, line: file.getMatchingLineNumber(url, token) })
  }
  return found
}

/** The same lines under the same numbers, those beyond the limits empty. */
function bounded(text: string): string {
  let wildcardLines = 0
  const lines = text.split(/\r\n|\r|\n/, MAX_LINES).map((line) => {
    if (line.length > MAX_LINE) return ''
    const wildcards = line.split('*').length - 1
    if (wildcards > 0 && !/^\s*user-agent/i.test(line)) {
      wildcardLines += 1
      if (wildcards > MAX_WILDCARDS || wildcardLines > MAX_WILDCARD_LINES) return ''
    }
    return line
  })
  return lines.join('\n')
}
