import { expect, test } from 'vitest'
import { ADDRESS } from '../../testing/store.ts'
import { missingOf, readDestination, withAddress } from './destination.ts'
import { DESTINATION } from './testing/agent.ts'

const APARTMENT = { ...DESTINATION, extended_address: 'Apt 5' }

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

const ABROAD = {
  first_name: 'Ada',
  last_name: 'Byron',
  street_address: 'Str. 1',
  address_locality: 'Stadt',
  postal_code: '10115',
}

// UCP, postal_address.json: a region is "required for applicable countries (i.e. state in US,
// province in CA)".
test.each<[object, string[]]>([
  [{ address_country: 'DE' }, []],
  [{ address_country: 'DE', address_region: '' }, []],
  [{ address_country: 'DE', address_region: ' ' }, []],
  [{ address_country: 'GB' }, []],
  [{ address_country: 'HK', postal_code: undefined }, []],
  [{ address_country: 'HK', postal_code: ' ' }, []],
  [{ address_country: 'DE', postal_code: undefined }, ['postal_code']],
  [{ address_country: 'US' }, ['address_region']],
  [{ address_country: 'CA', address_region: ' ', postal_code: 'K1A 0B1' }, ['address_region']],
  [{}, ['address_region', 'address_country']],
])('%o lacks %j, and shows nothing that is empty', (change, missing) => {
  const destination = { ...ABROAD, ...change }
  const { address, wrong } = readDestination(destination)
  expect(wrong).toEqual([])
  expect(missingOf(address)).toEqual(missing)
  expect(Object.values(withAddress(destination, address))).not.toContain('')
})

test('a region goes with the address that had one', () => {
  const { address } = readDestination({ ...ABROAD, address_country: 'DE' })
  expect(withAddress(DESTINATION, address)).not.toHaveProperty('address_region')
})
