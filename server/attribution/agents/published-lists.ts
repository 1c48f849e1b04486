import PUBLISHED from './published-ranges.json' with { type: 'json' }

/** A list of addresses that an operator publishes for its agents. */
export interface PublishedList {
  id: string
  operator: string
  /** The tokens of their User-Agents, as the table of agents has them. */
  tokens: readonly string[]
  /** Where the operator publishes it, in the form of Google's `prefixes`. */
  url: string
  /** It is a page for people: a program cannot renew it. */
  isPage?: true
}

export const PUBLISHED_LISTS: readonly PublishedList[] = [
  {
    id: 'chatgpt-user',
    operator: 'OpenAI',
    tokens: ['ChatGPT-User'],
    url: 'https://openai.com/chatgpt-user.json',
  },
  {
    id: 'oai-searchbot',
    operator: 'OpenAI',
    tokens: ['OAI-SearchBot'],
    url: 'https://openai.com/searchbot.json',
  },
  {
    id: 'gptbot',
    operator: 'OpenAI',
    tokens: ['GPTBot'],
    url: 'https://openai.com/gptbot.json',
  },
  {
    id: 'perplexity-user',
    operator: 'Perplexity',
    tokens: ['Perplexity-User'],
    url: 'https://www.perplexity.com/perplexity-user.json',
  },
  {
    id: 'perplexitybot',
    operator: 'Perplexity',
    tokens: ['PerplexityBot'],
    url: 'https://www.perplexity.com/perplexitybot.json',
  },
  {
    id: 'claude',
    operator: 'Anthropic',
    tokens: ['Claude-User', 'Claude-SearchBot', 'ClaudeBot'],
    url: 'https://claude.com/crawling/bots.json',
  },
  {
    id: 'google-common',
    operator: 'Google',
    tokens: [
      ...['Googlebot', 'Googlebot-Image', 'Googlebot-Video', 'Storebot-Google'],
      ...['GoogleOther', 'GoogleOther-Image', 'GoogleOther-Video'],
    ],
    url: 'https://developers.google.com/static/crawling/ipranges/common-crawlers.json',
  },
  {
    id: 'google-special',
    operator: 'Google',
    tokens: ['Google-CloudVertexBot'],
    url: 'https://developers.google.com/static/crawling/ipranges/special-crawlers.json',
  },
  {
    id: 'google-user-triggered',
    operator: 'Google',
    tokens: ['Google-NotebookLM', 'Google-GeminiNotebook', 'GoogleAgent-Mariner'],
    url: 'https://developers.google.com/static/crawling/ipranges/user-triggered-fetchers.json',
  },
  {
    id: 'google-agents',
    operator: 'Google',
    tokens: ['Google-Agent'],
    url: 'https://developers.google.com/static/crawling/ipranges/user-triggered-agents.json',
  },
  {
    id: 'bingbot',
    operator: 'Microsoft',
    tokens: ['bingbot'],
    url: 'https://www.bing.com/toolbox/bingbot.json',
  },
  {
    id: 'applebot',
    operator: 'Apple',
    tokens: ['Applebot'],
    url: 'https://search.developer.apple.com/applebot.json',
  },
  {
    id: 'amazonbot',
    operator: 'Amazon',
    tokens: ['Amazonbot'],
    url: 'https://developer.amazon.com/amazonbot/ip-addresses/',
    isPage: true,
  },
  {
    id: 'amzn-searchbot',
    operator: 'Amazon',
    tokens: ['Amzn-SearchBot'],
    url: 'https://developer.amazon.com/amazonbot/searchbot-ip-addresses/',
    isPage: true,
  },
  {
    id: 'amzn-user',
    operator: 'Amazon',
    tokens: ['Amzn-User'],
    url: 'https://developer.amazon.com/amazonbot/live-ip-addresses/',
    isPage: true,
  },
  {
    id: 'duckassistbot',
    operator: 'DuckDuckGo',
    tokens: ['DuckAssistBot'],
    url: 'https://duckduckgo.com/duckassistbot.json',
  },
  {
    id: 'mistralai-user',
    operator: 'Mistral',
    tokens: ['MistralAI-User'],
    url: 'https://mistral.ai/mistralai-user-ips.json',
  },
  {
    id: 'mistralai-index',
    operator: 'Mistral',
    tokens: ['MistralAI-Index'],
    url: 'https://mistral.ai/mistralai-index-ips.json',
  },
  {
    id: 'ccbot',
    operator: 'Common Crawl',
    tokens: ['CCBot'],
    url: 'https://index.commoncrawl.org/ccbot.json',
  },
]

/** One copy of a published list. */
export interface RangeCopy {
  /** The id of the list. */
  list: string
  /** The day from which the list is known to be so, such as `2026-08-15`. */
  since: string
  /** Addresses and prefixes such as `192.0.2.0/24`. */
  prefixes: readonly string[]
}

/** The copies that come with this build: public mirrors of the operators' own lists. */
export const BUILT_IN_COPIES: readonly RangeCopy[] = PUBLISHED.copies.map(
  ({ list, since, prefixes }) => ({ list, since, prefixes: prefixes.split(' ') }),
)
