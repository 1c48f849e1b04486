import { expect, test } from 'vitest'
import { ADDRESS } from '../../testing/store.ts'
import { withAddress } from './destination.ts'
import { DESTINATION } from './testing/agent.ts'

const APARTMENT = { ...DESTINATION, extended_address: 'Apt 5' }

// As sessions and orders are that are older than the second line in their address.
test('a second line that was never asked for stays with its street, and with no other', () => {
  expect(withAddress(APARTMENT, ADDRESS)).toStrictEqual(APARTMENT)
  const street = '2 Other St'
  expect(withAddress(APARTMENT, { ...ADDRESS, street })).toStrictEqual({
    ...DESTINATION,
    street_address: street,
  })
})

test('an address that is not known changes nothing', () => {
  expect(withAddress(APARTMENT, {})).toStrictEqual(APARTMENT)
})
