import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { namedAgent } from '../../../../shared/attribution/agents.ts'
import { packagesForTests } from '../../../testing/registry.ts'
import { createLogReader } from './read-log.ts'

const packages = await packagesForTests('crawler-user-agents@1.60.0')

interface Crawler {
  instances: string[]
  tags?: string[]
}
const read = (modules: string): Crawler[] =>
  JSON.parse(readFileSync(`${modules}/crawler-user-agents/crawler-user-agents.json`, 'utf8'))

/** Of a log with a line of each, those that it takes for agents. */
function namedIn(userAgents: readonly string[]): string[] {
  const reader = createLogReader('combined')
  const lines = userAgents.map(
    (userAgent, n) =>
      `203.0.113.7 - - [29/Nov/2026:06:00:00 +0000] "GET /${n} HTTP/1.1" 200 5 "-" "${userAgent.replaceAll(/["\\]/g, '\\$&')}"`,
  )
  const requests = [...reader.write(Buffer.from(`${lines.join('\n')}\n`)), ...reader.end()]
  expect(reader.counts).toMatchObject({ lines: userAgents.length, unread: {} })
  return requests.map(({ userAgent }) => userAgent)
}

/** Of operators whose assistants people shop with; retired ones, and robots.txt names alone. */
const SHOPPING =
  /gpt(?:bot|-user)|oai-|claude|anthropic|perplexity|google-?agent|gemini|notebooklm|storebot-google|googlebot|bingbot\/|azureai|amzn|amazon(?:bot|buy|product|seller)|nova-?act/i
const NOT_THESE = /googlebot-(?:mobile|news|ia)|fake-googlebot|adidxbot/i

test.skipIf(packages === null)('crawlers of the public list are named', () => {
  const crawlers = read(packages!)
  const all = crawlers.flatMap(({ instances }) => instances)
  expect(all.length).toBeGreaterThan(2100)
  const named = new Set(namedIn(all))
  const shopping = all.filter((each) => SHOPPING.test(each) && !NOT_THESE.test(each))
  expect(shopping.length).toBeGreaterThan(40)
  expect(shopping.filter((each) => !named.has(each))).toEqual([])
  const ofAi = crawlers.flatMap(({ tags, instances }) =>
    tags?.includes('ai-crawler') ? instances : [],
  )
  // The rest reads for models, under names that are words, such as "Spider".
  expect(ofAi.filter((each) => named.has(each)).length).toBeGreaterThanOrEqual(79)
})

/** A file of people's User-Agents, one a line: see docs/contributor/tests.md. */
const browsers = process.env.BROWSERS ?? ''

test.skipIf(browsers === '')('no browser of a person is kept of a log', () => {
  const userAgents = readFileSync(browsers, 'utf8').split('\n').filter(Boolean)
  const named = namedIn(userAgents)
  process.stdout.write(`${userAgents.length} browsers, of which ${named.length} are agents\n`)
  // Lists of browsers have some that programs alone use, or that call themselves one.
  const others = named.filter((each) => !/googlebot|lightpanda/i.test(namedAgent(each)!.token))
  expect(others).toEqual([])
})
