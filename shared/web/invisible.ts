/*
 * Characters that a reader does not see and a machine does: controls, what changes the direction of
 * writing, zero widths, fillers, and the tags and variation selectors in which whole texts can be
 * hidden (https://www.unicode.org/reports/tr36/, 2.10 and 3.1).
 */

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\u2800]/gu

/** The same text without them; line breaks and tabs become spaces, half characters U+FFFD. */
export const visibleText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(INVISIBLE, '')

/** JSON of the same value in which each of them is written as an escape; line breaks stay. */
export const visibleJson = (json: string): string =>
  json.replace(INVISIBLE, (found) =>
    found === '\n'
      ? found
      : [...Array(found.length).keys()]
          .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  )
