import { expect, test } from 'vitest'
import { readGivenHeaders } from './given-headers.ts'
import { CommandError } from './terminal/command-error.ts'
import { readWalkOrder } from './walk/walk-order.ts'

test('--header, several times, is for this domain alone', () => {
  expect(readGivenHeaders(undefined, 'shop.example')).toBeNull()
  const input = 'sig1=("@authority");expires=1796000000'
  const lines = ['Signature: sig1=:aHVzaA==:', `Signature-Input:${input}`, 'X-Door:  a: b ']
  expect(readGivenHeaders(lines, 'shop.example')).toEqual({
    domain: 'shop.example',
    kinds: ['headers'],
    given: {
      headers: {
        Signature: 'sig1=:aHVzaA==:',
        'Signature-Input': input,
        'X-Door': 'a: b',
      },
    },
    endsAt: new Date(1_796_000_000_000),
  })
  const order = readWalkOrder(
    'shop.example',
    { header: lines, yesOpenSessions: true },
    null,
    () => '',
  )
  expect(order.access?.domain).toBe('shop.example')
})

test.each([
  ['hush', 'a colon and its value'],
  [': hush', 'is not the name of a header'],
  ['X-A:', 'has no value'],
  ['Host: hush.example', 'Leave it out'],
  ['Content-Length: 9', 'Leave it out'],
  ['Transfer-Encoding: hush', 'never passed on. Leave it out'],
  ['Cookie: a=hush', 'Give the preview password'],
  ['Set-Cookie: a=hush', 'is not taken'],
  ['X-A: hush\r\nCookie: b=c', 'has a line break'],
  ['X-A\u0000: hush', 'is not the name of a header'],
  ['Signature: sig1=:aHVzaA==:', 'A signature is two headers'],
])('%j is refused, with what to do, and not repeated', (line, says) => {
  const failing = () => readGivenHeaders([line], 'shop.example')
  expect(failing).toThrow(CommandError)
  expect(failing).toThrow(says)
  expect(failing).not.toThrow(/hush|aHVz/)
})
