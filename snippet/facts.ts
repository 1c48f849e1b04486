import type { Packed } from './pack.ts'

declare const PACKED: Packed

/** `host` is the surface's own, by which analytics products know it. */
export type Found = readonly [surface: string, confidence: number, host: string]

/** What a fact of these kinds names. `weights` are by kind, a digit; others do not count. */
export function findFact(
  weights: Readonly<Record<number, number>>,
  isMeant: (fact: string) => boolean,
): Found | undefined {
  // The first word is an id.
  let id!: string
  let host!: string
  let weight: number | false | undefined
  for (const word of PACKED.surfaces.split(' ')) {
    if (word > ':') {
      if (weight) return [id, weight, host]
      id = word
    } else {
      // Of a value that begins with the id, only what follows is there: a dot or nothing.
      host = word.slice(1).replace(/^\B/, id)
      weight ||= isMeant(host) && weights[kindOf(word[0])]
    }
  }
  return undefined
}

export const findSource = (source: string | undefined): Found | undefined =>
  findFact(
    [
      // A host that stands as a utm_source was written there by hand.
      PACKED.weights.utm_tagged,
      0,
      0,
      PACKED.weights.utm_documented,
      PACKED.weights.utm_observed,
      PACKED.weights.utm_tagged,
    ],
    (fact) => fact === source,
  )

/** A digit is as good an index as its number. */
function kindOf(digit: string | undefined): number {
  return digit as unknown as number
}
