import { afterEach, describe, expect, test } from 'vitest'
import { field } from '../../shared/web/json/json.ts'
import { createBody, paymentData, WHOLE_ADDRESS } from '../store/dialects/acp/testing/agent.ts'
import { capabilitiesOf } from '../store/dialects/ucp/profile/profile.ts'
import { payBy, READY_AGAIN } from '../store/dialects/ucp/testing/agent.ts'
import { parsedJson } from '../store/testing/official/measure.ts'
import { ADDRESS, AGENT_META } from '../store/testing/store.ts'
import { startTlsFront } from '../store/testing/tls-front.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { startCluster } from './testing/cluster.ts'
import { type Suite, verdictsOf, withMcpClients } from './testing/mcp-clients.ts'
import { createStore } from './testing/store.ts'
import { production } from './testing/world.ts'

/*
 * The store as the image runs it, in front of MCP clients that nobody here wrote: the Inspector of
 * the MCP project, which buys over TLS, and its conformance suite, which judges the transport.
 */

const PLATFORM = 'agent.example'
const KEY = 'acp-key'

/** The store behind TLS, and the platform whose profile it reads. */
async function open() {
  const version = '2026-08-25'
  const profile = JSON.stringify({ ucp: { version, capabilities: capabilitiesOf(version) } })
  const platform = await onLoopback((_, response) => {
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' }
    response.writeHead(200, headers).end(profile)
  })
  const cluster = await startCluster(production())
  const store = await createStore(cluster, {
    NODE_ENV: 'development',
    STORE_PROFILE: 'ucp',
    STORE_ACP_KEYS: KEY,
    STORE_TRUST_PROFILES: 'true',
    TEST_HOSTS: `${PLATFORM}=${platform.origin}`,
  })
  const loopback = `127.0.0.1:${store.port}`
  store.change({ STORE_HOSTS: `ucp.example,${loopback}` })
  await store.start()
  const asked: string[] = []
  const front = await startTlsFront(
    { 'ucp.example': `http://${loopback}` },
    async ({ headers, sent }) => {
      const revision = headers['mcp-protocol-version'] ?? 'no revision'
      asked.push(`${revision}: ${field(parsedJson(sent), 'method')}`)
    },
  )
  return {
    store,
    loopback,
    /** The revision and the method of each message that came over TLS. */
    asked,
    /** What else than the store the clients asked for. */
    refused: front.refused,
    env: { ...front.env, NO_PROXY: '127.0.0.1' },
    close: async () => {
      await front.close()
      await store.end()
      await cluster.close()
      await platform.close()
    },
  }
}

const { isWithout, world } = await withMcpClients(open)

describe.skipIf(isWithout)('clients of the MCP project', () => {
  // They asked nobody but the store, and nothing failed inside it.
  afterEach(() => {
    const { refused, store } = world()
    const lines = store.lines.splice(0).filter((line) => !/^The reference store is on /.test(line))
    expect([refused.splice(0), lines]).toEqual([[], []])
  })

  describe.each(['legacy', 'modern'] as const)('the Inspector, protocol era %s', (era) => {
    const inspect = (path: string, ...method: string[]) => {
      const { inspect, env } = world()
      return inspect(`https://ucp.example${path}`, era, method, env)
    }

    /** What a tool answers, which its text repeats. */
    async function call(path: string, tool: string, args: object) {
      const json = JSON.stringify(args)
      const { code, result } = await inspect(
        ...[path, 'tools/call', '--tool-name', tool, '--tool-args-json', json],
        ...['--header', `Authorization: Bearer ${KEY}`],
      )
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
      expect([code, result.isError ?? false]).toEqual(code === 0 ? [0, false] : [5, true])
      return result.structuredContent
    }

    test.each([
      [
        '/ucp/mcp',
        [
          ...['search_catalog', 'lookup_catalog', 'get_product'],
          ...['create_cart', 'get_cart', 'update_cart', 'cancel_cart'],
          ...['create_checkout', 'get_checkout', 'update_checkout'],
          ...['complete_checkout', 'cancel_checkout', 'get_order'],
        ],
      ],
      [
        '/acp/mcp',
        ['create', 'get', 'update', 'complete', 'cancel'].map((each) => `${each}_checkout_session`),
      ],
      ['/mcp', ['search_products', 'initiate_checkout', 'confirm_purchase']],
    ])('lists the tools of %s, and finds no fault in their schemas', async (path, names) => {
      const { asked } = world()
      asked.splice(0)
      const { code, result } = await inspect(path, 'tools/list', '--strict')
      expect(code).toBe(0)
      expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(names)
      expect(asked).toEqual(
        expect.arrayContaining(
          era === 'legacy'
            ? ['no revision: initialize', '2025-11-25: tools/list']
            : ['2026-07-28: tools/list'],
        ),
      )
    })

    test('buys over UCP, and reads its order', async () => {
      const ucp = (tool: string, args: object) => {
        const meta = { ...AGENT_META, 'idempotency-key': crypto.randomUUID() }
        return call('/ucp/mcp', tool, { meta, ...args })
      }
      const found = await ucp('search_catalog', { catalog: { query: 'tent' } })
      const [variant] = found.products[0].variants
      const line_items = [{ item: { id: variant.id }, quantity: 1 }]
      const { id } = await ucp('create_checkout', { checkout: { line_items } })
      const checkout = { line_items, ...READY_AGAIN }
      const ready = await ucp('update_checkout', { id, checkout })
      expect(ready.status).toBe('ready_for_complete')
      const paid = await ucp('complete_checkout', { id, checkout: payBy('tok_visa') })
      expect(paid).toMatchObject({ id, status: 'completed', totals: ready.totals })
      const order = await ucp('get_order', { id: paid.order.id })
      expect(order).toMatchObject({ id: paid.order.id, checkout_id: id })
    })

    test('buys over ACP, with the key that the shop gave it', async () => {
      const acp = (name: string, args: object) => {
        const meta = { api_version: '2026-04-17', idempotency_key: crypto.randomUUID() }
        return call('/acp/mcp', `${name}_checkout_session`, { meta, ...args })
      }
      const opened = await acp('create', {
        payload: createBody({ fulfillment_details: { address: WHOLE_ADDRESS } }),
      })
      const { id } = opened
      const item_ids = ['ao-1101']
      const selected = [{ type: 'shipping', option_id: 'standard', item_ids }]
      const ready = await acp('update', { id, payload: { selected_fulfillment_options: selected } })
      expect(ready.status).toBe('ready_for_payment')
      const paid = await acp('complete', { id, payload: { payment_data: paymentData() } })
      expect(paid).toMatchObject({ id, status: 'completed', order: { type: 'order' } })
      expect(await acp('get', { id })).toMatchObject({ id, status: 'completed' })
    })

    test('is told by ACP that it has no key', async () => {
      const meta = { api_version: '2026-04-17' }
      const { code, result } = await inspect(
        ...['/acp/mcp', 'tools/call', '--tool-name', 'get_checkout_session'],
        ...['--tool-args-json', JSON.stringify({ meta, id: 'any' })],
      )
      expect([code, result]).toMatchObject([
        5,
        { isError: true, structuredContent: { code: 'unauthorized' } },
      ])
    })

    test('searches and buys by the tools of the specification', async () => {
      const found = await call('/mcp', 'search_products', { q: 'tent' })
      const [product] = found.products
      const opened = await call('/mcp', 'initiate_checkout', {
        items: [{ product_id: product.id, quantity: 1 }],
        shipping_address: ADDRESS,
        idempotency_key: crypto.randomUUID(),
      })
      const bought = await call('/mcp', 'confirm_purchase', {
        checkout_id: opened.checkout_id,
        payment_method: { type: 'card', token: 'tok_visa' },
        shipping_option_id: opened.shipping_options[0].id,
        idempotency_key: crypto.randomUUID(),
      })
      expect(bought.status).toBe('confirmed')
    })
  })

  /** Why a scenario is not about this store, and what each of its complaints says then. */
  const NOT_OURS = {
    /** It calls a tool that the suite has its own example server offer. */
    fixture: /There is no tool of this name|diagnostic tool 'test_\w+'/,
    /** It calls the first tool that it finds, without what that demands. */
    arguments: /Expected successful response, got HTTP 400.*Send meta/s,
    /** It asks for a feature that we do not declare. */
    completion: /Method not found/,
    logging: /Method not found/,
    prompts: /Method not found/,
    resources: /Method not found/,
    lists: /^(prompts|resources|resources\/templates)\/list returned .* Method not found/,
    /** It needs a session, and there are none here. */
    sessions: /did not provide session ID/,
  }
  type Verdict = 'passes' | keyof typeof NOT_OURS

  const judge = async (
    suite: Suite,
    path: string,
    options: readonly string[],
    table: Record<string, Verdict>,
  ) => {
    const { conform, env, loopback } = world()
    const found = await conform(suite, `http://${loopback}${path}`, options, env)
    return verdictsOf(found, table, NOT_OURS)
  }

  describe.each(['/ucp/mcp', '/acp/mcp'])('the conformance suite on %s', (path) => {
    test('passes what is ours', async () => {
      const table: Record<string, Verdict> = {
        'server-initialize': 'passes',
        ping: 'passes',
        'tools-list': 'passes',
        'dns-rebinding-protection': 'passes',
        'tools-call-simple-text': 'fixture',
        'tools-call-image': 'fixture',
        'tools-call-audio': 'fixture',
        'tools-call-embedded-resource': 'fixture',
        'tools-call-mixed-content': 'fixture',
        'tools-call-error': 'fixture',
        'tools-call-with-progress': 'fixture',
        'tools-call-sampling': 'fixture',
        'tools-call-elicitation': 'fixture',
        'elicitation-sep1034-defaults': 'fixture',
        'elicitation-sep1330-enums': 'fixture',
        'completion-complete': 'completion',
        'logging-set-level': 'logging',
        'tools-call-with-logging': 'logging',
        'prompts-list': 'prompts',
        'prompts-get-simple': 'prompts',
        'prompts-get-with-args': 'prompts',
        'prompts-get-embedded-resource': 'prompts',
        'prompts-get-with-image': 'prompts',
        'resources-list': 'resources',
        'resources-read-text': 'resources',
        'resources-read-binary': 'resources',
        'resources-templates-read': 'resources',
        'resources-subscribe': 'resources',
        'resources-unsubscribe': 'resources',
        'server-sse-multiple-streams': 'sessions',
      }
      expect(await judge('conformance', path, [], table)).toEqual(table)
    })

    // Of the prerelease what judges the transport; the others call fixtures as well.
    test.each<[string, string, Verdict]>([
      ['2026-07-28', 'server-stateless', 'fixture'],
      ['2026-07-28', 'tools-list', 'passes'],
      ['2026-07-28', 'dns-rebinding-protection', 'passes'],
      ['2026-07-28', 'server-sse-multiple-streams', 'passes'],
      ['2026-07-28', 'caching', 'lists'],
      ['2026-07-28', 'http-header-validation', 'arguments'],
      ['2025-11-25', 'server-initialize', 'passes'],
      ['2025-11-25', 'dns-rebinding-protection', 'passes'],
    ])('of the next release, in revision %s, %s: %s', async (revision, scenario, expected) => {
      const table = { [scenario]: expected }
      const options = ['--scenario', scenario, '--spec-version', revision]
      expect(await judge('conformance-next', path, options, table)).toEqual(table)
    })
  })
})
