import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, anyUrl } from '../../testing/any-text.ts'
import { OTHER_AI } from '../surfaces.ts'
import { classify, MODEL, type Signals } from './classify.ts'
import type { Kind } from './visit.ts'
import {
  bandOf,
  CALLER_WEIGHTS,
  CLICK_WEIGHTS,
  type Damping,
  FACTORS,
  type SurfaceEvidence,
  surfaceEvidenceOf,
  WEIGHTS_VERSION,
  weigh,
} from './weigh.ts'

const SHOP = 'https://shop.example/products/boot'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36'
const tagged = (source: string) => `${SHOP}?utm_source=${source}`
const verdict = (signals: Signals) => {
  const { surface, kind, confidence } = classify(signals)
  return [surface, kind, confidence]
}

const WEIGHED: [string, Signals, unknown[]][] = [
  ['host', { referrer: 'https://chatgpt.com/' }, ['chatgpt', 'referral', 0.95]],
  ['app', { referrer: 'android-app://com.quora.poe/' }, ['poe', 'referral', 0.9]],
  ['mixed_host', { referrer: 'https://you.com/' }, ['you', 'referral', 0.7]],
  ['utm_documented', { landing: tagged('chatgpt.com') }, ['chatgpt', 'referral', 0.85]],
  ['utm_observed', { landing: tagged('perplexity') }, ['perplexity', 'referral', 0.7]],
  ['utm_tagged', { landing: tagged('claude') }, ['claude', 'referral', 0.55]],
  ['click_id', { landing: `${SHOP}?oppref=x` }, ['chatgpt', 'referral', 0.85]],
  ['utm_medium', { landing: `${SHOP}?utm_medium=ai-search` }, ['other_ai', 'referral', 0.55]],
  [
    'text_fragment_from_google',
    { textFragment: true, referrer: 'https://www.google.co.uk/' },
    ['google_ai_mode', 'referral', 0.25],
  ],
  ['text_fragment', { textFragment: true }, ['google_ai_mode', 'referral', 0.1]],
  ['signature_agent', { signatureAgent: 'https://chatgpt.com' }, ['chatgpt', 'agent', 0.7]],
  ['user_agent', { userAgent: 'Claude-User/1.0' }, ['claude', 'agent', 0.7]],
  ['signed', { verified: { by: 'signature', surface: 'chatgpt' } }, ['chatgpt', 'agent', 0.99]],
  [
    'signed_platform',
    {
      ucpAgent: 'profile="https://gemini.google.com/ucp.json"',
      verified: { by: 'platform', surface: 'gemini' },
    },
    ['gemini', 'protocol', 0.97],
  ],
  [
    'verified_address',
    { userAgent: 'Claude-User/1.0', verified: { by: 'address', surface: 'claude' } },
    ['claude', 'agent', 0.95],
  ],
  [
    'ucp_agent',
    { ucpAgent: 'x="https://evil.example", profile="https://gemini.google.com/ucp.json"' },
    ['gemini', 'protocol', 0.75],
  ],
  ['declared', { aiSurface: 'google_ai_mode' }, ['google_ai_mode', 'protocol', 0.85]],
  [
    'ucp_attribution',
    { ucpAttribution: { campaign_source: 'perplexity' } },
    ['perplexity', 'protocol', 0.7],
  ],
  [
    'acp_affiliate',
    { affiliateAttribution: { provider: 'x', source: { url: 'https://chatgpt.com/c/1' } } },
    ['chatgpt', 'protocol', 0.7],
  ],
  ['protocol', { source: 'acp' }, ['other_ai', 'protocol', 0.5]],
]

test.each(WEIGHED)('%s alone', (signal, signals, expected) => {
  expect(verdict(signals)).toEqual(expected)
  expect(classify(signals).evidence.map((each) => each.signal)).toContain(signal)
})

test('every weight is in that table', () => {
  expect(WEIGHED.map(([signal]) => signal).sort()).toEqual(
    [...Object.keys(CLICK_WEIGHTS), ...Object.keys(CALLER_WEIGHTS)].sort(),
  )
})

test.each<[string, Signals, unknown[]]>([
  [
    'referrer and tag agree',
    { referrer: 'https://chatgpt.com/', landing: tagged('chatgpt.com') },
    ['chatgpt', 'referral', 0.99],
  ],
  [
    'a tag copied into a README',
    { referrer: 'https://github.com/', landing: tagged('chatgpt.com') },
    ['chatgpt', 'referral', 0.43],
  ],
  [
    'a tag in a mail',
    { referrer: 'android-app://com.google.android.gm/', landing: tagged('chatgpt.com') },
    ['chatgpt', 'referral', 0.43],
  ],
  [
    'a page of the shop is no other site',
    { referrer: 'https://www.shop.example/', landing: tagged('chatgpt.com') },
    ['chatgpt', 'referral', 0.85],
  ],
  [
    'an advertisement in the assistant, under another source',
    { landing: `${tagged('chatgptpilot')}&utm_medium=paid&oppref=x&olref=y` },
    ['chatgpt', 'referral', 0.85],
  ],
  [
    'an advertisement in the assistant, tagged as it and as paid',
    { landing: `${tagged('chatgpt.com')}&utm_medium=cpc&oppref=x` },
    ['chatgpt', 'referral', 0.85],
  ],
  [
    'an advertisement in the assistant, with its referrer',
    { referrer: 'https://chatgpt.com/', landing: `${SHOP}?utm_medium=paid&oppref=x` },
    ['chatgpt', 'referral', 0.99],
  ],
  [
    'the address of an advertisement that was copied',
    { referrer: 'https://github.com/', landing: `${tagged('chatgpt.com')}&oppref=x` },
    ['chatgpt', 'referral', 0.43],
  ],
  [
    'the address of an advertisement elsewhere, used for one in the assistant',
    { landing: `${SHOP}?gclid=y&oppref=x` },
    ['chatgpt', 'referral', 0.85],
  ],
  [
    'the address of an advertisement in the assistant, used for one elsewhere',
    { landing: `${tagged('chatgpt')}&oppref=x&yclid=y` },
    ['chatgpt', 'referral', 0.21],
  ],
  ['a paid click', { landing: `${tagged('chatgpt.com')}&gclid=x` }, ['chatgpt', 'referral', 0.26]],
  [
    'an app in capitals',
    { referrer: 'android-app://com.OpenAI.ChatGPT/' },
    ['chatgpt', 'referral', 0.9],
  ],
  [
    'a text fragment from the app of Google',
    { textFragment: true, referrer: 'android-app://com.google.android.googlequicksearchbox/' },
    ['google_ai_mode', 'referral', 0.25],
  ],
  [
    'a paid click on a copied link',
    { referrer: 'https://t.co/', landing: `${tagged('chatgpt.com')}&fbclid=x` },
    ['chatgpt', 'referral', 0.13],
  ],
  [
    'two surfaces dispute',
    { referrer: 'https://www.perplexity.ai/', landing: tagged('chatgpt.com') },
    ['perplexity', 'referral', 0.67],
  ],
  [
    'a text fragment disputes nothing',
    { landing: tagged('chatgpt.com'), textFragment: true },
    ['chatgpt', 'referral', 0.85],
  ],
  [
    'a medium disputes nothing',
    { landing: `${tagged('perplexity')}&utm_medium=ai` },
    ['perplexity', 'referral', 0.7],
  ],
  [
    'an assistant as likely as any goes first',
    { landing: `${tagged('claude')}&utm_medium=ai` },
    ['claude', 'referral', 0.55],
  ],
  [
    'a URL as source',
    { landing: tagged(encodeURIComponent('https://chatgpt.com/')) },
    ['chatgpt', 'referral', 0.85],
  ],
  [
    'a URL with a path as source',
    { landing: tagged(encodeURIComponent('HTTPS://www.Perplexity.ai/search?q=boots')) },
    ['perplexity', 'referral', 0.55],
  ],
  ['www. and a host as source', { landing: tagged('www.claude.ai') }, ['claude', 'referral', 0.55]],
  ['a host as source', { landing: tagged('gemini.google.com') }, ['gemini', 'referral', 0.55]],
  [
    'the mark that Grok writes into its links',
    { landing: `${SHOP}?referrer=grok.com` },
    ['grok', 'referral', 0.55],
  ],
  [
    'the mark of Grok after a parameter of the page, with its referrer',
    { referrer: 'https://grok.com/', landing: `${SHOP}?variant=1&referrer=grok.com` },
    ['grok', 'referral', 0.98],
  ],
  ['the new host of Qwen', { referrer: 'https://www.qianwen.com/' }, ['qwen', 'referral', 0.95]],
  ['a former host of it', { referrer: 'https://tongyi.aliyun.com/' }, ['qwen', 'referral', 0.95]],
  ['its name as source', { landing: tagged('qianwen') }, ['qwen', 'referral', 0.55]],
  [
    'what ten conventions call a visit by AI',
    { landing: `${SHOP}?utm_medium=ai_referral` },
    ['other_ai', 'referral', 0.55],
  ],
  ['case and space', { landing: tagged('%20ChatGPT.com') }, ['chatgpt', 'referral', 0.85]],
  ['a trailing dot', { referrer: 'https://chatgpt.com./' }, ['chatgpt', 'referral', 0.95]],
  [
    'one User-Agent proves a surface once',
    { userAgent: 'Google-Agent GoogleAgent-Mariner Gemini-Deep-Research' },
    ['gemini', 'agent', 0.7],
  ],
  [
    'two agents in one User-Agent',
    { userAgent: 'ChatGPT-User/1.0 Claude-User/1.0' },
    ['chatgpt', 'agent', 0.49],
  ],
  [
    'User-Agent and Signature-Agent',
    { userAgent: 'ChatGPT', signatureAgent: 'https://chatgpt.com' },
    ['chatgpt', 'agent', 0.91],
  ],
  [
    'another User-Agent does not dispute a signature',
    { userAgent: 'Claude-User/1.0', verified: { by: 'signature', surface: 'chatgpt' } },
    ['chatgpt', 'agent', 0.99],
  ],
  [
    'an agent of no listed surface, for which Visa vouches',
    { verified: { by: 'signature', surface: 'other_ai' } },
    ['other_ai', 'agent', 0.99],
  ],
  [
    'the surface that such an agent names',
    { userAgent: 'Claude-User/1.0', verified: { by: 'signature', surface: 'other_ai' } },
    ['claude', 'agent', 0.7],
  ],
  [
    'a platform whose signature is that of another',
    {
      ucpAgent: 'profile="https://gemini.google.com/ucp.json"',
      verified: { by: 'platform', surface: 'chatgpt' },
    },
    ['gemini', 'protocol', 0.75],
  ],
  [
    'declared, and the agent of another surface has signed',
    { source: 'acp', aiSurface: 'claude', verified: { by: 'signature', surface: 'chatgpt' } },
    ['chatgpt', 'protocol', 0.69],
  ],
  [
    'declared, and the User-Agent agrees',
    { source: 'acp', aiSurface: 'chatgpt', userAgent: 'ChatGPT-User/1.0' },
    ['chatgpt', 'protocol', 0.96],
  ],
  [
    'declared, and the platform disagrees',
    { source: 'ucp', aiSurface: 'chatgpt', ucpAgent: 'https://perplexity.ai/p' },
    ['chatgpt', 'protocol', 0.6],
  ],
  [
    'too disputed to be told apart',
    { source: 'ucp', ucpAttribution: { campaign_source: 'grok' }, userAgent: 'Claude-User' },
    ['other_ai', 'protocol', 0.5],
  ],
  [
    'an unknown platform speaks UCP',
    { ucpAgent: 'profile="https://agent.example/ucp"' },
    ['other_ai', 'protocol', 0.5],
  ],
  [
    'UCP named twice is UCP once',
    { source: 'ucp', ucpAgent: 'profile="https://agent.example/ucp"' },
    ['other_ai', 'protocol', 0.5],
  ],
  [
    'a declared surface on no row is kept',
    { source: 'ucp', aiSurface: 'my_new_assistant' },
    ['my_new_assistant', 'protocol', 0.85],
  ],
  [
    'the parameters of a landing URL within UCP',
    {
      source: 'ucp',
      ucpAttribution: { utm_source: 'chatgpt.com', utm_medium: 'agentic_commerce' },
    },
    ['chatgpt', 'protocol', 0.7],
  ],
  [
    'names of GA4 and of a URL within UCP',
    { ucpAttribution: { campaign_source: 'grok', utm_source: 'perplexity' } },
    ['grok', 'protocol', 0.7],
  ],
  [
    'a newsletter that names an assistant within UCP',
    { source: 'ucp', ucpAttribution: { utm_source: 'chatgpt.com', utm_medium: 'email' } },
    ['other_ai', 'protocol', 0.5],
  ],
  [
    'an advertisement within UCP',
    { source: 'ucp', ucpAttribution: { campaign_source: 'perplexity', gclid: 'x' } },
    ['other_ai', 'protocol', 0.5],
  ],
  [
    'an advertisement in an assistant within UCP',
    { source: 'ucp', ucpAttribution: { campaign_medium: 'cpc', oppref: 'x' } },
    ['chatgpt', 'protocol', 0.7],
  ],
  [
    'an affiliate network that is an assistant',
    { affiliateAttribution: { provider: 'perplexity.ai' } },
    ['perplexity', 'protocol', 0.7],
  ],
])('%s', (_, signals, expected) => {
  expect(verdict(signals)).toEqual(expected)
})

test.each<[string, Signals]>([
  ['nothing', {}],
  ['an empty referrer', { referrer: '', landing: SHOP, userAgent: BROWSER }],
  ['a host that ends otherwise', { referrer: 'https://chatgpt.com.evil.example/' }],
  ['a host that begins otherwise', { referrer: 'https://notclaude.ai/' }],
  ['a host that contains you.com', { referrer: 'https://bayou.com/' }],
  ['another that does', { referrer: 'https://www.thankyou.com/' }],
  ['a host in a query', { referrer: 'https://blog.example/?x=chatgpt.com' }],
  ['a host in the landing query', { landing: `${SHOP}?x=chatgpt.com` }],
  ['a host before an @', { referrer: 'https://chatgpt.com@evil.example/' }],
  ['a host in a path', { referrer: 'https://x.com/i/grok' }],
  ['a host in another scheme', { referrer: 'ftp://chatgpt.com/' }],
  ['a host without a scheme', { referrer: 'chatgpt.com' }],
  ['a look-alike', { referrer: 'https://chаtgpt.com/' }],
  ['DuckDuckGo', { referrer: 'https://duckduckgo.com/' }],
  ['Google', { referrer: 'https://www.google.com/' }],
  ['Bing', { referrer: 'https://www.bing.com/' }],
  ['Baidu', { referrer: 'https://www.baidu.com/' }],
  ['the company, not the assistant', { referrer: 'https://openai.com/' }],
  ['a mail host', { referrer: 'https://mail.google.com/' }],
  ['an app', { referrer: 'android-app://com.google.android.gm/' }],
  ['an app that begins otherwise', { referrer: 'android-app://evil.com.openai.chatgpt/' }],
  ['an app that ends otherwise', { referrer: 'android-app://com.openai.chatgpt.evil/' }],
  ['a campaign', { landing: tagged('campaign') }],
  ['a medium with ai in it', { landing: `${SHOP}?utm_medium=email` }],
  ['a campaign about AI', { landing: `${SHOP}?utm_campaign=ai-webinar&utm_term=chatgpt` }],
  ...[
    'retailmenot',
    'poetry',
    'tailwind',
    'gmail',
    'mailchimp',
    'github',
    'youtube',
    'snapchat',
    'you',
    'pi',
    'poe',
    'baidu',
    'chatgpt.com.evil.example',
    'notchatgpt.com',
    'chatgpt,google',
    '__proto__',
  ].map((source): [string, Signals] => [`utm_source ${source}`, { landing: tagged(source) }]),
  ['a text fragment from elsewhere', { textFragment: true, referrer: 'https://blog.example/' }],
  [
    'a text fragment from a look-alike of Google',
    { textFragment: true, referrer: 'https://www.google.com.evil.example/' },
  ],
  [
    'a text fragment within the shop',
    { textFragment: true, referrer: 'https://shop.example/', landing: SHOP },
  ],
  ['srsltid', { landing: `${SHOP}?srsltid=AfmBOo` }],
  ['an assistant that is the shop', { referrer: 'https://chat.z.ai/', landing: 'https://z.ai/' }],
  ['an ordinary browser', { userAgent: BROWSER }],
  ['an AI browser', { userAgent: `${BROWSER} Atlas/1.0` }],
  ['an agent that begins otherwise', { userAgent: 'NotChatGPT-User/1.0' }],
  ['an agent that ends otherwise', { userAgent: 'ChatGPT-User-Tester/1.0' }],
  ['an unknown signer', { signatureAgent: '"https://monitor.example"' }],
  ['a signer that ends otherwise', { signatureAgent: '"https://chatgpt.com.evil.example"' }],
  ['a signer as data', { signatureAgent: '"data:text/html,chatgpt.com"' }],
  ['a protocol that is none', { source: 'mcp' }],
  ['a declaration that is none', { aiSurface: 'Chat GPT' }],
  ['an attribution map of others', { ucpAttribution: { campaign_source: 'newsletter' } }],
  ['a URL of others within UCP', { ucpAttribution: { utm_source: 'newsletter' } }],
  ['a person under Grok’s parameter', { landing: `${SHOP}?referrer=claude` }],
  ['another host under it', { landing: `${SHOP}?referrer=grokking.org` }],
  ['an inherited campaign', { ucpAttribution: Object.create({ campaign_source: 'chatgpt' }) }],
  ['a referrer too long to be one', { referrer: `https://chatgpt.com/${'x'.repeat(9000)}` }],
])('%s is no AI', (_, signals) => {
  expect(classify(signals)).toEqual({
    surface: null,
    kind: null,
    confidence: 0,
    paid: false,
    evidence: [],
    model: MODEL,
  })
})

test.each<[Signals, boolean]>([
  [{ landing: `${tagged('chatgpt.com')}&utm_medium=cpc` }, true],
  [{ referrer: 'https://chatgpt.com/', landing: `${SHOP}?gclid=x` }, true],
  [{ referrer: 'https://chatgpt.com/', landing: `${SHOP}?yclid=x` }, true],
  [{ landing: `${SHOP}?oppref=x` }, true],
  [{ referrer: 'https://chatgpt.com/', landing: `${SHOP}?oppref=` }, false],
  [{ referrer: 'https://chatgpt.com/', landing: `${SHOP}?clid=x` }, true],
  [{ referrer: 'https://chatgpt.com/', landing: `${SHOP}?xclids=x&srsltid=x` }, false],
  [{ referrer: 'https://chatgpt.com/', landing: `${SHOP}?${'x'.repeat(99)}clid=x` }, false],
  [{ ucpAttribution: { campaign_source: 'chatgpt', campaign_medium: 'cpc' } }, true],
  [{ landing: `${tagged('chatgpt.com')}&gclid=` }, false],
  [{ landing: tagged('chatgpt.com') }, false],
])('%j is paid: %s', (signals, paid) => {
  expect(classify(signals)).toMatchObject({ surface: 'chatgpt', paid })
})

const seen = (surface: string | null, kind: Kind, confidence: number) => ({
  visit: { surface, kind, confidence },
})

test.each<[string, Signals, unknown[]]>([
  [
    'names the surface of a purchase',
    seen('chatgpt', 'referral', 0.95),
    ['chatgpt', 'protocol', 0.95],
  ],
  [
    'adds nothing that was said before',
    { aiSurface: 'chatgpt', ...seen('chatgpt', 'protocol', 0.85) },
    ['chatgpt', 'protocol', 0.85],
  ],
  ['of no surface adds nothing', seen(OTHER_AI, 'protocol', 0.5), [OTHER_AI, 'protocol', 0.5]],
  [
    'disputes another surface',
    { aiSurface: 'perplexity', ...seen('chatgpt', 'referral', 0.95) },
    ['chatgpt', 'protocol', 0.67],
  ],
  [
    'gives a shop’s own checkout its kind',
    { source: 'web', ...seen('claude', 'agent', 0.7) },
    ['claude', 'agent', 0.7],
  ],
  [
    'of an agent leaves the User-Agent its word in a shop’s own checkout',
    { source: 'web', userAgent: 'Claude-User/1.0', ...seen(null, 'agent', 0) },
    ['claude', 'agent', 0.7],
  ],
  [
    'of a click takes no word of a User-Agent',
    { source: 'web', userAgent: 'Claude-User/1.0', ...seen('chatgpt', 'referral', 0.95) },
    ['chatgpt', 'referral', 0.95],
  ],
  [
    'that is surer than the purchase counts alone',
    { aiSurface: 'chatgpt', ...seen('chatgpt', 'referral', 0.95) },
    ['chatgpt', 'protocol', 0.95],
  ],
  [
    'of a kind that is none proves nothing',
    { source: 'web', ...seen('chatgpt', 'robot' as Kind, 0.95) },
    [null, null, 0],
  ],
  [
    'of what is no surface proves nothing',
    { source: 'web', ...seen('Chat GPT', 'referral', 0.95) },
    [null, null, 0],
  ],
  [
    'that is surer than can be proves nothing',
    { source: 'web', ...seen('chatgpt', 'referral', 7) },
    [null, null, 0],
  ],
  [
    'that nobody reported proves nothing',
    { source: 'web', ...seen(null, 'referral', 0) },
    [null, null, 0],
  ],
])('a visit %s', (_, signals, expected) => {
  expect(verdict({ source: 'acp', ...signals })).toEqual(expected)
})

const medium = (name: string) => ({ landing: `${tagged('chatgpt.com')}&utm_medium=${name}` })

test.each([
  ...['email', 'E-Mail', 'e_mail', 'newsletter', 'social', 'organic-social', 'paid_social', 'sm'],
  ...['cpc', 'ppc', 'cpm', 'paid', 'display', 'banner', 'affiliate', 'affiliates', 'partnership'],
  ...['influencer', 'sms', 'push', 'web-push', 'notification', 'qr', 'print', 'retargeting'],
])('utm_medium=%s: no assistant wrote the tag', (name) => {
  const { confidence, evidence } = classify(medium(name))
  expect(confidence).toBe(0.26)
  expect(evidence[0]?.damped).toEqual(['other_medium'])
  // The browser itself names the assistant.
  const seen = classify({ referrer: 'https://chatgpt.com/', ...medium(name) })
  expect(seen).toMatchObject({ surface: 'chatgpt', confidence: 0.96 })
})

test.each([
  ...['', 'referral', 'organic', 'ai', 'ai-chat', 'ai-search', 'chat', 'llm', 'answer', 'search'],
  ...['link', 'web', 'app', 'shopping', 'mcp', 'agent', '(none)', 'assistant', 'chatgpt'],
])('utm_medium=%s says nothing against an assistant', (name) => {
  expect(classify(medium(name))).toMatchObject({ surface: 'chatgpt', confidence: 0.85 })
})

test('a click id and a medium damp once', () => {
  const landing = `${tagged('chatgpt.com')}&utm_medium=cpc&gclid=x`
  expect(classify({ landing }).evidence[0]?.damped).toEqual(['paid_click'])
})

test('the medium of an order damps its source', () => {
  const ucpAttribution = { campaign_source: 'perplexity', campaign_medium: 'email' }
  expect(classify({ ucpAttribution })).toMatchObject({ surface: 'perplexity', confidence: 0.21 })
})

test('evidence says what matched and why it weighs less', () => {
  const landing = `${tagged('chatgpt.com')}&gclid=secret&email=ann@example.com`
  expect(classify({ referrer: 'https://github.com/ann/notes', landing }).evidence).toEqual([
    {
      signal: 'utm_documented',
      surface: 'chatgpt',
      weight: 0.85 * 0.5 * 0.3,
      value: 'chatgpt.com',
      damped: ['copied_link', 'paid_click'],
    },
  ])
})

test.each([
  [0.99, 'high'],
  [0.81, 'high'],
  [0.8, 'probable'],
  [0.5, 'probable'],
  [0.49, 'weak'],
  [0, 'weak'],
])('%d is %s', (confidence, band) => {
  expect(bandOf(confidence)).toBe(band)
})

test('the weights have a new version whenever a weight or a factor changes', () => {
  const all = JSON.stringify([CLICK_WEIGHTS, CALLER_WEIGHTS, FACTORS])
  const fingerprint = hash('sha256', all).slice(0, 12)
  expect(
    [WEIGHTS_VERSION, fingerprint],
    "A weight or a factor changed: set WEIGHTS_VERSION in weigh.ts to today's date, then both values here.",
  ).toEqual(['2026-11-30', '0917d52bad25'])
})

test('the model names the weights and the table, in the form that events are stored with', () => {
  expect(MODEL).toMatch(/^2026-11-30\.[0-9a-f]{8}$/)
  expect(classify({}).model).toBe(MODEL)
})

// --- Properties -----------------------------------------------------------------------------

const IDS = ['chatgpt', 'perplexity', 'gemini', OTHER_AI]
const anySurface = fc.constantFrom(...IDS)
const WEIGHTS = { ...CLICK_WEIGHTS, ...CALLER_WEIGHTS }
const evidence: fc.Arbitrary<SurfaceEvidence> = fc
  .record({
    signal: fc.constantFrom(...(Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[])),
    surface: anySurface,
    damped: fc
      .tuple(fc.subarray(['copied_link'] as const), fc.constantFrom('paid_click', 'other_medium'))
      .chain(([copied, other]) => fc.constantFrom<readonly Damping[]>(copied, [...copied, other])),
  })
  .map(({ signal, surface, damped }) => surfaceEvidenceOf(WEIGHTS, signal, surface, '', damped))

describe('evidence together', () => {
  test('stays in range and names a surface that it speaks of', () => {
    fc.assert(
      fc.property(fc.array(evidence), (list) => {
        const { surface, confidence } = weigh(list)
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(0.99)
        if (list.length > 0) expect(list.map((each) => each.surface)).toContain(surface)
        else expect(surface).toBeNull()
      }),
    )
  })

  test('says the same in any order', () => {
    const shuffled = fc
      .array(evidence, { maxLength: 12 })
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        ),
      )
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(weigh(other)).toEqual(weigh(list))
      }),
    )
  })

  test('breaks a tie by name, not by rounding or by who came first', () => {
    const signals = ['utm_documented', 'user_agent', 'utm_tagged', 'declared', 'host'] as const
    const of = (surface: string, list: readonly (typeof signals)[number][]) =>
      list.map((signal) => surfaceEvidenceOf(WEIGHTS, signal, surface, ''))
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...signals], { minLength: signals.length }),
        fc.shuffledSubarray([...signals], { minLength: signals.length }),
        (one, two) => {
          const expected = { surface: 'chatgpt', confidence: 0.69 }
          expect(weigh([...of('chatgpt', one), ...of('perplexity', two)])).toEqual(expected)
          expect(weigh([...of('perplexity', one), ...of('chatgpt', two)])).toEqual(expected)
        },
      ),
    )
  })

  test('never says less of a surface for more evidence of it', () => {
    fc.assert(
      fc.property(fc.array(evidence, { minLength: 1 }), evidence, (list, more) => {
        const before = weigh(list)
        const after = weigh([...list, { ...more, surface: before.surface ?? OTHER_AI }])
        expect(after.surface).toBe(before.surface)
        expect(after.confidence).toBeGreaterThanOrEqual(before.confidence)
      }),
    )
  })
})

const HOSTS = ['chatgpt.com', 'www.perplexity.ai', 'you.com', 'github.com', 'www.google.com']
const SOURCES = ['chatgpt.com', 'perplexity', 'claude', 'newsletter']
const click = fc.record(
  {
    referrer: fc.constantFrom(
      '',
      'https://shop.example/',
      ...HOSTS.map((host) => `https://${host}/`),
    ),
    landing: fc
      .tuple(
        fc.constantFrom('', ...SOURCES.map((source) => `utm_source=${source}`)),
        fc.constantFrom('', 'utm_medium=ai', 'utm_medium=cpc', 'utm_medium=email', 'gclid=x'),
      )
      .chain((parts) => fc.shuffledSubarray(parts, { minLength: 2 }))
      .map((parts) => `${SHOP}?${parts.join('&')}`),
    textFragment: fc.boolean(),
  },
  { requiredKeys: [] },
)
const caller = fc.record(
  {
    userAgent: fc.constantFrom('Claude-User/1.0', 'ChatGPT-User/1.0', 'bingbot/2.0', BROWSER),
    signatureAgent: fc.constantFrom('"https://chatgpt.com"', '"https://monitor.example"'),
    verified: fc.constantFrom<Signals['verified']>(
      { by: 'signature', surface: 'chatgpt' },
      { by: 'address', surface: 'claude' },
      { by: 'platform', surface: 'chatgpt' },
    ),
  },
  { requiredKeys: [] },
)
const purchase = fc.record(
  {
    source: fc.constantFrom('ucp', 'acp', 'web'),
    aiSurface: fc.constantFrom('chatgpt', 'perplexity', 'my_new_assistant', 'no such'),
    ucpAgent: fc.constantFrom('profile="https://chatgpt.com/ucp"', 'https://agent.example/'),
    ucpAttribution: fc.constantFrom({ campaign_source: 'gemini' }, { gclid: 'x' }, null),
    affiliateAttribution: fc.constantFrom({ provider: 'chatgpt.com' }, { provider: 'x.example' }),
  },
  { requiredKeys: [] },
)

describe('kinds', () => {
  test('never mix: what a click shows moves neither an agent nor a purchase', () => {
    fc.assert(
      fc.property(click, caller, purchase, (clicked, called, bought) => {
        const without = classify({ ...called, ...bought })
        const together = classify({ ...clicked, ...called, ...bought })
        if (without.kind !== null) expect(together).toEqual(without)
        else expect(together).toEqual(classify(clicked))
      }),
    )
  })

  test('follow from who speaks', () => {
    fc.assert(
      fc.property(click, caller, purchase, (clicked, called, bought) => {
        expect([null, 'referral']).toContain(classify(clicked).kind)
        expect([null, 'agent']).toContain(classify(called).kind)
        expect([null, 'protocol']).toContain(classify(bought).kind)
        if (classify(bought).kind === 'protocol') {
          expect(classify({ ...called, ...bought }).kind).toBe('protocol')
        }
      }),
    )
  })

  test('within one, an agreeing referrer or declaration never lowers the answer', () => {
    fc.assert(
      fc.property(click, purchase, caller, (clicked, bought, called) => {
        const { referrer: _, ...unreferred } = clicked
        const tag = classify(unreferred)
        if (tag.surface === 'chatgpt') {
          const both = classify({ ...unreferred, referrer: 'https://chatgpt.com/' })
          expect(both.surface).toBe('chatgpt')
          expect(both.confidence).toBeGreaterThanOrEqual(tag.confidence)
        }
        const { aiSurface: __, ...undeclared } = { ...bought, ...called, source: 'ucp' }
        const before = classify(undeclared)
        if (before.surface === null) return
        const after = classify({ ...undeclared, aiSurface: before.surface })
        expect(after.surface).toBe(before.surface)
        expect(after.confidence).toBeGreaterThanOrEqual(before.confidence)
      }),
    )
  })
})

test('the order of parameters, headers and fields changes nothing', () => {
  const parameters = ['utm_source=chatgpt.com', 'utm_medium=ai', 'gclid=x', 'utm_campaign=a']
  fc.assert(
    fc.property(
      fc.shuffledSubarray(parameters, { minLength: parameters.length }),
      fc.shuffledSubarray(Object.entries({ campaign_source: 'grok', gclid: 'x' }), {
        minLength: 2,
      }),
      (query, fields) => {
        expect(verdict({ landing: `${SHOP}?${query.join('&')}` })).toEqual([
          'chatgpt',
          'referral',
          0.26,
        ])
        expect(classify({ ucpAttribution: Object.fromEntries(fields) })).toMatchObject({
          surface: 'grok',
          confidence: 0.21,
        })
      },
    ),
  )
})

describe('whatever a stranger sends', () => {
  const FIELDS = [
    'referrer',
    'landing',
    'textFragment',
    'userAgent',
    'signatureAgent',
    'verified',
    'source',
    'aiSurface',
    'ucpAgent',
    'ucpAttribution',
    'affiliateAttribution',
    'visit',
  ]
  const texts = fc.oneof(
    anyText(),
    anyUrl(),
    fc.constantFrom('https://', 'android-app://', 'https://[::1]', 'https://%', '"', 'profile="'),
  )
  const hostile = fc.record(
    Object.fromEntries(FIELDS.map((name) => [name, fc.oneof(texts, fc.anything())])),
    { requiredKeys: [] },
  )

  test('is answered, in range, with evidence of the one kind', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.anything()), (signals) => {
        const { surface, kind, confidence, evidence } = classify(signals as Signals)
        expect(confidence >= 0 && confidence <= 0.99).toBe(true)
        expect(surface === null).toBe(kind === null)
        expect(surface === null).toBe(evidence.length === 0)
        for (const { value } of evidence) expect(value.length).toBeLessThanOrEqual(64)
      }),
    )
  })

  test.each([
    ['labels', `https://${'a.'.repeat(4_000)}chatgpt.com/`],
    ['quotes', '"'.repeat(1_000_000)],
    ['slashes', `https://${'/'.repeat(1_000_000)}`],
    ['tokens', 'chatgpt-user '.repeat(100_000)],
    ['parameters', `${SHOP}?${'utm_source=chatgpt.com&'.repeat(100_000)}`],
    ['profiles', 'profile="'.repeat(100_000)],
    ['surfaces', 'a'.repeat(1_000_000)],
  ])('a million %s are read as nothing', (_, text) => {
    const nested = { source: { url: text }, provider: text, campaign_source: text }
    const answer = classify({
      referrer: text,
      landing: text,
      userAgent: text,
      signatureAgent: text,
      aiSurface: text,
      ucpAgent: text,
      ucpAttribution: nested,
      affiliateAttribution: nested,
    })
    expect(answer.surface).toBeNull()
  })
})
