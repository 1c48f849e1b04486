import type { Packed } from './pack.ts'

declare const PACKED: Packed

/** Surfaces by fact, `0chatgpt.com`; and for each surface the first of its facts. */
const index: Record<string, string> = {}

let id = ''
for (const word of PACKED.surfaces.split(' ')) {
  if (word > ':') id = word
  else {
    const fact = word.replace(/^.(?=\.|$)/, `$&${id}`)
    index[id] = index[id] || fact
    // A host that stands as a utm_source was written there by hand.
    index[fact] = index[fact.replace(/^0/, '5')] = id
  }
}

export type Found = readonly [surface: string, percent: number]

/**
 * What a value names among the kinds of fact, taken whole or, if it is a host, without some of its
 * first labels: `www.perplexity.ai` is `perplexity.ai`; `notclaude.ai` is not `claude.ai`.
 */
export function findFact(kinds: string, value: string, isHost?: boolean): Found | undefined {
  for (let rest = value; rest; rest = isHost ? rest.replace(/^[^.]*\.?/, '') : '') {
    for (const kind of kinds) {
      const surface = index[kind + rest]
      if (surface) return [surface, +PACKED.weights.substr(+kind * 2, 2)]
    }
  }
  return undefined
}

/** A host of the surface, by which analytics products know it; its id where it has none. */
export const sourceOf = (surface: string): string => (index[surface] || ` ${surface}`).slice(1)
