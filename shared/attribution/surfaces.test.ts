import { describe, expect, test } from 'vitest'
import { AI_AGENTS } from '../audit/checks/well-known/ai-agents.ts'
import { classify, reportedSurface, type Signals } from './classify/classify.ts'
import { CLICK_FACTS, findHost, indexSurfaces } from './surface-index.ts'
import { type FactKind, FETCH_PURPOSES, OTHER_AI, SOURCES, SURFACES } from './surfaces.ts'

const facts = SURFACES.flatMap(({ id, facts }) =>
  facts.flatMap(({ source, former: _, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, values]) =>
      values.map((value) => ({ id, source, kind: kind as FactKind, value })),
    ),
  ),
)
const SHOP = 'https://shop.example/products/boot'

const called = (token: string) => ({ userAgent: `Mozilla/5.0 (compatible; ${token}/1.0)` })

/** A visit that shows this fact and nothing else. */
const VISIT: Record<FactKind, (value: string) => Signals> = {
  host: (value) => ({ referrer: `https://${value}/` }),
  mixed_host: (value) => ({ referrer: `https://www.${value}/` }),
  app: (value) => ({ referrer: `android-app://${value}/` }),
  utm_documented: (value) => ({ landing: `${SHOP}?utm_source=${value}` }),
  utm_observed: (value) => ({ landing: `${SHOP}?utm_source=${value}` }),
  utm_tagged: (value) => ({ landing: `${SHOP}?utm_source=${value}` }),
  click_id: (value) => ({ landing: `${SHOP}?${value}=x` }),
  ...{ training: called, search: called, answer: called, action: called },
  signer: (value) => ({ signatureAgent: `g="https://${value}"` }),
}

const isCrawler = (kind: FactKind) => kind === 'training' || kind === 'search'

test.each(facts.filter(({ kind }) => !isCrawler(kind)))('$kind $value is $id', (fact) => {
  expect(classify(VISIT[fact.kind](fact.value)).surface).toBe(fact.id)
})

test.each(facts.filter(({ kind }) => isCrawler(kind)))('$value is nobody’s visit', (fact) => {
  expect(classify(called(fact.value)).kind).toBeNull()
})

test.each(facts.filter(({ kind }) => kind === 'host'))('$value names itself only', ({ value }) => {
  for (const near of [`not${value}`, `${value}.evil.example`, `evil.example/${value}`]) {
    expect(classify({ referrer: `https://${near}` }).surface).toBeNull()
  }
  for (const near of [`${value}@evil.example`, `evil.example/?x=${value}`]) {
    expect(classify({ referrer: `https://${near}` }).surface).toBeNull()
  }
  expect(classify({ landing: `${SHOP}?x=${value}&utm_campaign=${value}` }).surface).toBeNull()
})

test('there are enough surfaces, each with an id of its own, in the form the API takes', () => {
  const ids = SURFACES.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThanOrEqual(35)
  expect(ids).toEqual(expect.arrayContaining(['chatgpt', 'google_ai_mode', 'perplexity']))
  expect(ids).not.toContain(OTHER_AI)
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9_]*$/)
  for (const { facts } of SURFACES) expect(facts.length).toBeGreaterThan(0)
})

test('a fact stands on one row, once, under a source with a date', () => {
  const keys = facts.map(({ kind, value }) => `${kind} ${value.toLowerCase()}`)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  for (const { source } of facts) expect(SOURCES[source].date).toMatch(/^20\d\d-\d\d(-\d\d)?$/)
  const used = new Set(facts.map(({ source }) => source))
  expect(Object.keys(SOURCES).filter((source) => !used.has(source as never))).toEqual([])
  for (const { kind, value } of facts) {
    const form = FETCH_PURPOSES.some((purpose) => purpose === kind)
      ? /^[\w.-]+$/
      : /^[a-z0-9]+([.-][a-z0-9]+)*$/
    expect(value).toMatch(form)
  }
})

test('no host is listed both as an assistant and as mixed, nor under another listed host', () => {
  const hosts = facts.filter(({ kind }) => kind === 'host' || kind === 'mixed_host')
  for (const { value } of hosts) {
    const others = hosts.filter((other) => other.value !== value)
    expect(others.filter((other) => value.endsWith(`.${other.value}`))).toEqual([])
  }
})

test('robots.txt is read for the tokens that operators document', () => {
  expect(AI_AGENTS.map(({ token, purpose }) => `${token} ${purpose}`)).toEqual([
    'OAI-SearchBot search',
    'ChatGPT-User user',
    'PerplexityBot search',
    'Perplexity-User user',
    'Claude-SearchBot search',
    'Claude-User user',
    'Googlebot search',
    'Google-Agent user',
    'bingbot search',
    'Applebot search',
    'Amzn-SearchBot search',
    'Amzn-User user',
    'DuckAssistBot user',
    'MistralAI-User user',
    'meta-webindexer search',
    'meta-externalfetcher user',
  ])
  expect(AI_AGENTS.filter(({ follows }) => follows).map(({ token }) => token)).toEqual(['Applebot'])
  const { userAgent, ...first } = AI_AGENTS[0]!
  expect(userAgent).toContain('OAI-SearchBot/1')
  expect(first).toEqual({
    token: 'OAI-SearchBot',
    operator: 'OpenAI',
    purpose: 'search',
    obeysRobots: true,
    shops: true,
    source: 'developers.openai.com/api/docs/bots',
  })
  expect(AI_AGENTS.filter(({ obeysRobots }) => !obeysRobots).map(({ token }) => token)).toEqual([
    'ChatGPT-User',
    'Perplexity-User',
    'Google-Agent',
    'meta-externalfetcher',
  ])
})

describe('an index of the table', () => {
  const index = indexSurfaces(CLICK_FACTS, SURFACES)
  const clicks = facts.filter(({ kind }) => (CLICK_FACTS as readonly string[]).includes(kind))

  test('holds every fact of a click and no other', () => {
    const held = CLICK_FACTS.flatMap((kind) =>
      [...(index[kind] ?? [])].map(([value, id]) => [kind, value, id]),
    )
    expect(held.sort()).toEqual(
      clicks.map(({ kind, value, id }) => [kind, value.toLowerCase(), id]).sort(),
    )
  })

  test('knows a host by whole labels', () => {
    expect(findHost(index, ['host'], 'www.perplexity.ai')?.value).toBe('perplexity.ai')
    expect(findHost(index, ['host'], 'ai')).toBeNull()
    expect(findHost(index, ['host'], '')).toBeNull()
    expect(findHost(index, ['host'], '...')).toBeNull()
    expect(findHost(index, ['host'], 'labs.openai.com')).toBeNull()
    expect(findHost(index, ['mixed_host'], 'labs.openai.com')?.surface).toBe('chatgpt')
  })
})

test('what is on no row is reported as other_ai', () => {
  expect(reportedSurface('chatgpt')).toBe('chatgpt')
  expect(reportedSurface('my_new_assistant')).toBe('other_ai')
  expect(reportedSurface('constructor')).toBe('other_ai')
})
