import { printable } from './printable.ts'

/*
 * Text from strangers as Markdown that renders as plain text: no heading, HTML, link, picture or
 * mention.
 */

/** Plain text: everything that could begin markup is escaped. */
export const plainMarkdown = (text: string): string =>
  oneLine(text).replace(/[\\`*_[\]<>&#~|@]/g, '\\$&')

/** A code span that its own text cannot end (https://spec.commonmark.org/0.31.2/#code-spans). */
export function codeSpan(text: string): string {
  const line = oneLine(text)
  const longest = longestRun(line)
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

const oneLine = (text: string): string =>
  String(printable`${text.replace(/\s+/g, ' ').trim() || '-'}`)

/** An address that cannot leave its angle brackets. */
export const isInertLink = (url: string | null | undefined): url is string =>
  typeof url === 'string' && /^https?:\/\/[^\s<>\\]+$/.test(url)

/** A block that its own text cannot end; the text is verbatim but for control characters. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  const lines = text.split(/\r\n|\r|\n/).map((line) => String(printable`${line}`))
  return [fence, ...lines, fence].join('\n')
}

const longestRun = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0)
