/**
 * Whether every service can keep and send a text: Postgres keeps no U+0000, UTF-8 has no unpaired
 * surrogate.
 */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** What to send instead. */
export const NOT_STORABLE = 'Leave out U+0000 and unpaired surrogates.'
