import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { serve } from '@hono/node-server'
import { afterAll, expect, test } from 'vitest'
import { createProperty } from '../../attribution/properties.ts'
import { keepWalkPicture } from '../../db/audit/walk-pictures.ts'
import { freePort } from '../../testing/free-port.ts'
import { watchedChannel } from '../../watch/channels/testing/world.ts'
import { hasIncident } from '../../watch/testing/watched.ts'
import { testPages } from '../account/testing/pages.ts'

// Each example of the API's pages, as a shell runs it against a service on a port.

const port = await freePort()
const baseUrl = `http://127.0.0.1:${port}`
const { app, db, signIn, nobody } = await testPages({ baseUrl, now: () => new Date() })
const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
afterAll(() => server.close())

const { paths } = await (await nobody.get('/openapi.json')).json()
const operations = Object.entries<Record<string, { operationId: string; responses: object }>>(
  paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, responses }]) => ({
    id: operationId,
    name: `${method.toUpperCase()} ${path}`,
    statuses: Object.keys(responses).filter((status) => status.startsWith('2')),
  })),
)

const ENTITIES: Readonly<Record<string, string>> = { '&quot;': '"', '&amp;': '&', '&lt;': '<' }

/** The examples that a page shows. */
async function examplesOn(answer: Response): Promise<string[]> {
  const html = await answer.text()
  return [...html.matchAll(/<span>Shell[^<]*<\/span>.*?<code>(.*?)<\/code>/gs)].map(
    ([, code = '']) => code.replace(/&(?:quot|amp|lt);/g, (entity) => ENTITIES[entity] ?? entity),
  )
}

/** The status that is answered to the curl of a script, and the answer. */
async function run(script: string): Promise<{ status: string; answer: string }> {
  const shell = spawn('sh', ['-eu'], { stdio: ['pipe', 'pipe', 'inherit'] })
  shell.stdin.end(`curl() { command curl -sS -m 60 -w '\n%{http_code}' "$@"; }\n${script}\n`)
  const lines = (await text(shell.stdout)).split('\n')
  return { status: lines.pop() ?? '', answer: lines.join('\n') }
}

/** Its start and its end. */
const EMPTY_JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)

let shops = 0

/** A shop with one of each thing, and a browser that is signed in with its key. */
async function shopFor(operation: string) {
  shops += 1
  const domain = `shop-${shops}.example`
  const browser = await signIn({ domains: [domain] })
  const send = async (method: string, path: string, body: object) => {
    const answer = await app.request(path, {
      method,
      headers: { Authorization: `Bearer ${browser.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return answer.json()
  }
  await send('PUT', `/api/access/${domain}`, { preview_password: 'open' })
  if (operation !== 'createWatch') {
    await watchedChannel(db, domain)
    await hasIncident(db, domain, { now: new Date() })
  }
  await send('POST', '/api/audit', { domain })
  await send('POST', '/api/audit', { domain })
  await createProperty(db, { domain }, new Date())
  let unknown: Record<string, string> = {}
  if (operation !== 'walk') {
    const { id } = await send('POST', '/api/walk', { domain })
    await keepWalkPicture(db, { domain, id }, { n: 1, jpeg: EMPTY_JPEG, at: new Date() })
    const link = await send('POST', `/api/walk/${id}/links`, { days: 7 })
    unknown = { LINK_ID: link.id, TOKEN: String(link.url).split('/').at(-1) ?? '' }
  }
  return { domain, unknown, ...browser }
}

test.each(operations)('$name runs as its page shows it', async ({ id, statuses }) => {
  const { key, domain, unknown, get } = await shopFor(id)
  const examples = await examplesOn(await get(`/docs/${id}`))
  expect(examples).not.toEqual([])
  for (const example of examples) {
    expect(example).not.toContain('//shop.example')
    if (example.includes('AISLE_KEY')) expect(example).toContain(key.slice(0, 20))
    const filled = example
      .replace(/^AISLE_KEY='.*'$/m, `AISLE_KEY='${key}'`)
      .replace(/^(\w+)='…' # .+$/m, (_, name: string) => `${name}='${unknown[name]}'`)
      .replace(/^(\w+)='…' # .+$/m, (_, name: string) => `${name}='${unknown[name]}'`)
    expect(filled, domain).not.toContain('…')
    const { status, answer } = await run(filled)
    expect(statuses, `${filled}\n${answer}`).toContain(status)
  }
})

test('who is not signed in sees where each id is found', async () => {
  const [example] = await examplesOn(await nobody.get('/docs/walkById'))
  expect(example).toBe(
    `AISLE_KEY='aisle_live_…'
WALK_ID='…' # GET /api/walk
curl "${baseUrl}/api/walk/$WALK_ID" \\
  -H "Authorization: Bearer $AISLE_KEY"`,
  )
})
