import type { Address } from '../../shared/commerce.ts'

const NAME = 'Aisle Readiness Check'

/**
 * An address that a store in this currency is likely to ship to. Public buildings: a dry run sends
 * nothing there.
 */
export function sampleAddress(currency: string | undefined): Address {
  const address = (street: string, city: string, state: string, zip: string, country: string) => ({
    name: NAME,
    street,
    city,
    state,
    zip,
    country,
  })
  switch (currency) {
    case 'EUR':
      return address('Platz der Republik 1', 'Berlin', 'BE', '11011', 'DE')
    case 'GBP':
      return address('10 Downing Street', 'London', 'ENG', 'SW1A 2AA', 'GB')
    case 'CAD':
      return address('111 Wellington Street', 'Ottawa', 'ON', 'K1A 0A9', 'CA')
    case 'AUD':
      return address('1 Parliament Drive', 'Canberra', 'ACT', '2600', 'AU')
    case 'INR':
      return address('1 Sansad Marg', 'New Delhi', 'DL', '110001', 'IN')
    case 'JPY':
      return address('1-7-1 Nagatacho, Chiyoda-ku', 'Tokyo', '13', '100-8914', 'JP')
    case 'CHF':
      return address('Bundesplatz 3', 'Bern', 'BE', '3005', 'CH')
    case 'BRL':
      return address('Praça dos Três Poderes', 'Brasília', 'DF', '70160-900', 'BR')
    default:
      return address('350 Fifth Avenue', 'New York', 'NY', '10118', 'US')
  }
}
