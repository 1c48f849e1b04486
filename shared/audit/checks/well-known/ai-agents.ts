import { SOURCES, type Source, SURFACES } from '../../../attribution/surfaces.ts'

/**
 * Crawlers and fetchers of AI surfaces, by the product token that robots.txt names (RFC 9309), as
 * far as their operator documents them. Blocking training crawlers is a policy of the store, so
 * they are not listed.
 */
export interface AiAgent {
  token: string
  operator: string
  /** `search` builds the index that answers come from; `user` fetches while a person asks. */
  purpose: 'search' | 'user'
  /** The operator's own documentation. */
  source: string
}

/** Made from the table of surfaces, so that a new crawler is added in one place. */
export const AI_AGENTS: readonly AiAgent[] = SURFACES.flatMap(({ operator, facts }) =>
  facts.flatMap(({ source, crawler = [], agent = [] }) => {
    const { where, ofOperator }: Source = SOURCES[source]
    if (ofOperator !== true) return []
    return [
      ...crawler.map((token) => ({ token, operator, purpose: 'search' as const, source: where })),
      ...agent.map((token) => ({ token, operator, purpose: 'user' as const, source: where })),
    ]
  }),
)
