import * as z from 'zod'

/** What esbuild writes (https://tc39.es/ecma426/): positions are relative to the one before. */
const SourceMap = z.object({
  version: z.literal(3),
  sources: z.array(z.string()),
  names: z.array(z.string()),
  mappings: z.string(),
})

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * A source map without the files that `isKept` refuses. Once there is an error to show, Node keeps
 * the whole map in memory, and most of a bundle is packages. Positions stay those of the bundle.
 */
export function mappingOnly(text: string, isKept: (source: string) => boolean): string {
  const map = SourceMap.parse(JSON.parse(text))
  const sources = map.sources.filter(isKept)
  const placeOf = new Map(sources.map((source, n) => [source, n]))
  // Positions of the input, then of the output: source, line, column.
  let [source, line, column] = [0, 0, 0]
  let [lastSource, lastLine, lastColumn] = [0, 0, 0]
  let inside = false

  const rewritten = map.mappings.split(';').map((segments) => {
    let at = 0
    let lastAt = 0
    const kept: string[] = []
    for (const segment of segments === '' ? [] : segments.split(',')) {
      const [forward = 0, nextSource, down = 0, right = 0] = decode(segment)
      at += forward
      if (nextSource === undefined) continue
      source += nextSource
      line += down
      column += right
      const place = placeOf.get(map.sources[source] ?? '')
      if (place !== undefined) {
        const moved = [at - lastAt, place - lastSource, line - lastLine, column - lastColumn]
        kept.push(encode(moved))
        ;[lastAt, lastSource, lastLine, lastColumn] = [at, place, line, column]
      } else if (inside) {
        // A position without a source says that what follows has none.
        kept.push(encode([at - lastAt]))
        lastAt = at
      }
      inside = place !== undefined
    }
    return kept.join(',')
  })
  return JSON.stringify({ version: 3, sources, names: [], mappings: rewritten.join(';') })
}

/** Numbers as groups of five bits, the lowest first; the lowest bit of all is the sign. */
function encode(numbers: readonly number[]): string {
  let text = ''
  for (const number of numbers) {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1
    do {
      const more = rest > 31 ? 32 : 0
      text += DIGITS[(rest & 31) | more]
      rest >>>= 5
    } while (rest > 0)
  }
  return text
}

function decode(segment: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit)
    value |= (bits & 31) << shift
    shift += 5
    if (bits & 32) continue
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
    value = 0
    shift = 0
  }
  return numbers
}
