/**
 * A text whose addresses have lost their passwords, as in `https://user:…@host`: findings, errors
 * and logs are read by others. Every quantifier has a bound, so that it is linear in the text.
 */
export const withoutPassword = (text: string): string =>
  text.replace(/(:\\?\/\\?\/[^\s/?#@:"'<>\\]{0,100}:)[^\s/?#@"'<>\\]{1,300}@/g, '$1…@')
