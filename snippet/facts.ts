import type { Packed } from './pack.ts'

declare const PACKED: Packed

/** `host` is the surface's own, by which analytics products know it. */
export type Found = readonly [surface: string, confidence: number, host: string]

/**
 * The surface whose fact is `name` or, for a host, a parent domain of it. `weights` are by kind of
 * fact, a digit; others do not count.
 */
export const findFact = (name: string, weights: readonly number[]): Found | undefined => {
  for (const row of PACKED.surfaces.split(' ')) {
    const [id, ...facts] = row.split(',') as [string, ...string[]]
    let host!: string
    let weight: number | false | undefined
    for (const fact of facts) {
      host = fact.slice(1).replace('$', id.split('_')[0] as string)
      // `isUnder` without its look for a leading `www.`, which no fact has: it is called 150 times.
      // A kind is a digit, which an array takes as it is.
      weight ||= `.${name}`.endsWith(`.${host}`) && weights[fact[0] as unknown as number]
    }
    if (weight) return [id, weight, host]
  }
  return undefined
}

/** The surface of a `utm_source`, in lower case. */
export const findSource = (source = ''): Found | undefined =>
  findFact(source.split('/')[2] || source, [
    // A host as a utm_source was written by hand.
    PACKED.weights.utm_tagged,
    0,
    0,
    PACKED.weights.utm_documented,
    PACKED.weights.utm_observed,
    PACKED.weights.utm_tagged,
  ])
