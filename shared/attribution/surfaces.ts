/**
 * AI surfaces as data: one row each, every fact under its source. Other code uses an index of the
 * kinds of fact that it reads (`surface-index.ts`), without names, operators and sources.
 */
export interface Surface {
  /** Lower-case snake_case, as `ai_surface` and `by_surface` name it. */
  id: string
  name: string
  operator: string
  facts: readonly SourcedFacts[]
  /**
   * GA4 itself puts visits with its referrer into the channel "AI Assistant"
   * (https://support.google.com/analytics/answer/9756891).
   */
  knownToGa4?: true
}

/** An id that merchants declare, with or without a row. */
export const SURFACE_ID = /^[a-z][a-z0-9_]{0,63}$/

export interface SourcedFacts extends Partial<Record<FactKind, readonly string[]>> {
  source: SourceId
  /**
   * Closed, or only a redirect by now: browsers no longer name it, so the tag leaves it out. It is
   * kept for recorded visits, and for what others write into orders.
   */
  former?: true
}

/**
 * - `host`: the assistant and nothing else, its subdomains included, but those of documentation and
 *   the like (`COMPANY_PAGES` in `click.ts`); a browser names it as referrer
 * - `mixed_host`: also sends visits that no assistant brought
 * - `app`: an Android package, named by an `android-app://` referrer
 * - `utm_documented`: a `utm_source` that the operator says it adds; `utm_observed`: seen in
 *   merchants' data; `utm_tagged`: what merchants write by hand
 * - `click_id`: a parameter that the operator adds to the links of its advertisements
 * - `training`, `search`, `answer`, `action`: User-Agent product token of an agent that reads for
 *   this purpose (`FETCH_PURPOSES`)
 * - `signer`: host of the key directory that a `Signature-Agent` names
 */
export type FactKind =
  | 'host'
  | 'mixed_host'
  | 'app'
  | 'utm_documented'
  | 'utm_observed'
  | 'utm_tagged'
  | 'click_id'
  | FetchPurpose
  | 'signer'

/**
 * What an agent reads for: to train a model, for the index that answers come from, for the answer
 * to a person who waits, or as it acts for a person.
 */
export const FETCH_PURPOSES = ['training', 'search', 'answer', 'action'] as const
export type FetchPurpose = (typeof FETCH_PURPOSES)[number]

/** The surface of AI without a row. */
export const OTHER_AI = 'other_ai'

/** `date` is when the source said so, or when it was read if it has no date. */
interface Source {
  where: string
  date: string
}

type SourceId = keyof typeof SOURCES

export const SOURCES = {
  openai_faq: { where: 'help.openai.com/articles/12627856', date: '2026-11' },
  openai_agent: { where: 'help.openai.com/articles/11845367', date: '2026-11' },
  openai_ads: { where: 'docs.metarouter.io/docs/openai-sync', date: '2026-11' },
  openai_bots: { where: 'developers.openai.com/api/docs/bots', date: '2026-11' },
  perplexity_bots: { where: 'docs.perplexity.ai', date: '2026-11' },
  claude_bots: { where: 'support.claude.com/articles/8896518', date: '2026-11' },
  google_bots: { where: 'developers.google.com/crawling', date: '2026-11' },
  google_agent: {
    where: 'developers.google.com/crawling/docs/crawlers-fetchers/allow-google-agent',
    date: '2026-11',
  },
  bing_bots: { where: 'bing.com/webmasters', date: '2026-11' },
  apple_bots: { where: 'support.apple.com/119829', date: '2026-11' },
  amazon_bots: { where: 'developer.amazon.com/amazonbot', date: '2026-11' },
  duckduckgo_bots: {
    where: 'duckduckgo.com/duckduckgo-help-pages',
    date: '2026-11',
  },
  meta_bots: {
    where: 'developers.facebook.com/docs/sharing/webmasters/web-crawlers',
    date: '2026-11',
  },
  mistral_bots: { where: 'docs.mistral.ai/robots', date: '2026-11' },
  matomo: {
    where: 'github.com/matomo-org/searchengine-and-social-list, AIAssistants.yml',
    date: '2026-11',
  },
  matomo_utm: {
    where: 'github.com/matomo-org/searchengine-and-social-list/issues/115',
    date: '2025-06-11',
  },
  snowplow: {
    where: 'github.com/snowplow-referer-parser/referer-parser/pull/257',
    date: '2026-07-30',
  },
  posthog: { where: 'github.com/PostHog/posthog/pull/72779', date: '2026-07-22' },
  rybbit: { where: 'github.com/rybbit-io/rybbit/pull/1200', date: '2026-09-13' },
  ai_robots: { where: 'github.com/ai-robots-txt/ai.robots.txt, robots.json', date: '2026-11' },
  crawler_user_agents: {
    where: 'github.com/monperrus/crawler-user-agents, crawler-user-agents.json',
    date: '2026-07-02',
  },
  google_fetchers: {
    where: 'developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers',
    date: '2026-11',
  },
  claude_code: { where: 'github.com/anthropics/claude-code/issues/38568', date: '2026-03-25' },
  device_detector: { where: 'github.com/matomo-org/device-detector', date: '2026-11' },
  ga4_regex: {
    where: 'gist.github.com/tuhin-gtm-analytics/c1f4ce0deb9c41b7aff560cc7f9d0ab7',
    date: '2026-02-03',
  },
  seo: {
    where: 'github.com/iannuttall/seo, packages/core/src/analyze/ai-referrals-sources.ts',
    date: '2026-08-18',
  },
  ga4_skill: {
    where: 'github.com/kostja94/marketing-skills, skills/analytics/ai-traffic/SKILL.md',
    date: '2026-11',
  },
  gtm_template: {
    where: 'github.com/hashbookies/gtm-visible-ai-referral-classifier, template.tpl',
    date: '2026-11',
  },
  // No single one of them is the origin of the others.
  lists: { where: 'two or more public lists of AI referrers and apps', date: '2026-11' },
  phind_closed: { where: 'github.com/clsturgeon/MemoryKeeper/issues/223', date: '2026-01-27' },
  qwen_hosts: { where: 'github.com/badmojr/1Hosts/issues/3936', date: '2026-05-09' },
  tongyi: { where: 'github.com/v2fly/domain-list-community/pull/2648', date: '2025-04-23' },
  qwenlm: { where: 'github.com/Rfym21/Qwen2API/issues/11', date: '2025-03-04' },
  komo: { where: 'github.com/felladrin/awesome-ai-web-search/issues/8', date: '2024-11-12' },
  felo: { where: 'github.com/felladrin/awesome-ai-web-search/issues/2', date: '2024-11-10' },
} satisfies Record<string, Source>

export const SURFACES: readonly Surface[] = [
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    operator: 'OpenAI',
    knownToGa4: true,
    facts: [
      { source: 'openai_faq', utm_documented: ['chatgpt.com'] },
      { source: 'openai_ads', click_id: ['oppref'] },
      {
        source: 'openai_bots',
        training: ['GPTBot'],
        search: ['OAI-SearchBot'],
        answer: ['ChatGPT-User'],
      },
      { source: 'openai_agent', signer: ['chatgpt.com'] },
      { source: 'matomo', host: ['chatgpt.com', 'chat.openai.com'] },
      { source: 'matomo', former: true, mixed_host: ['labs.openai.com'] },
      { source: 'rybbit', utm_observed: ['chatgpt', 'openai'], app: ['com.openai.chatgpt'] },
      { source: 'device_detector', action: ['ChatGPT', 'ChatGPT-Browser'] },
    ],
  },
  {
    id: 'perplexity',
    name: 'Perplexity',
    operator: 'Perplexity',
    facts: [
      { source: 'matomo', host: ['perplexity.ai'] },
      { source: 'matomo_utm', utm_observed: ['perplexity'] },
      { source: 'lists', former: true, host: ['pplx.ai'] },
      { source: 'perplexity_bots', search: ['PerplexityBot'], answer: ['Perplexity-User'] },
      { source: 'crawler_user_agents', answer: ['PerplexityUser'] },
      { source: 'rybbit', app: ['ai.perplexity.app.android'] },
    ],
  },
  {
    id: 'claude',
    name: 'Claude',
    operator: 'Anthropic',
    facts: [
      { source: 'matomo', host: ['claude.ai'] },
      {
        source: 'claude_bots',
        training: ['ClaudeBot'],
        search: ['Claude-SearchBot'],
        answer: ['Claude-User'],
      },
      { source: 'ai_robots', training: ['anthropic-ai', 'Claude-Web'] },
      {
        source: 'rybbit',
        utm_tagged: ['claude', 'anthropic'],
        app: ['com.anthropic.claude'],
      },
      // Its WebFetch: `Claude-User (claude-code/2.1; +https://support.anthropic.com/)`.
      { source: 'claude_code', answer: ['claude-code'] },
    ],
  },
  {
    // Its clicks have the referrer of an ordinary search; only a declaration names it for certain.
    id: 'google_ai_mode',
    name: 'Google AI Mode and AI Overviews',
    operator: 'Google',
    facts: [
      {
        source: 'google_bots',
        training: ['GoogleOther', 'GoogleOther-Image', 'GoogleOther-Video'],
        search: [
          ...['Googlebot', 'Googlebot-Image', 'Googlebot-Video', 'Storebot-Google'],
          'Google-CloudVertexBot',
        ],
      },
      { source: 'device_detector', answer: ['GoogleAgent-Search'] },
    ],
  },
  {
    id: 'gemini',
    name: 'Gemini',
    operator: 'Google',
    knownToGa4: true,
    facts: [
      { source: 'google_bots', action: ['Google-Agent'] },
      { source: 'google_agent', signer: ['agent.bot.goog'] },
      { source: 'matomo', host: ['gemini.google.com'] },
      // The Business edition of Gemini Enterprise.
      { source: 'ga4_skill', host: ['business.gemini.google'] },
      { source: 'matomo', former: true, host: ['bard.google.com'] },
      {
        source: 'rybbit',
        mixed_host: ['aistudio.google.com'],
        utm_observed: ['gemini'],
        app: ['com.google.android.apps.bard'],
      },
      {
        source: 'ai_robots',
        answer: ['Gemini-Deep-Research', 'GoogleAgent-URLContext'],
        action: ['GoogleAgent-Mariner'],
      },
      { source: 'crawler_user_agents', answer: ['Google-Gemini-CLI'] },
    ],
  },
  {
    id: 'notebooklm',
    name: 'NotebookLM',
    operator: 'Google',
    facts: [
      { source: 'matomo', mixed_host: ['notebooklm.google.com'] },
      { source: 'ai_robots', answer: ['Google-NotebookLM'] },
      { source: 'google_fetchers', answer: ['Google-GeminiNotebook'] },
    ],
  },
  {
    id: 'copilot',
    name: 'Microsoft Copilot',
    operator: 'Microsoft',
    knownToGa4: true,
    facts: [
      { source: 'bing_bots', search: ['bingbot'] },
      { source: 'ai_robots', search: ['AzureAI-SearchBot'] },
      { source: 'matomo', host: ['copilot.microsoft.com'] },
      { source: 'snowplow', utm_observed: ['copilot.com'] },
      { source: 'seo', host: ['copilot.com'] },
      {
        source: 'rybbit',
        mixed_host: ['copilot.cloud.microsoft', 'm365.cloud.microsoft', 'edgeservices.bing.com'],
        utm_tagged: ['copilot'],
        app: ['com.microsoft.copilot'],
      },
    ],
  },
  {
    id: 'siri',
    name: 'Siri',
    operator: 'Apple',
    facts: [{ source: 'apple_bots', search: ['Applebot'] }],
  },
  {
    id: 'alexa',
    name: 'Alexa',
    operator: 'Amazon',
    facts: [
      {
        source: 'amazon_bots',
        training: ['Amazonbot'],
        search: ['Amzn-SearchBot'],
        answer: ['Amzn-User'],
      },
    ],
  },
  {
    id: 'amazon_rufus',
    name: 'Amazon Rufus and Buy for Me',
    operator: 'Amazon',
    facts: [
      { source: 'ai_robots', action: ['AmazonBuyForMe'] },
      // They read other shops' products for what Amazon shows.
      {
        source: 'crawler_user_agents',
        search: ['AmazonProductDiscovery', 'AmazonSellerInitiatedListing'],
      },
    ],
  },
  {
    id: 'nova_act',
    name: 'Amazon Nova Act',
    operator: 'Amazon',
    facts: [{ source: 'ai_robots', action: ['NovaAct'] }],
  },
  {
    // A browser for other agents, which it does not name.
    id: 'bedrock_agentcore',
    name: 'Amazon Bedrock AgentCore Browser',
    operator: 'Amazon',
    facts: [{ source: 'crawler_user_agents', action: ['Amazon-Bedrock-AgentCore-Browser'] }],
  },
  {
    // duckduckgo.com itself is a search engine.
    id: 'duck_ai',
    name: 'Duck.ai',
    operator: 'DuckDuckGo',
    facts: [
      { source: 'duckduckgo_bots', answer: ['DuckAssistBot'] },
      { source: 'rybbit', host: ['duck.ai'] },
    ],
  },
  {
    id: 'mistral_le_chat',
    name: 'Le Chat',
    operator: 'Mistral',
    facts: [
      { source: 'mistral_bots', search: ['MistralAI-Index'], answer: ['MistralAI-User'] },
      { source: 'matomo', host: ['chat.mistral.ai'] },
      { source: 'rybbit', utm_observed: ['mistral', 'lechat'] },
    ],
  },
  {
    // It writes `?referrer=grok.com` into its links: see `unifyMarks`.
    id: 'grok',
    name: 'Grok',
    operator: 'xAI',
    knownToGa4: true,
    facts: [
      { source: 'matomo', host: ['grok.com'] },
      { source: 'rybbit', utm_observed: ['grok'] },
      { source: 'ga4_regex', mixed_host: ['x.ai'] },
      { source: 'lists', app: ['ai.x.grok'] },
    ],
  },
  {
    id: 'meta_ai',
    name: 'Meta AI',
    operator: 'Meta',
    facts: [
      { source: 'matomo', host: ['meta.ai'] },
      { source: 'rybbit', utm_tagged: ['metaai'] },
      {
        source: 'meta_bots',
        training: ['meta-externalagent', 'FacebookBot'],
        search: ['meta-webindexer'],
        answer: ['meta-externalfetcher'],
      },
    ],
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    operator: 'DeepSeek',
    knownToGa4: true,
    facts: [
      {
        source: 'rybbit',
        host: ['deepseek.com'],
        utm_observed: ['deepseek'],
        app: ['com.deepseek.chat'],
      },
      { source: 'ai_robots', training: ['DeepSeekBot'] },
    ],
  },
  {
    id: 'qwen',
    name: 'Qwen',
    operator: 'Alibaba',
    facts: [
      { source: 'rybbit', host: ['qwen.ai'], utm_observed: ['qwen'] },
      { source: 'qwen_hosts', host: ['qianwen.com'], utm_tagged: ['qianwen'] },
      { source: 'tongyi', former: true, host: ['tongyi.aliyun.com', 'tongyi.com'] },
      { source: 'qwenlm', former: true, host: ['chat.qwenlm.ai'] },
      { source: 'ai_robots', answer: ['TongyiBot'] },
    ],
  },
  {
    id: 'kimi',
    name: 'Kimi',
    operator: 'Moonshot AI',
    facts: [
      { source: 'rybbit', host: ['kimi.com'] },
      { source: 'rybbit', former: true, host: ['kimi.moonshot.cn'] },
      { source: 'lists', former: true, host: ['kimi.ai'] },
      { source: 'lists', app: ['com.moonshot.kimichat'] },
      { source: 'posthog', utm_observed: ['kimi'] },
      { source: 'ai_robots', answer: ['Kimi-User'] },
    ],
  },
  {
    id: 'doubao',
    name: 'Doubao',
    operator: 'ByteDance',
    facts: [
      { source: 'rybbit', host: ['doubao.com'] },
      { source: 'posthog', utm_observed: ['doubao'] },
      { source: 'ai_robots', training: ['Bytespider', 'TikTokSpider'] },
    ],
  },
  {
    id: 'chatglm',
    name: 'ChatGLM',
    operator: 'Zhipu AI',
    facts: [
      { source: 'matomo', host: ['chatglm.cn'] },
      { source: 'posthog', utm_observed: ['chatglm'] },
      { source: 'ai_robots', training: ['ChatGLM-Spider'] },
    ],
  },
  {
    id: 'z_ai',
    name: 'Z.ai',
    operator: 'Zhipu AI',
    facts: [{ source: 'rybbit', host: ['chat.z.ai'] }],
  },
  {
    id: 'yuanbao',
    name: 'Yuanbao',
    operator: 'Tencent',
    facts: [
      { source: 'rybbit', host: ['yuanbao.tencent.com'] },
      { source: 'posthog', utm_observed: ['yuanbao'] },
    ],
  },
  {
    id: 'baidu_ai',
    name: 'ERNIE Bot',
    operator: 'Baidu',
    facts: [
      { source: 'matomo', host: ['yiyan.baidu.com'], mixed_host: ['ai.baidu.com'] },
      { source: 'ai_robots', search: ['YiyanBot'] },
    ],
  },
  {
    // The words `you`, `pi` and `poe` as utm_source are too short to mean these assistants.
    id: 'you',
    name: 'You.com',
    operator: 'You.com',
    facts: [
      { source: 'matomo', mixed_host: ['you.com'] },
      { source: 'ai_robots', search: ['YouBot'] },
    ],
  },
  {
    id: 'poe',
    name: 'Poe',
    operator: 'Quora',
    facts: [{ source: 'rybbit', host: ['poe.com'], app: ['com.quora.poe'] }],
  },
  {
    id: 'pi',
    name: 'Pi',
    operator: 'Inflection AI',
    facts: [
      { source: 'rybbit', host: ['pi.ai'] },
      { source: 'rybbit', former: true, host: ['heypi.com'] },
    ],
  },
  {
    id: 'character_ai',
    name: 'Character.AI',
    operator: 'Character Technologies',
    facts: [{ source: 'rybbit', host: ['character.ai'], app: ['ai.character.app'] }],
  },
  {
    id: 'phind',
    name: 'Phind',
    operator: 'Phind',
    facts: [
      { source: 'phind_closed', former: true, host: ['phind.com'] },
      { source: 'ai_robots', search: ['PhindBot'] },
    ],
  },
  {
    id: 'iask',
    name: 'iAsk',
    operator: 'iAsk',
    facts: [
      { source: 'matomo', host: ['iask.ai'] },
      { source: 'ai_robots', search: ['iAskBot', 'iaskspider'] },
    ],
  },
  {
    id: 'genspark',
    name: 'Genspark',
    operator: 'Genspark',
    facts: [{ source: 'rybbit', host: ['genspark.ai'] }],
  },
  {
    id: 'manus',
    name: 'Manus',
    operator: 'Butterfly Effect',
    facts: [
      { source: 'rybbit', host: ['manus.im'] },
      { source: 'ai_robots', action: ['Manus-User'] },
    ],
  },
  {
    id: 't3_chat',
    name: 'T3 Chat',
    operator: 'T3 Tools',
    facts: [{ source: 'rybbit', host: ['t3.chat'] }],
  },
  {
    id: 'jasper',
    name: 'Jasper',
    operator: 'Jasper AI',
    facts: [{ source: 'matomo', host: ['app.jasper.ai'] }],
  },
  {
    id: 'writesonic',
    name: 'Writesonic',
    operator: 'Writesonic',
    facts: [
      { source: 'rybbit', host: ['app.writesonic.com'] },
      { source: 'rybbit', former: true, host: ['chatsonic.com'] },
    ],
  },
  {
    id: 'andi',
    name: 'Andi',
    operator: 'Andi Search',
    facts: [{ source: 'ai_robots', host: ['andisearch.com'], search: ['Andibot'] }],
  },
  {
    id: 'chat_plus',
    name: 'Chat+',
    operator: 'Chat+',
    facts: [{ source: 'matomo', host: ['chatplus.com', 'chat-gpt.org'] }],
  },
  {
    id: 'cohere',
    name: 'Cohere',
    operator: 'Cohere',
    facts: [
      { source: 'rybbit', former: true, host: ['coral.cohere.com'] },
      { source: 'ai_robots', training: ['cohere-training-data-crawler'], answer: ['cohere-ai'] },
    ],
  },
  {
    id: 'hugging_chat',
    name: 'HuggingChat',
    operator: 'Hugging Face',
    facts: [{ source: 'rybbit', former: true, utm_tagged: ['huggingchat'] }],
  },
  {
    id: 'komo',
    name: 'Komo',
    operator: 'Komo',
    facts: [{ source: 'komo', host: ['komo.ai'] }],
  },
  {
    id: 'felo',
    name: 'Felo',
    operator: 'Felo',
    facts: [{ source: 'felo', host: ['felo.ai'] }],
  },
  {
    id: 'kagi_assistant',
    name: 'Kagi Assistant',
    operator: 'Kagi',
    facts: [
      { source: 'ai_robots', answer: ['kagi-fetcher'] },
      { source: 'crawler_user_agents', search: ['Kagibot'] },
    ],
  },
  {
    id: 'devin',
    name: 'Devin',
    operator: 'Cognition',
    facts: [{ source: 'crawler_user_agents', action: ['Devin'] }],
  },
  {
    id: 'twin',
    name: 'Twin',
    operator: 'Twin Labs',
    facts: [{ source: 'crawler_user_agents', action: ['TwinAgent'] }],
  },
  {
    id: 'wrtn',
    name: 'Wrtn',
    operator: 'Wrtn Technologies',
    facts: [
      { source: 'gtm_template', host: ['wrtn.ai'] },
      { source: 'ai_robots', search: ['WRTNBot'] },
    ],
  },
  {
    id: 'metaso',
    name: 'Metaso',
    operator: 'Metaso',
    facts: [{ source: 'lists', host: ['metaso.cn'] }],
  },
  {
    id: 'consensus',
    name: 'Consensus',
    operator: 'Consensus',
    facts: [{ source: 'gtm_template', host: ['consensus.app'] }],
  },
  {
    id: 'liner',
    name: 'Liner',
    operator: 'Liner',
    facts: [
      { source: 'ai_robots', search: ['LinerBot'] },
      { source: 'lists', host: ['liner.com'] },
    ],
  },
]

/** "ChatGPT" for `chatgpt`; an id without a row stays as it is. */
export const surfaceName = (id: string): string =>
  id === OTHER_AI ? 'Other AI' : (SURFACES.find((each) => each.id === id)?.name ?? id)
