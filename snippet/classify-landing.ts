import { type Found, findFact, findSource } from './facts.ts'
import type { Packed } from './pack.ts'

declare const PACKED: Packed

/**
 * `classify` of shared/ for a click, where its answer is 0.5 or more. It leaves out what never gets
 * there (text fragments, tags on copied or paid links) and what only the server needs. `from` is
 * the host of the referrer, `clickId` the name of the click id that an advertisement left in the
 * URL.
 */
export const classifyLanding = (
  from: string | false | undefined,
  url: URL,
  clickId: string | undefined,
): Found | undefined => {
  const tag = (name: string) => url.searchParams.get(`utm_${name}`)?.toLowerCase().trim()
  const advertised = findSource(clickId)
  const source = advertised || findSource(tag('source'))
  const isPaid = clickId && !advertised

  if (from) {
    const found = findFact(from, [
      PACKED.weights.host,
      PACKED.weights.mixed_host,
      PACKED.weights.app,
    ])
    if (found) {
      const [surface, weight, host] = found
      const confidence = !source
        ? weight
        : source[0] === surface
          ? weight + (1 - weight) * source[1] * (isPaid ? PACKED.paidClick : 1)
          : weight * PACKED.conflict
      // The whole model rounds 0.665 up; floating point makes it slightly less.
      if (confidence >= 0.5) return [surface, +(confidence + 1e-9).toFixed(2), host]
    }
  } else if (!isPaid) {
    return (
      source ||
      // The server knows which of them mean AI, and ignores the others.
      (tag('medium')?.match(/\bai\b|^ai_|agentic|chatbot|llm/)
        ? [PACKED.otherAi, PACKED.weights.utm_medium, PACKED.otherAi]
        : undefined)
    )
  }
  return undefined
}
