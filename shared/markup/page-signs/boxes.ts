import type { PageElement } from '../html/elements.ts'

/** An element: where it is among the tags, and in the visible text. */
export interface Box {
  parent: Box | null
  element: PageElement
  from: number
  to: number
  text: { from: number; to: number }
}

/** Elements of one form: themes make all cards of a list alike. */
export const signOf = ({ element: { name, attributes } }: Box): string =>
  `${name} ${attributes.find((each) => each.name === 'class')?.value ?? ''}`

export const startOf = ({ box }: { box: Box }): number => box.from

/** The index of the first that is not before a place, of a list in order. */
export function indexFrom<T>(list: readonly T[], place: number, of: (each: T) => number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const each = list[middle]
    if (each !== undefined && of(each) < place) low = middle + 1
    else high = middle
  }
  return low
}

export const isInside = (inner: Box, outer: Box): boolean =>
  inner.from >= outer.from && inner.to <= outer.to

/** `outer` is in order, and none of it in another. */
export function isInAny(box: Box, outer: readonly Box[]): boolean {
  const each = outer[indexFrom(outer, box.from + 1, ({ from }) => from) - 1]
  return each !== undefined && isInside(box, each)
}

/** Those that are in no other. */
export function outermost(boxes: readonly Box[]): Box[] {
  const kept: Box[] = []
  for (const box of boxes.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = kept.at(-1)
    if (last === undefined || !isInside(box, last)) kept.push(box)
  }
  return kept
}
