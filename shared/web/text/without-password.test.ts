import { expect, test } from 'vitest'
import { withoutPassword } from './without-password.ts'

test.each([
  [
    'GET https://user:pw@shop.example/a?b=c answered 404',
    'GET https://user:…@shop.example/a?b=c answered 404',
  ],
  ['"https://user@shop.example"', '"https://user@shop.example"'],
  [
    'https://a:b@one.example, http://c:d@two.example',
    'https://a:…@one.example, http://c:…@two.example',
  ],
  ['https:\\/\\/user:pw@shop.example', 'https:\\/\\/user:…@shop.example'],
  ['https://shop.example/@maker/a@b', 'https://shop.example/@maker/a@b'],
  ['https://shop.example?mail=a@b.example', 'https://shop.example?mail=a@b.example'],
  ['mail a@b.example', 'mail a@b.example'],
])('%s', (text, expected) => {
  expect(withoutPassword(text)).toBe(expected)
})
