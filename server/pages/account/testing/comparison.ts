/** The same numbers in each run (mulberry32). */
export function numbersFrom(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  const one = <Each>(of: readonly Each[]): Each => of[below(of.length)] as Each
  return { next, below, one }
}

/** Compares each figure that is expected with the one at its place, and counts them. */
export function createComparison() {
  const wrong: string[] = []
  let compared = 0
  const compare = (at: string, found: unknown, expected: unknown): void => {
    if (typeof expected === 'object' && expected !== null) {
      for (const [name, value] of Object.entries(expected)) {
        compare(`${at}.${name}`, Object(found)[name], value)
      }
      return
    }
    compared += 1
    const isSame =
      typeof expected === 'number' && typeof found === 'number'
        ? Math.abs(found - expected) < 1e-9
        : found === expected
    if (!isSame) wrong.push(`${at}: ${found}, not ${expected}`)
  }
  return { compare, wrong, compared: () => compared }
}
