import { SURFACE_ID } from './surfaces.ts'

/** Enough for a card number, which must not be kept; the id of a surface has no use for them. */
const MANY_DIGITS = /\d(?:_*\d){12}/

/**
 * The id that a declared surface is in the spelling of ids: `ChatGPT` is `chatgpt`, and
 * `Chat Assistant` is `chat_assistant`. Null where it cannot be one: it is not a string, has no
 * letter in front, or is too long. Any string that already is an id stays as it is.
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
