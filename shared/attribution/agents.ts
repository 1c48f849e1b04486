import { FETCH_PURPOSES, type FetchPurpose, OTHER_AI, SOURCES, SURFACES } from './surfaces.ts'

/** A program that reads or acts for an AI product, as its User-Agent names it. */
export interface Agent {
  /** Its product token as its operator spells it, such as `ChatGPT-User`. */
  token: string
  operator: string
  purpose: FetchPurpose
  /** The row of `SURFACES` that its operator's assistant has; `other_ai` without one. */
  surface: string
  /** Where its token is documented. */
  source: string
}

/**
 * Agents of no assistant in the table of surfaces, by operator. An operator that sells what it
 * reads to others, and that says nothing of training, builds an index.
 */
const OTHERS: Readonly<Record<string, Partial<Record<FetchPurpose, string>>>> = {
  'Common Crawl': { training: 'CCBot' },
  Ai2: { training: 'AI2Bot Ai2Bot-Dolma', answer: 'AI2Bot-DeepResearchEval' },
  Diffbot: { training: 'Diffbot' },
  Huawei: { training: 'PanguBot', search: 'PetalBot' },
  Yandex: { training: 'YandexAdditional YandexAdditionalBot' },
  'Webz.io': { training: 'omgili omgilibot Webzio-Extended' },
  Timpi: { training: 'Timpibot' },
  LAION: { training: 'laion-huggingface-processor LAIONDownloader img2dataset' },
  'SB Intuitions': { training: 'SBIntuitionsBot' },
  NICT: { training: 'ICC-Crawler' },
  ROIS: { training: 'Cotoyogi' },
  ImageSift: { training: 'ImagesiftBot' },
  'Ceramic AI': { training: 'TerraCotta' },
  Velen: { training: 'VelenPublicWebCrawler' },
  Crawlspace: { training: 'Crawlspace' },
  'Bright Data': { training: 'Brightbot' },
  Reflection: { training: 'Reflectionbot' },
  Kunato: { training: 'KunatoCrawler' },
  Zanista: { search: 'ZanistaBot' },
  Brave: { search: 'Bravebot' },
  Exa: { search: 'ExaBot ExaSearchBot' },
  Tavily: { search: 'TavilyBot' },
  Linkup: { search: 'LinkupBot' },
  Parallel: { search: 'ShapBot', answer: 'Shap-User' },
  Valyu: { search: 'HenkBot' },
  Querit: { search: 'QueritBot Querit-SearchBot' },
  Channel3: { search: 'Channel3Bot' },
  Aranet: { search: 'Aranet-SearchBot' },
  AddSearch: { search: 'AddSearchBot' },
  Lyrenth: { search: 'AIWebIndex' },
  Direqt: { search: 'Anomura' },
  Cloudflare: { search: 'Cloudflare-AutoRAG' },
  AWS: { search: 'amazon-kendra bedrockbot', answer: 'amazon-QBusiness' },
  Apify: { answer: 'ApifyBot ApifyWebsiteContentCrawler' },
  Firecrawl: { answer: 'FirecrawlAgent' },
  Mozilla: { answer: 'Mozilla-Tabstack' },
  Crawl4AI: { answer: 'Crawl4AI' },
  'Big Sur AI': { answer: 'bigsur.ai' },
  Klaviyo: { answer: 'KlaviyoAIBot' },
  Atlassian: { answer: 'atlassian-bot' },
  Qualified: { answer: 'QualifiedBot' },
  Poggio: { answer: 'Poggio-Citations' },
  GeistHaus: { answer: 'GeistHaus-PageFetcher' },
  UseAI: { answer: 'UseAI' },
  OpenCode: { answer: 'opencode opencode-smartfetch' },
  Lightpanda: { action: 'Lightpanda' },
  Anchor: { action: 'anchorbrowser.io' },
}

/** Every agent of an AI product that is known by name. */
export const AGENTS: readonly Agent[] = [
  ...SURFACES.flatMap(({ id, operator, facts }) =>
    facts.flatMap(({ source, ...fact }) =>
      agentsOf(fact, { operator, surface: id, source: SOURCES[source].where }),
    ),
  ),
  ...Object.entries(OTHERS).flatMap(([operator, fact]) =>
    agentsOf(
      Object.fromEntries(
        Object.entries(fact).map(([purpose, tokens]) => [purpose, tokens.split(' ')]),
      ),
      { operator, surface: OTHER_AI, source: SOURCES.ai_robots.where },
    ),
  ),
]

function agentsOf(
  fact: Partial<Record<FetchPurpose, readonly string[]>>,
  of: Omit<Agent, 'token' | 'purpose'>,
): Agent[] {
  return FETCH_PURPOSES.flatMap((purpose) =>
    (fact[purpose] ?? []).map((token) => ({ token, purpose, ...of })),
  )
}

const OF_TOKEN: ReadonlyMap<string, Agent> = new Map(
  AGENTS.map((agent) => [agent.token.toLowerCase(), agent]),
)

/** The product tokens of a User-Agent (RFC 9110 §10.1.5) and similar words, in lower case. */
export const tokensOf = (userAgent: string): string[] => userAgent.toLowerCase().split(/[^\w.-]+/)

/**
 * An assistant's app on a person's device, which may have the name of an agent:
 * `ChatGPT/1.2025 (iOS 26.1; iPhone17,1)`, `ChatGPT%20Atlas/2025 CFNetwork/3860 Darwin/25.0.0`.
 */
export const APP = /^[^\s/]+\/\S+ (?:CFNetwork\/|\((?:iOS|iPadOS|Android|Mac OS X)\b)/

/** The agent that a User-Agent names first; null: a person's browser, or another program. */
export function namedAgent(userAgent: string): Agent | null {
  for (const token of tokensOf(userAgent)) {
    const agent = OF_TOKEN.get(token)
    if (agent !== undefined) return APP.test(userAgent) ? null : agent
  }
  return null
}

/**
 * What finds the same agents where our code is not: in collectors and in settings of servers. The
 * tokens of all agents for a regular expression, between what is part of no token.
 */
export const AGENT_TOKENS_PATTERN: string = [...new Set(AGENTS.map(({ token }) => token))]
  .toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  .map((token) => token.replaceAll('.', '\\.'))
  .join('|')
