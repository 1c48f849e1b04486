/*
 * Characters that people do not see and programs read: controls, changes of the writing direction,
 * zero widths, fillers, and the tags and variation selectors that can hide whole texts
 * (https://www.unicode.org/reports/tr36/, 2.10 and 3.1).
 */

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\u2800]/gu

/** A letter of a cursive or Indic script: joiners between them are part of how words are spelt. */
const LETTER = `(?=[\\p{L}\\p{M}])[${'Arab Syrc Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]`

/**
 * One zero-width joiner or non-joiner between two such letters, and one joiner between two emoji
 * that are one picture (https://www.unicode.org/reports/tr31/, 2.3, and tr51, 2.2). Several in a
 * row, or next to anything else, may hide a text.
 */
const JOINER = `(?<=${LETTER})[\\u200C\\u200D](?=${LETTER})|(?<=\\p{ExtPict}[\\uFE0F\\p{EMod}]?)\\u200D(?=\\p{ExtPict})`

const JOINER_OR_INVISIBLE = new RegExp(`(${JOINER})|${INVISIBLE.source}`, 'gu')

/**
 * The text without them, but with the joiners that words and emoji need; line breaks and tabs
 * become spaces, unpaired surrogates U+FFFD.
 */
export const visibleText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(JOINER_OR_INVISIBLE, '$1')

/** JSON of the same value with each of them escaped; line breaks stay. */
export const visibleJson = (json: string): string =>
  json.replace(INVISIBLE, (found) =>
    found === '\n'
      ? found
      : [...Array(found.length).keys()]
          .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  )
