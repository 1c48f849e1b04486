/** Deeper levels are not indented further: a store may nest ten thousand of them. */
const DEEPEST = 16

/**
 * JSON with a line for each member. Nothing but white space between its parts changes, so that
 * numbers such as 1.0 and members that stand twice are seen as they were sent. Other text is returned
 * as it is.
 */
export function prettyJson(text: string): string {
  if (!isJson(text)) return text
  const lines: string[] = []
  let line = ''
  let depth = 0
  const breakLine = () => {
    lines.push(line)
    line = '  '.repeat(Math.min(depth, DEEPEST))
  }
  // Strings, empty objects and arrays, and what else stands between white space and punctuation.
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
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
