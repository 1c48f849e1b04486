import { type Found, findFact, findSource } from './facts.ts'
import type { Packed } from './pack.ts'

declare const PACKED: Packed

/** What a visit without a sign of AI comes to. */
type Nothing = false | null | undefined

/**
 * `classify` of shared/ for a click, as far as it takes to know whom to tell what: the surface, and
 * the weight of what shows it best. What disputes or confirms it is left to the server, which
 * ignores what it does not take for a visit. `from` is the host of the referrer, `clickId` the name
 * of the click id that an advertisement left in the URL.
 */
export const classifyLanding = (
  from: string | false | undefined,
  url: URL,
  clickId: string | undefined,
): Found | Nothing => {
  const tag = (name: string) => url.searchParams.get(`utm_${name}`)?.toLowerCase().trim()
  const tagged = clickId
    ? findSource(clickId)
    : findSource(tag('source')) ||
      // The server knows which of them mean AI, and ignores the others.
      (tag('medium')?.match(/\bai\b|^ai_|agentic|chatbot|llm/) &&
        ([PACKED.otherAi, PACKED.weights.utm_medium, PACKED.otherAi] as const))
  return (
    (from &&
      findFact(from, [PACKED.weights.host, PACKED.weights.mixed_host, PACKED.weights.app])) ||
    // A copied link, or a redirect from another host of the store, which the server knows.
    (from && tagged ? [tagged[0], tagged[1] * PACKED.copiedLink, tagged[2]] : tagged)
  )
}
