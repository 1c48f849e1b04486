import { expect, test } from 'vitest'
import { withoutPassword } from './uri.ts'

test.each([
  [
    'GET https://user:pw@shop.example/a?b=c answered 404',
    'GET https://…@shop.example/a?b=c answered 404',
  ],
  ['"https://token@shop.example"', '"https://…@shop.example"'],
  ['https:user:PW@host/x', 'https:…@host/x'],
  ['https:\\\\user:PW@host/x', 'https:\\\\…@host/x'],
  ['//user:PW@host/x', '//…@host/x'],
  ['user:PW@host/x', 'user:…@host/x'],
  ['https:///user:PW@host/x', 'https:///…@host/x'],
  ['https://user\t:PW@host/x', 'https://…@host/x'],
  ['https://user:PW\n@host/x', 'https://…@host/x'],
  ['https://a:b@c:PW@host/x', 'https://…@host/x'],
  ['mailto:a@b.example', 'mailto:a@b.example'],
  [
    'https://a:b@one.example, http://c:d@two.example',
    'https://…@one.example, http://…@two.example',
  ],
  ['https:\\/\\/user:pw@shop.example', 'https:\\/\\/…@shop.example'],
  ['https://shop.example/@maker/a@b', 'https://shop.example/@maker/a@b'],
  ['https://shop.example?mail=a@b.example', 'https://shop.example?mail=a@b.example'],
  ['mail a@b.example', 'mail a@b.example'],
])('%s', (text, expected) => {
  expect(withoutPassword(text)).toBe(expected)
})
