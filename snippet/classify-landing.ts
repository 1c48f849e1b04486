import { isUnder } from '../shared/web/same-site.ts'
import { type Found, findFact, findSource } from './facts.ts'
import type { Packed } from './pack.ts'

declare const PACKED: Packed

/**
 * What `classify` of shared/ makes of a click, where that is 0.5 or more. The same model without
 * what never gets there: text fragments, and tags on copied or on paid links; and without what only
 * the server needs, as it ignores such a session (`not_ai`), which is forgotten then: a tag beside
 * a medium that no assistant writes, and an assistant's documentation as referrer. `from` is the
 * host of the referrer, `clickId` the name of the click id that an advertisement left in the URL.
 */
export const classifyLanding = (
  from: string | undefined,
  url: URL,
  clickId: string | undefined,
): Found | undefined => {
  const tag = (name: string) => url.searchParams.get(`utm_${name}`)?.toLowerCase().trim()
  const advertised = findSource(clickId)
  const source = advertised || findSource(tag('source'))
  const isPaid = clickId && !advertised

  if (from && !isUnder(from, url.hostname) && !isUnder(url.hostname, from)) {
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
      // The whole model rounds 0.665 up, of which floating point makes a little less.
      if (confidence >= 0.5) return [surface, +(confidence + 1e-9).toFixed(2), host]
    }
  } else if (!isPaid) {
    // Behind a `=`, as mediums stand in the table, it is matched whole.
    return source || findFact(`=${tag('medium')}`, [0, PACKED.weights.utm_medium])
  }
  return undefined
}
