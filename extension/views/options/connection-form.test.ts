import { expect, test } from 'vitest'
import { keyEnd, readConnection } from './connection-form.ts'

const KEY = 'aisle_live_abcdef_0123456789ghijkl'

const SERVER = { url: 'http://localhost:8787', key: KEY }
const NONE = { url: '', key: '' }

test.each([
  ['a whole form', 'https://aisle.example/', KEY, NONE, { url: 'https://aisle.example', key: KEY }],
  [
    'a pasted key with spaces',
    'aisle.example',
    ` ${KEY}\n`,
    NONE,
    { url: 'https://aisle.example', key: KEY },
  ],
  ['an empty key keeps the old one', 'http://localhost:8787/', '', SERVER, SERVER],
  [
    'and so it does below another path of the same server',
    'http://localhost:8787/aisle',
    '',
    SERVER,
    { url: 'http://localhost:8787/aisle', key: KEY },
  ],
  [
    'another server with its own key',
    'https://aisle.example',
    KEY,
    SERVER,
    { url: 'https://aisle.example', key: KEY },
  ],
  ['no key at all', 'https://aisle.example', '', NONE, { url: 'https://aisle.example', key: '' }],
])('%s', (_, url, key, kept, connection) => {
  expect(readConnection({ url, key }, kept)).toEqual({ connection })
})

test.each([
  ['', KEY, { url: 'Enter the address of an Aisle server.' }],
  [
    'http://aisle.example',
    KEY,
    {
      url: 'Use https: the key travels with each request. http is only for a server on this computer.',
    },
  ],
  [
    'javascript:alert(1)',
    KEY,
    { url: 'This is not a valid URL. Enter one such as https://aisle.example.' },
  ],
  [
    'https://aisle.example',
    'hunter2',
    { key: 'A key begins with aisle_live_. Copy the whole key.' },
  ],
  [
    'https://aisle.example',
    `Bearer ${KEY}`,
    { key: 'A key begins with aisle_live_. Copy the whole key.' },
  ],
  [
    '',
    'hunter2',
    {
      url: 'Enter the address of an Aisle server.',
      key: 'A key begins with aisle_live_. Copy the whole key.',
    },
  ],
  // The stored key belongs to the stored server.
  [
    'https://other.example',
    '',
    { key: 'The stored key belongs to another server. Enter the key for this one.' },
  ],
  [
    'http://localhost:8788',
    '',
    { key: 'The stored key belongs to another server. Enter the key for this one.' },
  ],
])('%s with %s is corrected at its field', (url, key, errors) => {
  expect(readConnection({ url, key }, SERVER)).toEqual({ errors })
})

test('no more of a key is shown than its end', () => {
  expect(keyEnd(KEY)).toBe('…ijkl')
  expect(keyEnd('aisle_live_short')).toBe('…')
})
