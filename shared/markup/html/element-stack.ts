import { type OpenElements, traitsOf } from './nesting.ts'

/**
 * The open elements of a page, outermost first, with an index of their names and traits. Indices
 * are depths from 0.
 */
interface ElementStack<T> extends OpenElements {
  size(): number
  top(): T | undefined
  push(element: T): void
  /** Removes `count` elements from `index` on, and returns them innermost first. */
  remove(index: number, count: number): T[]
}

/**
 * Pushing and popping cost constant time, and so does each lookup: a stack searched from the top
 * would make a page of n unclosed tags cost n² steps.
 */
export function createElementStack<T extends { name: string }>(): ElementStack<T> {
  const elements: T[] = []
  const byTrait: number[][] = Array.from({ length: 32 }, () => [])
  const byName = new Map<string, { own: number[]; all: number[][] }>()

  /** The lists that hold the indices of elements of a name, always in ascending order. */
  // Made once per name: a page repeats few names many times.
  const listsOf = (name: string) => {
    let lists = byName.get(name)
    if (lists === undefined) {
      const own: number[] = []
      const traits = traitsOf(name)
      lists = { own, all: [own, ...byTrait.filter((_, bit) => traits & (1 << bit))] }
      byName.set(name, lists)
    }
    return lists
  }
  const push = (element: T) => {
    for (const list of listsOf(element.name).all) list.push(elements.length)
    elements.push(element)
  }
  const pop = (): T | undefined => {
    const element = elements.pop()
    if (element !== undefined) for (const list of listsOf(element.name).all) list.pop()
    return element
  }

  return {
    size: () => elements.length,
    top: () => elements.at(-1),
    push,
    // Those above the removed ones are pushed again. Their number is bounded by the depth limit.
    remove(index, count) {
      const kept: T[] = []
      const removed: T[] = []
      while (elements.length > index) {
        const isKept = elements.length > index + count
        const element = pop()
        if (element !== undefined) (isKept ? kept : removed).push(element)
      }
      for (const element of kept.reverse()) push(element)
      return removed
    },
    // `rest & -rest` is the lowest bit that is set; each round takes one trait off.
    lastWith(traits) {
      let last = -1
      for (let rest = traits; rest !== 0; rest &= rest - 1) {
        last = Math.max(last, byTrait[31 - Math.clz32(rest & -rest)]?.at(-1) ?? -1)
      }
      return last
    },
    lastOf: (name) => byName.get(name)?.own.at(-1) ?? -1,
  }
}
