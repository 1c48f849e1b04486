import { describe, expect, test } from 'vitest'
import { visibleText } from './invisible.ts'

describe('a text without what is invisible', () => {
  test.each([
    ['a Persian word', 'می\u200cخواهم'],
    ['Devanagari', 'क्\u200dष और क्\u200cष'],
    ['Malayalam', 'അവന്\u200dറെ'],
    ['a family', '👨\u200d👩\u200d👧'],
    ['a person with a skin tone', '👩🏽\u200d⚕'],
  ])('keeps the joiners of %s', (_, text) => {
    expect(visibleText(text)).toBe(text)
  })

  test('keeps the joiner of an emoji whose variation selector goes', () => {
    expect(visibleText('❤\ufe0f\u200d🔥')).toBe('❤\u200d🔥')
  })

  test.each([
    ['between Latin letters', 'pay\u200cment\u200d!', 'payment!'],
    ['in a row, as a code', 'می\u200c\u200d\u200cخ', 'میخ'],
    ['beside a tag character', '👨\u{e0061}\u200d👩', '👨👩'],
    ['at an end', '\u200dکتاب\u200c', 'کتاب'],
    ['between a letter and another script', 'ک\u200ca', 'کa'],
    ['as a non-joiner between emoji', '👨\u200c👩', '👨👩'],
  ])('drops joiners %s', (_, text, clean) => {
    expect(visibleText(text)).toBe(clean)
    expect(visibleText(clean)).toBe(clean)
  })
})
