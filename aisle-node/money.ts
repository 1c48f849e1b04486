import type * as api from './index.d.ts'

/** ISO 4217: currencies without decimals, and with three. All others have two. */
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

export const inSmallestUnit: typeof api.inSmallestUnit = (amount, currency) => {
  const text = String(amount).trim()
  const code = String(currency).toUpperCase()
  if (!/^\d+(\.\d+)?$/.test(text) || !/^[A-Z]{3}$/.test(code)) return Number.NaN
  // As a decimal string: 1.15 * 100 is 114.99999999999999.
  const value = Math.round(Number(`${text}e${decimalsOf(code)}`))
  // A number with more digits is rounded, or infinite.
  return Number.isSafeInteger(value) ? value : Number.NaN
}

function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0
  return THREE_DECIMALS.includes(currency) ? 3 : 2
}
