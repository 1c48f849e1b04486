import { SURFACE_ID } from './surfaces.ts'

/** Enough for a card number, which must not be kept; surface ids do not need them. */
const MANY_DIGITS = /\d(?:_*\d){12}/

/**
 * A declared surface as an id: `ChatGPT` is `chatgpt`, and `Chat Assistant` is `chat_assistant`.
 * Null if it cannot be one: it is not a string, does not begin with a letter, or is too long. A
 * string that already is an id stays as it is.
 */
export function surfaceIdOf(declared: unknown): string | null {
  if (typeof declared !== 'string' || declared.length > 200) return null
  const id = SURFACE_ID.test(declared)
    ? declared
    : declared
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')
        .replaceAll(/^_|_$/g, '')
  return SURFACE_ID.test(id) && !MANY_DIGITS.test(id) ? id : null
}
