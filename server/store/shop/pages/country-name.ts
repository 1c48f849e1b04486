import { isCountry } from '../../../../shared/commerce/iso.ts'

const NAMES = new Intl.DisplayNames('en', { type: 'region' })

/**
 * The name of a country on pages, by its alpha-2 code: `Germany`. Other text, which a broken
 * variant of the store may hold, stays unchanged.
 */
export const countryName = (code: string): string =>
  (isCountry(code) ? NAMES.of(code) : undefined) ?? code
