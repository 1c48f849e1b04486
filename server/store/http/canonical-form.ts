import { isStorable } from '../../../shared/web/json/storable.ts'

/** Levels of a body: far more than any request has, and far less than the stack takes. */
const MAX_DEPTH = 64

/** What to send instead of a body without a canonical form. */
export const CANONICAL_FORM = `Send JSON of at most ${MAX_DEPTH} levels, its text without NUL or unpaired surrogates.`

/**
 * Whether a JSON body has a canonical form (RFC 8785), which idempotency keys and signatures need:
 * it does not nest too deep, and each string, name and number can be stored. Never throws.
 */
export function hasCanonicalForm(body: unknown): boolean {
  const rest: [unknown, number][] = [[body, 0]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, depth] = next
    if (depth > MAX_DEPTH || !isKept(value)) return false
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (!isStorable(name)) return false
        rest.push([inner, depth + 1])
      }
    }
  }
  return true
}

function isKept(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'string' || isStorable(value)
}
