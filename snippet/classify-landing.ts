import { isSameSite } from '../shared/same-site.ts'
import { type Found, findFact } from './facts.ts'
import type { Packed } from './pack.ts'

declare const PACKED: Packed

/**
 * What `classify` (shared/classify.ts) makes of a click, where that is 0.5 or more. The same model
 * without what never gets there: text fragments, and tags on copied or on paid links.
 */
export function classifyLanding(
  from: URL | undefined,
  { hostname, searchParams }: URL,
  paid: boolean,
): Found | undefined {
  const tag = (name: string) => `${searchParams.get(`utm_${name}`)}`.toLowerCase().trim()
  const source = findFact('345', tag('source'))

  if (from && !isSameSite(from.hostname, hostname)) {
    const found = findFact('012', from.hostname, true)
    if (!found || !source) return found
    const [surface, weight] = found
    const confidence =
      source[0] === surface
        ? 1 - (1 - weight) * (1 - source[1] * (paid ? PACKED.paidClick : 1))
        : weight * PACKED.conflict
    return confidence < 0.5 ? undefined : [surface, +confidence.toFixed(2)]
  }

  if (paid) return undefined
  const isAi = RegExp(PACKED.aiMedium).test(tag('medium'))
  return source || (isAi ? ['other_ai', PACKED.weights.utm_medium] : undefined)
}
