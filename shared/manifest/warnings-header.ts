/**
 * The response header of `POST /api/manifest` that says what to look at before publishing: a JSON
 * array of strings, present only when there is something. The body is the manifest and nothing else
 * (spec, Manifest).
 */
export const WARNINGS_HEADER = 'Aisle-Warnings'

/** Characters of one warning: it may quote a URL, and proxies refuse long headers. */
const MAX_WARNING = 500

/** The header's value, in ASCII: other characters of a header do not arrive as they were sent. */
export const writeWarnings = (warnings: readonly string[]): string =>
  JSON.stringify(warnings.map((warning) => warning.slice(0, MAX_WARNING))).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The warnings of a response; none where the header is missing or is not ours. */
export function readWarnings(header: string | null): string[] {
  try {
    const read: unknown = JSON.parse(header ?? '[]')
    return Array.isArray(read) ? read.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
