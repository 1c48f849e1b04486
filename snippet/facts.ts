import { bareHost, isUnder } from '../shared/web/same-site.ts'
import type { Packed } from './pack.ts'

declare const PACKED: Packed

/** `host` is the surface's own, by which analytics products know it. */
export type Found = readonly [surface: string, confidence: number, host: string]

/** The surface that one fact names. `weights` are by kind of fact, a digit; others do not count. */
export const findFact = (
  weights: Readonly<Record<number, number>>,
  isMeant: (fact: string) => boolean,
): Found | undefined => {
  let id = ''
  let host = ''
  let weight: number | false | undefined
  for (const word of PACKED.surfaces.split(' ')) {
    if (word > ':') {
      if (weight) break
      id = word
    } else {
      host = word.slice(1).replace('$', id)
      weight ||= isMeant(host) && weights[Number(word[0])]
    }
  }
  if (weight) return [id, weight, host]
  return undefined
}

/** The surface that a `utm_source` names, in lower case. */
export const findSource = (source = ''): Found | undefined => {
  const host = bareHost(source)
  return findFact(
    [
      // A host that stands as a utm_source was written there by hand.
      PACKED.weights.utm_tagged,
      0,
      0,
      PACKED.weights.utm_documented,
      PACKED.weights.utm_observed,
      PACKED.weights.utm_tagged,
    ],
    (fact) => isUnder(host, fact),
  )
}
