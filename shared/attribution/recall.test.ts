import { expect, test } from 'vitest'
import { classify } from './classify/classify.ts'
import { bandOf } from './classify/weigh.ts'
import {
  AI_SOURCES,
  COMPANY_PAGES,
  COMPANY_SITES,
  INNOCENT_HOSTS,
  INNOCENT_SOURCES,
  OTHER_MEDIUMS,
  PUBLIC_LISTS,
} from './testing/public-lists.ts'

const counts = (signals: { referrer?: string; landing?: string }) =>
  bandOf(classify(signals).confidence) !== 'weak'
const fromHost = (host: string) => counts({ referrer: `https://${host}/` })
const fromSource = (source: string, rest = '') =>
  counts({ landing: `https://shop.example/?utm_source=${encodeURIComponent(source)}${rest}` })

const named = Object.values(PUBLIC_LISTS).flatMap((hosts) => [...new Set(hosts)])
const byTwoLists = [...new Set(named)].filter(
  (host) => named.filter((other) => other === host).length > 1,
)

test('each host that two public lists name is a surface, but the sites of companies', () => {
  expect(byTwoLists.length).toBeGreaterThan(30)
  expect(byTwoLists.filter((host) => !fromHost(host)).toSorted()).toEqual(COMPANY_SITES.toSorted())
})

test('documentation, status pages and help below the host of an assistant are not the assistant', () => {
  expect(COMPANY_PAGES.filter(fromHost)).toEqual([])
  const assistants = [
    'www.perplexity.ai',
    'chat.deepseek.com',
    'beta.character.ai',
    'app.jasper.ai',
  ]
  expect(assistants.filter((host) => !fromHost(host))).toEqual([])
})

test('each source that names an assistant is one, as a word, a host or a URL', () => {
  expect(AI_SOURCES.filter((source) => !fromSource(source))).toEqual([])
})

test('no innocent host and no innocent source is one', () => {
  expect(INNOCENT_HOSTS.filter(fromHost)).toEqual([])
  expect(INNOCENT_HOSTS.filter((host) => fromSource(host))).toEqual([])
  expect(INNOCENT_SOURCES.filter((source) => fromSource(source))).toEqual([])
})

test.each(OTHER_MEDIUMS)('no source counts beside utm_medium=%s', (medium) => {
  const rest = `&utm_medium=${medium}`
  expect([...AI_SOURCES, ...INNOCENT_SOURCES].filter((each) => fromSource(each, rest))).toEqual([])
})

test.each([
  [
    'Mozilla/5.0 (Linux; Android 10; K) Chrome/138.0 (compatible; Google-GeminiNotebook)',
    'notebooklm',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0 (compatible; Google-Agent)', 'gemini'],
  [
    'Mozilla/5.0 (compatible; Google-Gemini-CLI/1.0; +https://github.com/google-gemini/gemini-cli)',
    'gemini',
  ],
  ['Mozilla/5.0 (compatible; GoogleAgent-Search)', 'google_ai_mode'],
  ['Mozilla/5.0 (compatible; GoogleAgent-URLContext)', 'gemini'],
  ['Claude-User (claude-code/2.1.92; +https://support.anthropic.com/)', 'claude'],
  ['claude-code/2.1', 'claude'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) Chrome/137.0.0.0 Safari/537.36; Devin/1.0; +https://devin.ai',
    'devin',
  ],
  [
    'Mozilla/5.0 (compatible; Amazon-Bedrock-AgentCore-Browser; +https://aws.amazon.com/bedrock/)',
    'bedrock_agentcore',
  ],
  ['Mozilla/5.0 (compatible; AmazonBuyForMe; +https://www.amazon.com/)', 'amazon_rufus'],
  ['Mozilla/5.0 (compatible; Novaact/1.0; +https://www.novaact.com)', 'nova_act'],
  ['Mozilla/5.0 (compatible; TwinAgent; +https://www.twinagent.com/)', 'twin'],
  ['Mozilla/5.0 (compatible; ChatGPT Agent)', 'chatgpt'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-Browser/1.0; +https://openai.com/bot)',
    'chatgpt',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (compatible; ChatGPT-User/2.0; +https://openai.com/bot)',
    'chatgpt',
  ],
  ['Mozilla/5.0 (compatible; PerplexityUser/1.0; +https://perplexity.ai)', 'perplexity'],
  [
    'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'meta_ai',
  ],
  [
    'Mozilla/5.0 (compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)',
    'mistral_le_chat',
  ],
  ['DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)', 'duck_ai'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', null],
  ['Prometheus-Operator/0.70 k8s-operator/1.0 Operator/1.0', null],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', null],
  ['Devino/2.0 ClaudeShop/1.0 gemini-jewelry/3', null],
])('%s: %s', (userAgent, surface) => {
  expect(classify({ userAgent }).surface).toBe(surface)
})
