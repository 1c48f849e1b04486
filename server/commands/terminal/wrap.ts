import { printable } from '../../../shared/web/text/printable.ts'

/**
 * The lines of a text, indented, of at most `width` columns. It is escaped before it is measured:
 * an escaped character is wider.
 */
export function wrap(raw: string, indent: string, width: number): string[] {
  const text = String(printable`${raw}`)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, indent + line]
}
