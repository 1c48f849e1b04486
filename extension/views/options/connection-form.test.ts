import { expect, test } from 'vitest'
import { keyEnd, readConnection } from './connection-form.ts'

const KEY = 'aisle_live_abcdef_0123456789ghijkl'

test.each([
  ['a whole form', 'https://aisle.example/', KEY, '', { url: 'https://aisle.example', key: KEY }],
  [
    'a pasted key with spaces',
    'aisle.example',
    ` ${KEY}\n`,
    '',
    { url: 'https://aisle.example', key: KEY },
  ],
  [
    'an empty key keeps the old one',
    'http://localhost:8787',
    '',
    KEY,
    { url: 'http://localhost:8787', key: KEY },
  ],
])('%s', (_, url, key, kept, connection) => {
  expect(readConnection({ url, key }, kept)).toEqual({ connection })
})

test.each([
  ['', KEY, { url: 'options_server_empty' }],
  ['http://aisle.example', KEY, { url: 'options_server_not_https' }],
  ['javascript:alert(1)', KEY, { url: 'options_server_no_url' }],
  ['https://aisle.example', 'hunter2', { key: 'options_key_shape' }],
  ['https://aisle.example', `Bearer ${KEY}`, { key: 'options_key_shape' }],
  ['', 'hunter2', { url: 'options_server_empty', key: 'options_key_shape' }],
])('%s with %s is corrected at its field', (url, key, errors) => {
  expect(readConnection({ url, key }, KEY)).toEqual({ errors })
})

test('no more of a key is shown than its end', () => {
  expect(keyEnd(KEY)).toBe('…ijkl')
  expect(keyEnd('aisle_live_short')).toBe('…')
})
