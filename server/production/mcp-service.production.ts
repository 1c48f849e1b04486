import { request as send } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { startCluster } from './testing/cluster.ts'
import { type Suite, verdictsOf, withMcpClients } from './testing/mcp-clients.ts'
import { aisleOn, createReplica, production } from './testing/world.ts'

/*
 * The tools of the service and of `aisle mcp`, in front of MCP clients that nobody here wrote: the
 * Inspector of the MCP project, and its conformance suite, which speaks HTTP alone.
 */

/** The service, and a way to it that adds a key: the suite has none to send. */
async function open() {
  const cluster = await startCluster(production())
  const replica = createReplica(cluster, await freePort())
  let key = ''
  const front = await onLoopback((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const onward = send(
      {
        host: '127.0.0.1',
        port: replica.port,
        path: incoming.url,
        method: incoming.method,
        headers,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  replica.change({ BASE_URL: front.origin })
  await replica.start()
  const { stdout } = await aisleOn(cluster)(
    ...['keys', 'create', '--scopes', 'audit,manifest,report:read', '--domains', 'shop.example'],
    '--json',
  )
  key = JSON.parse(stdout).key
  return {
    key,
    replica,
    /** With the key, and as it is. */
    open: `${front.origin}/mcp`,
    closed: `http://127.0.0.1:${replica.port}/mcp`,
    cli: join(production().image.workdir, 'dist/cli.js'),
    close: async () => {
      await front.close()
      await replica.end()
      await cluster.close()
    },
  }
}

const { isWithout, world } = await withMcpClients(open)

const TOOLS = [
  'audit',
  'explain_gap',
  'validate_manifest',
  'propose_manifest',
  'propose_markup',
  'propose_robots',
  'propose_snippet',
  'walk',
  'compare',
  'report',
]
/** What belongs to the service alone. */
const OF_SERVICE = ['propose_snippet', 'report']
const NO_PROXY = { NO_PROXY: '127.0.0.1' }

describe.skipIf(isWithout).each(['legacy', 'modern'] as const)(
  'the Inspector, protocol era %s',
  (era) => {
    const overHttp = (...method: string[]) => {
      const { inspect, closed, key } = world()
      const args = [...method, '--header', `Authorization: Bearer ${key}`]
      return inspect(closed, era, args, NO_PROXY)
    }
    const overStdio = (...method: string[]) => {
      const { inspectProgram, cli } = world()
      return inspectProgram([process.execPath, cli, 'mcp'], era, method, NO_PROXY)
    }
    const WAYS = { HTTP: overHttp, stdio: overStdio }

    describe.each(Object.entries(WAYS))('over %s', (way, inspect) => {
      test('lists the tools, and finds no fault in their schemas', async () => {
        const { code, result } = await inspect('tools/list', '--strict')
        expect(code).toBe(0)
        const expected = way === 'HTTP' ? TOOLS : TOOLS.filter((name) => !OF_SERVICE.includes(name))
        expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(expected)
      })

      test('calls a tool, reads a gap page and takes the prompt', async () => {
        const called = await inspect(
          ...['tools/call', '--tool-name', 'explain_gap'],
          ...['--tool-args-json', '{"gap":"feed_missing"}'],
        )
        expect([called.code, called.result.structuredContent.id]).toEqual([0, 'feed_missing'])
        const read = await inspect('resources/read', '--uri', 'aisle://gaps/feed_missing')
        expect([read.code, read.result.contents[0].mimeType]).toEqual([0, 'text/markdown'])
        const prompt = await inspect(
          ...['prompts/get', '--prompt-name', 'bring_my_store_to_a'],
          ...['--prompt-args', 'domain=shop.example'],
        )
        expect([prompt.code, prompt.result.messages.length]).toEqual([0, 1])
      })

      test('is told what is wrong with arguments', async () => {
        const { code, result } = await inspect('tools/call', '--tool-name', 'audit')
        expect([code, result.isError]).toEqual([5, true])
        expect(result.content[0].text).toContain('Correct the arguments of audit: domain')
      })
    })
  },
)

/** Why a scenario is not about this service, and what each of its complaints says then. */
const NOT_OURS = {
  /** It calls or asks for what the suite has its own example server offer. */
  fixture:
    /There is no tool of this name|No prompt has this name|diagnostic tool 'test_\w+'|[Rr]esource.*not found|test:\/\//,
  /** It asks for a feature that we do not declare. */
  logging: /Method not found/,
  subscriptions: /Method not found/,
  /** It needs a session, and there are none here. */
  sessions: /did not provide session ID/,
}
type Verdict = 'passes' | keyof typeof NOT_OURS

describe.skipIf(isWithout)('the conformance suite', () => {
  const judge = async (
    suite: Suite,
    options: readonly string[],
    table: Record<string, Verdict>,
  ) => {
    const { conform, open: url } = world()
    const found = await conform(suite, url, options, NO_PROXY)
    return verdictsOf(found, table, NOT_OURS)
  }

  test('passes what is ours', async () => {
    const table: Record<string, Verdict> = {
      'server-initialize': 'passes',
      ping: 'passes',
      'tools-list': 'passes',
      'dns-rebinding-protection': 'passes',
      'prompts-list': 'passes',
      'resources-list': 'passes',
      'completion-complete': 'passes',
      'tools-call-simple-text': 'fixture',
      'tools-call-image': 'fixture',
      'tools-call-audio': 'fixture',
      'tools-call-embedded-resource': 'fixture',
      'tools-call-mixed-content': 'fixture',
      'tools-call-error': 'fixture',
      'tools-call-with-progress': 'fixture',
      'tools-call-sampling': 'fixture',
      'tools-call-elicitation': 'fixture',
      'tools-call-with-logging': 'logging',
      'elicitation-sep1034-defaults': 'fixture',
      'elicitation-sep1330-enums': 'fixture',
      'logging-set-level': 'logging',
      'prompts-get-simple': 'fixture',
      'prompts-get-with-args': 'fixture',
      'prompts-get-embedded-resource': 'fixture',
      'prompts-get-with-image': 'fixture',
      'resources-read-text': 'fixture',
      'resources-read-binary': 'fixture',
      'resources-templates-read': 'fixture',
      'resources-subscribe': 'subscriptions',
      'resources-unsubscribe': 'subscriptions',
      'server-sse-multiple-streams': 'sessions',
    }
    expect(await judge('conformance', [], table)).toEqual(table)
  })

  test.each<[string, string, Verdict]>([
    ['2026-07-28', 'server-stateless', 'fixture'],
    ['2026-07-28', 'tools-list', 'passes'],
    ['2026-07-28', 'dns-rebinding-protection', 'passes'],
    ['2026-07-28', 'server-sse-multiple-streams', 'passes'],
    ['2026-07-28', 'caching', 'passes'],
    ['2026-07-28', 'http-header-validation', 'passes'],
    ['2025-11-25', 'server-initialize', 'passes'],
    ['2025-11-25', 'dns-rebinding-protection', 'passes'],
  ])('of the next release, in revision %s, %s: %s', async (revision, scenario, expected) => {
    const table = { [scenario]: expected }
    const options = ['--scenario', scenario, '--spec-version', revision]
    expect(await judge('conformance-next', options, table)).toEqual(table)
  })
})
