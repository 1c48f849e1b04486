/** What a store lacks that speaks no agent protocol. */
const ITS_GAPS: readonly string[] = [
  'well_known_missing',
  'catalog_unreachable',
  'checkout_unreachable',
]

/** What stands above these gaps. */
export const NO_PROTOCOL = {
  title: 'The store speaks no agent protocol',
  about:
    'Agents that buy through a protocol, UCP or ACP, find nothing here. Manifest, catalog and checkout for agents are one decision, and come from the platform, a plugin or a developer. Most stores have none yet; all else here can be closed without them.',
}

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
