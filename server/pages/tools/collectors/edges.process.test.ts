import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import { packagesForTests } from '../../../testing/registry.ts'
import { type Edge, openCloudflare, openNetlify, openVercel } from './testing/edges.ts'
import { AGENT, answerOf, CRAWLER, openService, PERSON, type Service } from './testing/service.ts'

/** The folder with the runtimes of Cloudflare and Netlify: 310 MB, so only on request. */
const RUNTIMES = process.env.EDGE_RUNTIMES
const modules = RUNTIMES === undefined ? null : join(RUNTIMES, 'node_modules')
const vercel = await packagesForTests('edge-runtime@4.0.1')

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function openSite(service: Service): Promise<string> {
  const functions = await mkdtemp(join(tmpdir(), 'aisle-netlify-'))
  closing.push(() => rm(functions, { recursive: true, force: true }))
  await mkdir(functions, { recursive: true })
  await writeFile(join(functions, 'aisle.js'), service.codeOf('netlify/aisle.js'))
  return functions
}

const EDGES: Record<
  string,
  { modules: string | null; open: (modules: string, service: Service) => Promise<Edge>; id: string }
> = {
  Cloudflare: { modules, open: openCloudflare, id: 'cf-ray' },
  Vercel: { modules: vercel, open: openVercel, id: 'x-vercel-id' },
  Netlify: {
    modules,
    open: async (at, service) => openNetlify(at, service, await openSite(service)),
    id: 'x-nf-request-id',
  },
}

async function start(name: string) {
  const service = await openService()
  closing.push(() => service.close())
  const { modules: at, open, id } = EDGES[name]!
  const edge = await open(at!, service)
  closing.unshift(() => edge.close())
  /** A visit that has the store's answer. */
  const visit = async (path: string, userAgent: string, headers?: Record<string, string>) =>
    expect(await edge.visit(path, userAgent, headers)).toEqual(answerOf(path))
  return { service, visit, id }
}

async function showCounted(name: string) {
  const { service, visit, id } = await start(name)
  await visit('/products/tent', PERSON)
  await visit('/none', PERSON)
  // Twice with one id, as a platform that repeats a request does.
  await visit('/products/boot?token=secret', AGENT, { [id]: 'one' })
  await visit('/products/boot?token=secret', AGENT, { [id]: 'one' })
  await visit('/none', CRAWLER, { [id]: 'two' })
  await service.expectCounted([
    ['ChatGPT-User', '/products/boot', 200],
    ['GPTBot', '/none', 404],
  ])
  expect(service.bodies.join()).not.toMatch(/secret|Chrome/)
}

test.skipIf(modules === null)('Cloudflare: what agents read is in the report', () =>
  showCounted('Cloudflare'),
)
test.skipIf(vercel === null)('Vercel: what agents read is in the report', () =>
  showCounted('Vercel'),
)
test.skipIf(modules === null)('Netlify: what agents read is in the report', () =>
  showCounted('Netlify'),
)

for (const name of Object.keys(EDGES)) {
  test.skipIf(EDGES[name]!.modules === null).each([401, 429, 500, 'never'] as const)(
    `${name}: a service that answers %s holds nobody up`,
    async (answers) => {
      const { service, visit } = await start(name)
      service.answer(answers)
      await visit('/products/boot', AGENT)
      await eventually(() => service.bodies.length).toBe(1)
      for (let n = 0; n < 10; n += 1) await visit(`/products/${n}`, n % 2 === 0 ? AGENT : PERSON)
      expect(await service.rows()).toEqual([])
    },
  )

  test.skipIf(EDGES[name]!.modules === null)(
    `${name}: a service that is away holds nobody up`,
    async () => {
      const { service, visit } = await start(name)
      await service.goAway()
      for (let n = 0; n < 10; n += 1) await visit(`/products/${n}`, AGENT)
    },
  )
}
