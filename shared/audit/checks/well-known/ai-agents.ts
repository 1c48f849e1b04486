import { AGENTS } from '../../../attribution/agents.ts'
import type { RobotsAgent } from '../../../web/http/robots.ts'

/**
 * Crawlers and fetchers of AI surfaces, by the product token that robots.txt names (RFC 9309), as
 * far as their whole User-Agent is known. Blocking training crawlers is a policy of the store, so
 * they are not listed.
 */
export interface AiAgent extends RobotsAgent {
  operator: string
  /** `search` builds the index that answers come from; `user` fetches while a person asks. */
  purpose: 'search' | 'user'
  /** Whether its operator says that it keeps to robots.txt, or says nothing against it. */
  obeysRobots: boolean
  /** Whether people shop with the assistants of its operator. */
  shops: boolean
  /** The operator's own documentation. */
  source: string
}

/**
 * "If robots instructions don't mention Applebot but do mention Googlebot, the Apple robot will
 * follow Googlebot instructions" (https://support.apple.com/119829).
 */
const FOLLOWS: Readonly<Record<string, string>> = { Applebot: 'Googlebot' }

/**
 * Fetchers of a person's request whose operators say that rules of robots.txt may not apply to
 * them, or that they generally ignore these: each in the source of its row, and Google in
 * https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers.
 */
const MAY_IGNORE_ROBOTS: ReadonlySet<string> = new Set([
  'ChatGPT-User',
  'Perplexity-User',
  'Google-Agent',
  'meta-externalfetcher',
])

/** Whose assistants show products with prices and lead to a purchase. */
const SHOPPED_WITH: ReadonlySet<string> = new Set([
  'OpenAI',
  'Google',
  'Microsoft',
  'Perplexity',
  'Anthropic',
  'Amazon',
])

/** As the version of Chrome that agents with a browser inside name; they say that it changes. */
const CHROME = 'Chrome/142.0.0.0 Safari/537.36'
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko'
const GOOGLE_AGENT = '+https://developers.google.com/crawling/docs/crawlers-fetchers/google-agent'

/** What a person's browser sends. */
export const BROWSER_USER_AGENT = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT}) ${CHROME}`

/** A robot that is on no list, to tell what is refused to robots from what is refused to agents. */
export const UNLISTED_USER_AGENT = 'Mozilla/5.0 (compatible; UnlistedBot/1.0)'

/**
 * The whole User-Agent that each agent sends, by its token, as the source of its row in `AI_AGENTS`
 * states it. Anthropic documents its tokens alone: its strings are those of merchants' logs.
 */
const USER_AGENTS: Readonly<Record<string, string>> = {
  'OAI-SearchBot': `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT}) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.4; +https://openai.com/searchbot`,
  'ChatGPT-User': `Mozilla/5.0 ${WEBKIT}); compatible; ChatGPT-User/1.0; +https://openai.com/bot`,
  PerplexityBot: `Mozilla/5.0 ${WEBKIT}; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)`,
  'Perplexity-User': `Mozilla/5.0 ${WEBKIT}; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)`,
  'Claude-SearchBot': `Mozilla/5.0 ${WEBKIT}; compatible; Claude-SearchBot/1.0; +Claude-SearchBot@anthropic.com)`,
  'Claude-User': `Mozilla/5.0 ${WEBKIT}; compatible; Claude-User/1.0; +Claude-User@anthropic.com)`,
  Googlebot: `Mozilla/5.0 ${WEBKIT}; compatible; Googlebot/2.1; +http://www.google.com/bot.html) ${CHROME}`,
  'Google-Agent': `Mozilla/5.0 ${WEBKIT}; compatible; Google-Agent; ${GOOGLE_AGENT}) ${CHROME}`,
  bingbot: `Mozilla/5.0 ${WEBKIT}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) ${CHROME}`,
  Applebot:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Amzn-SearchBot': `Mozilla/5.0 ${WEBKIT}; compatible; Amzn-SearchBot/0.1) ${CHROME}`,
  'Amzn-User': `Mozilla/5.0 ${WEBKIT}; compatible; Amzn-User/0.1) ${CHROME}`,
  DuckAssistBot: 'DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)',
  'MistralAI-User': `Mozilla/5.0 ${WEBKIT}; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)`,
  'meta-webindexer':
    'meta-webindexer/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'meta-externalfetcher':
    'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
}

/** Made from the table of agents, so that a new crawler is added in one place. */
export const AI_AGENTS: readonly (AiAgent & { userAgent: string })[] = AGENTS.flatMap(
  ({ token, operator, purpose, source }) => {
    const userAgent = USER_AGENTS[token]
    if (userAgent === undefined) return []
    const follows = FOLLOWS[token]
    return {
      ...{ token, operator, purpose: purpose === 'search' ? 'search' : 'user', source },
      ...(follows !== undefined && { follows }),
      obeysRobots: !MAY_IGNORE_ROBOTS.has(token),
      shops: SHOPPED_WITH.has(operator),
      userAgent,
    }
  },
)

/** The agents in whose name pages are asked for, those that act for a shopper first. */
export const NAMED_AGENTS = AI_AGENTS.toSorted(
  (a, b) => Number(b.purpose === 'user') - Number(a.purpose === 'user'),
)
