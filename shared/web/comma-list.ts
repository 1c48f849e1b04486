/**
 * The parts of a list such as `a, b`, as flags, forms and settings have it. What stands empty is
 * left out.
 */
export const readCommaList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
