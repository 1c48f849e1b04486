import { expect, test } from 'vitest'
import { TEXTS, textsFrom } from '../../shared/view/texts.ts'
import { localMessages, MESSAGES, messagesJson } from './messages.ts'
import { EXTENSION_TEXTS } from './texts.ts'

test('no text takes the place of another', () => {
  const keys = [TEXTS, EXTENSION_TEXTS].flatMap((texts) => Object.keys(texts))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('every text can be a message of the browser', () => {
  for (const [key, text] of Object.entries<string>(MESSAGES)) {
    expect(key).toMatch(/^[a-z][a-z0-9_]*$/)
    expect(text.trim(), key).toBe(text)
    expect(text, key).not.toBe('')
  }
})

test('the messages are those that browsers read: a $ of its own is doubled', () => {
  expect(JSON.parse(messagesJson({ a: 'US$ 5 to $1', b: '$' }))).toEqual({
    a: { message: 'US$$ 5 to $1' },
    b: { message: '$$' },
  })
})

test('the texts are the browser’s, and English where it has none', () => {
  const texts = localMessages((key, values) =>
    key === 'extension_name' ? 'Gang' : key === 'wait_seconds' ? `${values[0]} Sekunden` : '',
  )
  const text = textsFrom(texts)
  expect(text('extension_name')).toBe('Gang')
  expect(text('wait_seconds', 5)).toBe('5 Sekunden')
  expect(text('wait_minutes', 5)).toBe('5 minutes')
})

test('a value that looks like a placeholder stays what it is', () => {
  expect(textsFrom(MESSAGES)('export_heading', '$1 $& $2')).toBe('Aisle: $1 $& $2')
})
