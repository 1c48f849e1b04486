/** Deeper levels are not indented further: a store may nest ten thousand of them. */
const DEEPEST = 16

// Unspecified: JSON that would become more than three times as long, plus a thousand characters, is
// shown as it was sent: a store may nest `0,0,0,…` so that each digit takes a line.
const MOST_GROWTH = 3
const MOST_MORE = 1_000

/**
 * JSON with a line for each member. Only white space between its parts changes, so that numbers
 * such as 1.0 and duplicate members look as they were sent. Other text is returned as it is, and so
 * is JSON that would become much longer.
 */
export function prettyJson(text: string): string {
  if (!isJson(text)) return text
  const lines: string[] = []
  let left = MOST_GROWTH * text.length + MOST_MORE
  let line = ''
  let depth = 0
  const breakLine = () => {
    lines.push(line)
    left -= line.length + 1
    line = '  '.repeat(Math.min(depth, DEEPEST))
  }
  // Strings, empty objects and arrays, and any other token.
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (left < 0) return text
    if (part === '{' || part === '[') {
      line += part
      depth += 1
      breakLine()
    } else if (part === '}' || part === ']') {
      depth -= 1
      breakLine()
      line += part
    } else if (part === ',') {
      line += part
      breakLine()
    } else {
      line += part === ':' ? ': ' : part.replace(/^([{[])\s+/, '$1')
    }
  }
  return [...lines, line].join('\n')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
