import { SURFACES } from './surfaces.ts'

/**
 * What an agent reads for: to train a model, for the index that answers come from, for the answer
 * to a person who waits, or as it acts for a person.
 */
export const FETCH_PURPOSES = ['training', 'search', 'answer', 'action'] as const
export type FetchPurpose = (typeof FETCH_PURPOSES)[number]

/** A program that reads or acts for an AI product, as its User-Agent names it. */
export interface Agent {
  /** Its product token as its operator spells it, such as `ChatGPT-User`. */
  token: string
  operator: string
  purpose: FetchPurpose
  /** The row of `SURFACES` that its operator's assistant has; `other_ai` without one. */
  surface: string
}

const AGENTS: readonly Agent[] = SURFACES.flatMap(({ id, operator, facts }) =>
  facts.flatMap(({ crawler = [], agent = [] }) => [
    ...crawler.map((token) => ({ token, operator, purpose: 'search' as const, surface: id })),
    ...agent.map((token) => ({ token, operator, purpose: 'answer' as const, surface: id })),
  ]),
)

const OF_TOKEN: ReadonlyMap<string, Agent> = new Map(
  AGENTS.map((agent) => [agent.token.toLowerCase(), agent]),
)

/** The agent that a User-Agent names; null: a person's browser, or another program. */
export function namedAgent(userAgent: string): Agent | null {
  for (const token of userAgent.toLowerCase().split(/[^\w.-]+/)) {
    const agent = OF_TOKEN.get(token)
    if (agent !== undefined) return agent
  }
  return null
}
