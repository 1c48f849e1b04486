/**
 * Whether every service can keep and send a text: Postgres keeps no U+0000, as text or in JSON
 * (https://www.postgresql.org/docs/current/datatype-json.html), and UTF-8 has no unpaired
 * surrogate.
 */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The text with U+FFFD for what is not storable; no id contains it, so a search finds nothing. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** What to send instead. */
export const NOT_STORABLE = 'Leave out U+0000 and unpaired surrogates.'
