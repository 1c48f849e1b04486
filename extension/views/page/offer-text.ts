import type { FoundOffer } from '../../page/audit/page-audit.ts'

/** An offer as the markup writes it: `24.00 EUR, InStock`. */
export function offerText({ price, currency, availability }: FoundOffer): string {
  const money = [price, currency].filter((part) => part !== null).join(' ')
  const state = availability?.replace(/^https?:\/\/schema\.org\//, '') ?? ''
  return [money, state].filter((part) => part !== '').join(', ')
}
