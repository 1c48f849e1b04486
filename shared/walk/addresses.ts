import type { Address } from '../commerce/product.ts'
import type { AddressWanted } from './intents.ts'
import type { WalkAddress } from './operation.ts'

type Place = Omit<Address, 'name'>

const place = (
  street: string,
  city: string,
  state: string,
  zip: string,
  country: string,
): Place => ({
  street,
  city,
  state,
  zip,
  country,
})

/** If neither domain nor currency gives a country. */
const US = place('350 Fifth Avenue', 'New York', 'NY', '10118', 'US')

/**
 * Public buildings, because a dry run sends nothing there. By country, which is also the ending of
 * domains.
 */
const PLACES: Record<string, Place> = {
  AT: place('Dr.-Karl-Renner-Ring 3', 'Wien', '9', '1017', 'AT'),
  AU: place('1 Parliament Drive', 'Canberra', 'ACT', '2600', 'AU'),
  BE: place('Place de la Nation 2', 'Bruxelles', 'BRU', '1008', 'BE'),
  BR: place('Praça dos Três Poderes', 'Brasília', 'DF', '70160-900', 'BR'),
  CA: place('111 Wellington Street', 'Ottawa', 'ON', 'K1A 0A9', 'CA'),
  CH: place('Bundesplatz 3', 'Bern', 'BE', '3005', 'CH'),
  DE: place('Platz der Republik 1', 'Berlin', 'BE', '11011', 'DE'),
  DK: place('Christiansborg Slotsplads 1', 'København', '84', '1218', 'DK'),
  ES: place('Plaza de las Cortes 1', 'Madrid', 'M', '28014', 'ES'),
  FR: place("126 Rue de l'Université", 'Paris', 'IDF', '75007', 'FR'),
  GB: place('10 Downing Street', 'London', 'ENG', 'SW1A 2AA', 'GB'),
  IE: place('Kildare Street', 'Dublin', 'D', 'D02 A272', 'IE'),
  IN: place('1 Sansad Marg', 'New Delhi', 'DL', '110001', 'IN'),
  IT: place('Piazza di Monte Citorio 1', 'Roma', 'RM', '00186', 'IT'),
  JP: place('1-7-1 Nagatacho, Chiyoda-ku', 'Tokyo', '13', '100-8914', 'JP'),
  KR: place('1 Uisadang-daero, Yeongdeungpo-gu', 'Seoul', '11', '07233', 'KR'),
  MX: place('Avenida Congreso de la Unión 66', 'Ciudad de México', 'CMX', '15960', 'MX'),
  NL: place('Binnenhof 20', 'Den Haag', 'ZH', '2513 AA', 'NL'),
  NO: place('Karl Johans gate 22', 'Oslo', '03', '0026', 'NO'),
  NZ: place('Molesworth Street', 'Wellington', 'WGN', '6160', 'NZ'),
  PL: place('Wiejska 4/6/8', 'Warszawa', 'MZ', '00-902', 'PL'),
  SE: place('Riksgatan 1', 'Stockholm', 'AB', '100 12', 'SE'),
  US,
}

/** The countries in which an address is known. */
export const COUNTRIES: readonly string[] = Object.keys(PLACES)

/** The same buyer at an address in another country. */
export const addressIn = (country: string, buyer: Address): Address => ({
  ...buyer,
  ...(PLACES[country] ?? US),
})

/** EUR does not begin with a country's code, but ISO 3166-1 reserves EU. */
const COUNTRY_OF_CURRENCY: Record<string, string> = { EUR: 'DE' }

/**
 * An address that a store is likely to ship to: in the country of its domain's ending, else of its
 * currency, whose first two letters are a country code.
 */
export function sampleAddress(host: string, currency: string | undefined): Address {
  const ending = host.split('.').at(-1)?.toUpperCase() ?? ''
  const byEnding = PLACES[ending === 'UK' ? 'GB' : ending]
  const country = COUNTRY_OF_CURRENCY[currency ?? ''] ?? currency?.slice(0, 2) ?? ''
  const { street, city, state, zip, country: code } = byEnding ?? PLACES[country] ?? US
  return { name: 'Aisle Readiness Check', street, city, state, zip, country: code }
}

/** The destination of a purchase that is not sent home. */
export function addressFor(wanted: AddressWanted, home: Address): Address {
  switch (wanted) {
    case 'home':
      return home
    case 'abroad': {
      const place = home.country === 'US' ? PLACES.DE : US
      return { ...home, ...place }
    }
    case 'nowhere':
      // ISO 3166-1 never assigns ZZ.
      return { ...home, street: '', country: 'ZZ' }
    case 'po_box':
      return { ...home, street: 'PO Box 1234' }
  }
}

/** The part of an address that a shipping quote needs. */
export const quoteAddress = ({ zip, country }: Address): WalkAddress => ({ zip, country })

/** An address in a few words: `94607 Oakland, US`. */
export const placeText = ({ city, zip, country }: WalkAddress): string =>
  [[zip, city].filter(Boolean).join(' '), country].filter((part) => part !== '').join(', ')
