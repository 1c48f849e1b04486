/** What a store lacks that speaks no agent protocol. */
const ITS_GAPS: readonly string[] = [
  'well_known_missing',
  'catalog_unreachable',
  'checkout_unreachable',
]

/**
 * The gaps of a store that speaks no agent protocol, apart from its others: three gaps, and one
 * decision. Null for a store that has a part of one.
 */
export function splitNoProtocol<G extends { id: string }>(
  gaps: readonly G[],
): { cause: G[]; rest: G[] } | null {
  const cause = gaps.filter(({ id }) => ITS_GAPS.includes(id))
  const isWhole = ITS_GAPS.every((each) => cause.some(({ id }) => id === each))
  return isWhole ? { cause, rest: gaps.filter(({ id }) => !ITS_GAPS.includes(id)) } : null
}
