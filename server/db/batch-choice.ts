/** A queued item, with what its batcher knows of it. */
interface Held<Item> {
  item: Item
}

/** The items of the parts that have waited longest: as few parts as have more than `enough`. */
export function ofFewParts<Item, Waiting extends Held<Item>>(
  waiting: Waiting[],
  { partOf, enough }: { partOf: (item: Item) => string; enough: number },
): Waiting[] {
  if (waiting.length <= enough) return waiting
  const byPart = Map.groupBy(waiting, ({ item }) => partOf(item))
  const chosen = new Set<string>()
  let held = 0
  for (const [part, { length }] of byPart) {
    if (held >= enough) break
    chosen.add(part)
    held += length
  }
  if (chosen.size === byPart.size) return waiting
  return waiting.filter(({ item }) => chosen.has(partOf(item)))
}

/**
 * The first half of these, if the other half is enough for a second batch: at least `secondFrom`
 * items of series that the first half does not have. Null: they stay together.
 */
export function firstOfTwo<Item, Waiting extends Held<Item>>(
  waiting: Waiting[],
  secondFrom: number,
  { seriesOf, isAlone }: { seriesOf: (item: Item) => string; isAlone: (item: Item) => boolean },
): Waiting[] | null {
  if (waiting.length < 2 * secondFrom || waiting.some(({ item }) => isAlone(item))) return null
  const middle = Math.ceil(waiting.length / 2)
  const half = waiting.slice(0, middle)
  const busy = new Set(half.map(({ item }) => seriesOf(item)))
  const others = waiting.slice(middle).filter(({ item }) => !busy.has(seriesOf(item)))
  return others.length < secondFrom ? null : half
}

/**
 * Splits a batch in two. By owner first, so that one owner's bad item does not slow down others.
 */
export function halve<Item, Waiting extends Held<Item>>(
  batch: Waiting[],
  groupOf: (item: Item) => string,
): [Waiting[], Waiting[]] {
  const groups = [...Map.groupBy(batch, ({ item }) => groupOf(item)).values()]
  const units = groups.length > 1 ? groups : batch.map((each) => [each])
  const middle = units.length >> 1
  return [units.slice(0, middle).flat(), units.slice(middle).flat()]
}
