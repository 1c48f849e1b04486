/**
 * The response header of `POST /api/manifest` that lists what to check before publishing: a JSON
 * array of strings, present only if there are any. The body is the manifest and nothing else (spec,
 * Manifest).
 */
export const WARNINGS_HEADER = 'Aisle-Warnings'

/** The longest warning in characters: it may quote a URL, and proxies refuse long headers. */
const MAX_WARNING = 500

/** The header's value, in ASCII: other characters may be changed on the way. */
export const writeWarnings = (warnings: readonly string[]): string =>
  JSON.stringify(warnings.map((warning) => warning.slice(0, MAX_WARNING))).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The warnings of a response; none if the header is missing or not ours. */
export function readWarnings(header: string | null): string[] {
  try {
    const read: unknown = JSON.parse(header ?? '[]')
    return Array.isArray(read) ? read.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
