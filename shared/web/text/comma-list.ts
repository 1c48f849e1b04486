/** The parts of a list such as `a, b` in flags, forms and settings. Empty parts are left out. */
export const readCommaList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
