/**
 * Crawlers and fetchers of AI surfaces, by the product token that robots.txt names (RFC 9309).
 * `search` builds the index that answers come from, `user` fetches while a person asks. Blocking
 * training crawlers is a policy of the store, so they are not listed.
 */
export interface AiAgent {
  token: string
  operator: string
  purpose: 'search' | 'user'
  /** The operator's own documentation. */
  source: string
}

export const AI_AGENTS: readonly AiAgent[] = [
  {
    token: 'OAI-SearchBot',
    operator: 'OpenAI',
    purpose: 'search',
    source: 'developers.openai.com/api/docs/bots',
  },
  {
    token: 'ChatGPT-User',
    operator: 'OpenAI',
    purpose: 'user',
    source: 'developers.openai.com/api/docs/bots',
  },
  {
    token: 'PerplexityBot',
    operator: 'Perplexity',
    purpose: 'search',
    source: 'docs.perplexity.ai',
  },
  {
    token: 'Perplexity-User',
    operator: 'Perplexity',
    purpose: 'user',
    source: 'docs.perplexity.ai',
  },
  {
    token: 'Claude-SearchBot',
    operator: 'Anthropic',
    purpose: 'search',
    source: 'support.claude.com/articles/8896518',
  },
  {
    token: 'Claude-User',
    operator: 'Anthropic',
    purpose: 'user',
    source: 'support.claude.com/articles/8896518',
  },
  {
    token: 'Googlebot',
    operator: 'Google',
    purpose: 'search',
    source: 'developers.google.com/crawling',
  },
  {
    token: 'Google-Agent',
    operator: 'Google',
    purpose: 'user',
    source: 'developers.google.com/crawling',
  },
  { token: 'bingbot', operator: 'Microsoft', purpose: 'search', source: 'bing.com/webmasters' },
  { token: 'Applebot', operator: 'Apple', purpose: 'search', source: 'support.apple.com/119829' },
  {
    token: 'Amzn-SearchBot',
    operator: 'Amazon',
    purpose: 'search',
    source: 'developer.amazon.com/amazonbot',
  },
  {
    token: 'Amzn-User',
    operator: 'Amazon',
    purpose: 'user',
    source: 'developer.amazon.com/amazonbot',
  },
  {
    token: 'DuckAssistBot',
    operator: 'DuckDuckGo',
    purpose: 'user',
    source: 'duckduckgo.com/duckduckgo-help-pages',
  },
  {
    token: 'MistralAI-User',
    operator: 'Mistral',
    purpose: 'user',
    source: 'docs.mistral.ai/robots',
  },
]
