import { readdirSync, readFileSync } from 'node:fs'
import type { Decision } from '../pages/info/decisions.ts'

const ROOMS = ['shared', 'server', 'snippet', 'aisle-node', 'extension']
const SOURCE = /\.tsx?$/
const NOT_SHIPPED = /\.(test|e2e|bench)\.tsx?$|(^|\/)(testing|node_modules|\.wxt|\.output)\//
const MARK = 'Unspecified:'

/** The decisions in the sources below `root`, in the order of their files. */
export const collectDecisions = (): Decision[] =>
  ROOMS.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .map((file) => `${room}/${file.replaceAll('\\', '/')}`)
      .filter((file) => SOURCE.test(file) && !NOT_SHIPPED.test(file))
      .toSorted()
      .flatMap((file) => decisionsIn(readFileSync(file, 'utf8')).map((text) => ({ file, text }))),
  )

/**
 * The texts of the marks in a source, each from its mark to the end of its paragraph or to the next
 * mark. Reads block comments and line comments on lines of their own.
 */
export function decisionsIn(source: string): string[] {
  const comments = source.matchAll(/(?:^[ \t]*\/\/.*\n)+|\/\*[\s\S]*?\*\//gm)
  return [...comments].flatMap(([comment]) => {
    const text = comment
      .split('\n')
      .map((line) =>
        line
          .replace(/^\s*(\/\/|\/\*\*?|\*\/|\*)\s?/, '')
          .replace(/\*\/\s*$/, '')
          .trim(),
      )
      .join('\n')
    const [, ...marked] = text.split(MARK)
    return marked.map((each) => (each.split('\n\n')[0] ?? '').replace(/\s+/g, ' ').trim())
  })
}
