/** Longer names are not compared: it takes the product of both lengths. */
const MAX_COMPARED = 100

/**
 * The name that was probably meant: the one that differs by the fewest letters, and by no more than
 * a third of them; null where none is near.
 */
export function nameMeant(typed: string, known: readonly string[]): string | null {
  if (typed.length > MAX_COMPARED) return null
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const [nearest] = known
    .map((name) => ({ name, letters: editDistance(plain(typed), plain(name)) }))
    .toSorted((one, other) => one.letters - other.letters)
  if (nearest === undefined) return null
  return nearest.letters <= Math.ceil(nearest.name.length / 3) ? nearest.name : null
}

/** How many letters must be added, removed or replaced (Levenshtein). */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let at = 0; at < other.length; at++) {
      const replaced = (row[at] ?? 0) + (other[at] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
