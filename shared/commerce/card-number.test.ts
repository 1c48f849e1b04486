import { expect, test } from 'vitest'
import { cardNumberIn } from './card-number.ts'

// Numbers that card networks publish for tests.
test.each([
  ['a token', '4242424242424242'],
  ['its groups', '4242 4242 4242 4242'],
  ['hyphens', '5555-5555-5555-4444'],
  ['three separators', '5555 - 5555 - 5555 - 4444'],
  ['no-break spaces', '4242\u00a04242\u00a04242\u00a04242'],
  ['zero-width spaces', '4242\u200b4242\u200b4242\u200b4242'],
  ['full-width digits', '４２４２４２４２４２４２４２４２'],
  ['each digit apart', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2'],
  ['13 digits', '4222222222222'],
  ['15 digits', '3782 822463 10005'],
  ['19 digits', '6304000000000000000'],
  ['its expiry and code after it', '4242 4242 4242 4242 12 2030 123'],
  ['track 2', ';4242424242424242=30122010000000000?'],
  ['words around it', 'my card is 4242424242424242, thanks'],
  ['a prefix', 'tok_4242424242424242'],
  ['a number', 4242424242424242],
  ['more digits than a telephone number has', '+4242 4242 4242 4242'],
  ['words after a telephone number', '+1 555 0100, 378282246310005'],
  ['a number that lost its last digits', 6304000000000000000],
  ['a field', { type: 'card', card: { number: '4242424242424242' } }],
  ['a list', { type: 'card', details: [['x', ['4242424242424242']]] }],
  ['a key', { type: 'card', '4242424242424242': true }],
])('a card number is seen as %s', (_, value) => {
  expect(cardNumberIn(value)).toBe(true)
})

test.each([
  ['tokens', { type: 'card', token: 'tok_visa' }],
  ['long tokens', { token: 'pm_1PQ2rS3tU4vW5xY6zA7bC8dE' }],
  ['a wrong check digit', '4242424242424241'],
  ['12 digits', '424242424242'],
  ['20 digits', '42424242424242424242'],
  ['a first digit that no card has', '1242424242424244'],
  ['a time in milliseconds', 'tok_1780315200000'],
  ['an amount', { amount: 129900 }],
  ['a UUID whose digits would pass', '63560844-7854-4bd1-8593-75f639fe446a'],
  ['a telephone number whose digits would pass', '+49 (1512) 345-6787'],
  ['groups too far apart', '4242 x 4242 x 4242 x 4242'],
  ['nothing', undefined],
  ['null', null],
  ['a boolean', true],
])('%s is no card number', (_, value) => {
  expect(cardNumberIn(value)).toBe(false)
})

test('depth and length cost nothing', () => {
  const deep = JSON.parse(`${'['.repeat(30_000)}"4242424242424242"${']'.repeat(30_000)}`)
  expect(cardNumberIn(deep)).toBe(true)
  expect(cardNumberIn('1 '.repeat(500_000))).toBe(false)
  expect(cardNumberIn('1'.repeat(1_000_000))).toBe(false)
})
