import { stripVTControlCharacters } from 'node:util'
import { median } from '../../../shared/testing/median.ts'

/** What a program writes before it writes a line of progress anew. */
const ERASE_LINE = '\u001b[K'

const NUMBER = /\d[\d,]*(?:\.\d+)?/g

/** A line that a benchmark printed: its words, and its numbers of each round. */
interface Figures {
  words: string
  rounds: number[][]
}

/** Lines by their words, and by how often these came before in the round. */
function figuresOf(rounds: readonly string[]): Map<string, Figures> {
  const found = new Map<string, Figures>()
  for (const printed of rounds) {
    const seen = new Map<string, number>()
    for (const written of printed.split('\n')) {
      const line = stripVTControlCharacters(written.split(ERASE_LINE).at(-1) ?? '')
      const numbers = [...line.matchAll(NUMBER)].map(([n]) => Number(n.replaceAll(',', '')))
      if (numbers.length === 0) continue
      const words = line.replaceAll(NUMBER, '#')
      const nth = seen.get(words) ?? 0
      seen.set(words, nth + 1)
      const key = `${words} ${nth}`
      const figures = found.get(key) ?? { words, rounds: [] }
      figures.rounds.push(numbers)
      found.set(key, figures)
    }
  }
  return found
}

const show = (n: number): string => String(Number(n.toPrecision(4)))

/**
 * What benchmarks have printed in some rounds there and here, line by line: in place of each number
 * its median there and here, and how many times the one the other is.
 */
export function compareFigures(there: readonly string[], here: readonly string[]): string {
  const before = figuresOf(there)
  const lines = [...figuresOf(here)].map(([key, { words, rounds }]) => {
    const old = before.get(key)
    let n = 0
    return words.replaceAll('#', () => {
      const at = n++
      const now = median(rounds.map((numbers) => numbers[at] ?? 0))
      if (old === undefined) return show(now)
      const then = median(old.rounds.map((numbers) => numbers[at] ?? 0))
      if (then === now) return show(now)
      return `${show(then)} → ${show(now)} (× ${show(now / then)})`
    })
  })
  return `${lines.join('\n')}\n`
}
