import { isCountry } from '../../../../shared/commerce/iso.ts'

const NAMES = new Intl.DisplayNames('en', { type: 'region' })

/**
 * What pages call a country, by its alpha-2 code: `Germany`. Other text, which a twin that accepts
 * any address may have, stays as it is.
 */
export const countryName = (code: string): string =>
  (isCountry(code) ? NAMES.of(code) : undefined) ?? code
