import { expect, test } from 'vitest'
import { asBrowser, beacon } from '../attribution/beacon/testing/beacon.ts'
import { createProperty } from '../attribution/properties.ts'
import { events } from '../db/events/tables.ts'
import { makeSigner } from '../signatures/agents/testing/signer.ts'
import { testApp } from '../testing/app.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const chatgpt = makeSigner('https://chatgpt.com')
const asked: string[] = []
const { app, db } = await testApp({
  now: () => NOW,
  readKeys: async (url) => {
    asked.push(url)
    return chatgpt.readKeys(url)
  },
})
const property = await createProperty(db, { domain: 'shop.example' }, NOW)
const send = asBrowser(app, property.id)

let visits = 0
/** What an agent's browser reports of a visit, and how it is counted. */
async function visit(headers: Record<string, string>, from?: string, id?: string) {
  visits += 1
  const body = beacon({
    id: id ?? `agent-visit-${visits}`,
    referrer: '',
    landing: 'https://www.shop.example/',
    surface: 'other_ai',
  })
  const answer = await send({ headers, body, ...(from && { from }) })
  return answer.json()
}
const URL = `https://aisle.example/sessions?id=${property.id}`
const signed = (change: Parameters<typeof chatgpt.sign>[2] = {}, url = URL) =>
  chatgpt.sign({ method: 'POST', url }, NOW, change)

test('the session of an agent that signs is verified', async () => {
  expect(await visit(signed())).toMatchObject({ ai_source: 'chatgpt', confidence: 0.99 })
  const [row] = await db.select().from(events)
  expect(row?.properties).toMatchObject({
    agent_verified: { by: 'signature', surface: 'chatgpt' },
  })
})

test.each<[string, () => Record<string, string>]>([
  ['for another host', () => signed({}, `https://shop.example/sessions?id=${property.id}`)],
  [
    'with the name of that host',
    () => ({ ...signed({}, 'https://evil.example/sessions'), Host: 'evil.example' }),
  ],
  [
    'with another key',
    () => makeSigner('https://chatgpt.com').sign({ method: 'POST', url: URL }, NOW),
  ],
])('a signature %s is a claim', async (_, headers) => {
  expect(await visit(headers())).toMatchObject({ ai_source: 'chatgpt', confidence: 0.7 })
})

test('a signature that was seen elsewhere is a claim, and again for its own session is not', async () => {
  const headers = signed()
  const own = await visit(headers, undefined, 'visit-own')
  expect(own.confidence).toBe(0.99)
  expect((await visit(headers, undefined, 'visit-own')).confidence).toBe(0.99)
  expect((await visit(headers, undefined, 'visit-other')).confidence).toBe(0.7)
})

test('an address is compared with those of the operator, and not kept', async () => {
  const headers = { 'User-Agent': 'Mozilla/5.0 (compatible; ChatGPT-User/1.0)' }
  expect((await visit(headers, '4.151.71.180')).confidence).toBe(0.95)
  expect((await visit(headers, '203.0.113.80')).confidence).toBe(0.7)
  expect(JSON.stringify(await db.select().from(events))).not.toMatch(/4\.151\.71|203\.0\.113/)
})

test('a browser that is not an agent makes us look up nothing', async () => {
  asked.length = 0
  await send({ body: beacon({ id: 'person-1' }) })
  expect(asked).toEqual([])
})
