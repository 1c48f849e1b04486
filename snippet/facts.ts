import type { Packed } from './pack.ts'

declare const PACKED: Packed

/** Surfaces by fact, `0chatgpt.com`; and by surface a host, by which analytics products know it. */
export const index: Record<string, string> = {}

let id = ''
for (const word of PACKED.surfaces.split(' ')) {
  if (word > ':') id = word
  else {
    const fact = word.replace(/^.(?=\.|$)/, `$&${id}`)
    index[id] = fact.slice(1)
    // A host that stands as a utm_source was written there by hand.
    index[fact] = index[fact.replace(/^0/, '5')] = id
  }
}

export type Found = readonly [surface: string, confidence: number]

/**
 * What a value names among the kinds of fact, taken whole or, if it is a host, without some of its
 * first labels: `www.perplexity.ai` is `perplexity.ai`; `notclaude.ai` is not `claude.ai`.
 */
export function findFact(kinds: string, value: string, isHost?: boolean): Found | undefined {
  for (let rest = value; rest; rest = isHost ? rest.replace(/.*?(\.|$)/, '') : '') {
    for (const kind of kinds) {
      const surface = index[kind + rest]
      if (surface) {
        const weights = [
          PACKED.weights.host,
          PACKED.weights.mixed_host,
          PACKED.weights.app,
          PACKED.weights.utm_documented,
          PACKED.weights.utm_observed,
          PACKED.weights.utm_tagged,
        ]
        return [surface, present(weights[place(kind)])]
      }
    }
  }
  return undefined
}

/** A digit is as good an index as its number. */
function place(digit: string): number {
  return digit as unknown as number
}

/** Every kind that is asked for has a weight. */
function present(weight: number | undefined): number {
  return weight as number
}
