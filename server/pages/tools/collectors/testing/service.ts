import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import { expect } from 'vitest'
import { eventually } from '../../../../../shared/testing/wait.ts'
import { DAY_MS, dayOf } from '../../../../../shared/web/moment.ts'
import { collectCollectorCode } from '../../../../build/collector-code.ts'
import { testPages } from '../../../account/testing/pages.ts'
import { fillIn } from '../../orders/recipe-files.ts'

export const DOMAIN = 'shop.example'
export const AGENT = 'Mozilla/5.0; compatible; ChatGPT-User/1.0; +https://openai.com/bot'
export const CRAWLER = 'Mozilla/5.0; compatible; GPTBot/1.2; +https://openai.com/gptbot'
export const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** What the stand-ins for stores answer. */
export const PAGE = 'the page'

/**
 * How the service answers: as it is, with a status of its own, or never, as one that takes longer
 * than anybody waits.
 */
type Answers = 'well' | 'never' | number

/** The service on loopback, and the code of collectors with its address and its key. */
export async function openService() {
  const { app, sql, database, createTestKey, signIn } = await testPages({ now: () => new Date() })
  const { key } = await createTestKey({ domains: [DOMAIN], scopes: ['report:write'] })
  const state = { answers: 'well' as Answers }
  const bodies: string[] = []
  const listener = getRequestListener(async (request, env) => {
    const body = await request.clone().text()
    bodies.push(body)
    if (state.answers === 'never') await new Promise(() => {})
    return typeof state.answers === 'number'
      ? Response.json({}, { status: state.answers })
      : app.fetch(request, env)
  })
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const owner = await signIn({ domains: [DOMAIN] })

  const rows = () =>
    sql`select agent, path, status, fetches::int from fetch_days order by agent, path, status`

  async function goAway() {
    const closed = new Promise((done) => server.close(done))
    server.closeAllConnections()
    await closed
  }

  return {
    key,
    origin,
    host: `127.0.0.1:${port}`,
    /** The bodies of calls, whatever the answer. */
    bodies,
    rows,
    isThere: () => server.listening,
    answer(answers: Answers) {
      state.answers = answers
      // Nobody answers who was asked before.
      if (answers !== 'never') server.closeAllConnections()
    },
    /** A file of a collector, as its page shows it. */
    codeOf: (path: string) =>
      fillIn(collectCollectorCode()[path] ?? '', { baseUrl: origin, domain: DOMAIN, id: '' }),
    /** These requests and no others, each once, in the sums of the API and on the page as well. */
    async expectCounted(
      counted: readonly (readonly [agent: string, path: string, status: number])[],
    ) {
      const words = counted.map((each) => [...each, 1].join(' '))
      const stored = async () => (await rows()).map((each) => Object.values(each).join(' ')).sort()
      await eventually(stored).toEqual(words.sort())
      const now = Date.now()
      const [start = '', end = ''] = [now - DAY_MS, now].map(dayOf)
      const query = new URLSearchParams({ domain: DOMAIN, start, end })
      const headers = { Authorization: `Bearer ${owner.key}` }
      const { agents } = await (await app.request(`/api/fetches?${query}`, { headers })).json()
      const sums = agents.map((each: { agent: string; fetches: number }) => [
        each.agent,
        each.fetches,
      ])
      const names = counted.map(([agent]) => agent)
      const expected = Map.groupBy(names, (name) => name)
      expect(new Map(sums)).toEqual(new Map([...expected].map(([name, all]) => [name, all.length])))
      const html = await (await owner.get(`/fetches?domain=${DOMAIN}`)).text()
      for (const name of names) expect(html).toContain(`${name} (`)
    },
    goAway,
    async close() {
      await goAway()
      // Each test has a database of its own, and connections are few.
      await database.close()
    },
  }
}

export type Service = Awaited<ReturnType<typeof openService>>

/** Asks a store for a page, by its own host. */
export async function visit(origin: string, path: string, userAgent: string) {
  const headers = { host: DOMAIN, 'user-agent': userAgent }
  const [answer] = await once(get(`${origin}${path}`, { headers }), 'response')
  return { status: Number(answer.statusCode), text: await text(answer) }
}

/** What all stores here answer. */
export const answerOf = (path: string) => ({
  status: path.startsWith('/none') ? 404 : 200,
  text: path.startsWith('/none') ? '' : PAGE,
})
