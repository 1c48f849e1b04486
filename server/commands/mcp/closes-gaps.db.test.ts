import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, describe, expect, test } from 'vitest'
import { PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { createEngine } from '../../audit/engine.ts'
import { createJudges } from '../../audit/judging/judges.ts'
import { parseTestHosts } from '../../audit/probe/fetch/test-hosts.ts'
import { PATIENT_LIMITS } from '../../audit/probe/testing/patient-limits.ts'
import { createStore } from '../../store/app.ts'
import { testDeps } from '../../store/testing/store.ts'
import { testApp } from '../../testing/app.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { program } from '../../testing/program.ts'
import { mendedStore } from './testing/mended-store.ts'
import { mendByTools } from './testing/mending-client.ts'

/*
 * An assistant that fixes stores, proved without a model: a scripted client takes broken variants
 * of the reference store to 100 through tools alone, by files that it writes where the store serves
 * them.
 */

const parent = await mkdtemp(join(tmpdir(), 'aisle-mends-'))
const folders = new Map<string, string>()
const store = createStore({ ...(await testDeps({ now: () => new Date() })), faults: [] })
const behind = mendedStore(store, (host) => folders.get(host))
const shop = await onLoopback(behind)
const TEST_HOSTS = `*.example=${shop.origin}`

const testHosts = parseTestHosts(TEST_HOSTS, 'test')
const engine = createEngine(
  { baseUrl: 'http://127.0.0.1', testHosts, limits: PATIENT_LIMITS },
  () => new Date(),
  createJudges({ maxMs: PATIENCE_MS, file: await program('judging-worker') }),
)
const { audit, validateManifest, readEvidence } = engine
const { app, key } = await testApp({ audit, validateManifest, readEvidence })
const service = await onLoopback(app)
const SERVICE = `${service.origin}/mcp`

afterAll(async () => {
  await Promise.all([shop.close(), service.close()])
  await engine.close()
  await rm(parent, { recursive: true, force: true })
})

const CLI = await program('cli')
const TRANSPORTS = {
  'the service, over HTTP': () =>
    new StreamableHTTPClientTransport(new URL(SERVICE), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  'this machine, over stdio': () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp'],
      env: {
        ...process.env,
        TEST_HOSTS,
        NODE_ENV: '',
        BASE_URL: '',
        DATA_DIR: parent,
      } as Record<string, string>,
    }),
}

describe.each(Object.entries(TRANSPORTS))('%s', (_, transport) => {
  test.each([
    ['well-known-missing', '.well-known/ucp'],
    ['well-known-invalid', '.well-known/ucp'],
    ['robots-blocks-ai-agents', 'robots.txt'],
    ['product-schema-missing', 'markup/'],
    ['organization-missing', 'markup/home.html'],
    ['product-schema-brand-missing', 'markup/'],
    ['product-schema-price-valid-until-invalid', 'markup/'],
    ['product-schema-return-policy-missing', 'markup/'],
  ])(
    'takes the twin %s to 100 with %s',
    async (fault, path) => {
      const domain = `${fault}.example`
      const folder = await mkdtemp(join(parent, 'site-'))
      folders.set(domain, folder)
      const client = new Client({ name: 'mender', version: '1.0.0' })
      await client.connect(transport())
      try {
        const { scores, left, wrote } = await mendByTools(client, domain, folder)
        expect([left, scores.at(-1)]).toEqual([[], 100])
        expect(scores[0]).toBeLessThan(100)
        expect(wrote.join()).toContain(path)
      } finally {
        await client.close()
        folders.delete(domain)
      }
    },
    120_000,
  )
})
