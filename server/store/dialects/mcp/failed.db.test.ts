import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { AGENT_META, testStore } from '../../testing/store.ts'
import { createBody } from '../acp/testing/agent.ts'

const reported: string[] = []
const { send, deps } = await testStore({
  onError: (error) => reported.push(`${error.message} ${error.cause}`),
})
// All that the store reads and writes fails.
await deps.db.execute(sql`alter schema store rename to away`)

const meta = { ...AGENT_META, 'idempotency-key': 'key' }
const line_items = [{ item: { id: 'ao-1101' }, quantity: 1 }]
const CALLS = [
  [
    '/acp/mcp',
    'create_checkout_session',
    { meta: { api_version: '2026-04-17' }, payload: createBody() },
    undefined,
  ],
  [
    '/ucp/mcp',
    'create_checkout',
    { meta, checkout: { line_items } },
    {
      code: 'internal_error',
      content: 'Something went wrong on our side. Please try again.',
      continue_url: 'https://ucp.example/',
    },
  ],
  [
    '/mcp',
    'initiate_checkout',
    {
      items: [{ product_id: 'ao-1101', quantity: 1 }],
      shipping_address: {},
      idempotency_key: 'key',
    },
    undefined,
  ],
] as const
// As we answer it ourselves, and as the SDK does.
const REVISIONS = [undefined, '2026-07-28']

test.each(
  CALLS.flatMap(([path, ...call]) =>
    REVISIONS.map((revision) => [path, revision, ...call] as const),
  ),
)('a failure over %s, revision %s, is a message with its id', async (...given) => {
  const [path, revision, name, args, data] = given
  reported.splice(0)
  const prefix = 'io.modelcontextprotocol'
  const _meta = {
    [`${prefix}/protocolVersion`]: revision,
    [`${prefix}/clientInfo`]: { name: 'test', version: '1' },
    [`${prefix}/clientCapabilities`]: {},
  }
  const answer = await send(
    'POST',
    path,
    {
      ...{ jsonrpc: '2.0', id: 7, method: 'tools/call' },
      params: { name, arguments: args, ...(revision && { _meta }) },
    },
    'ucp.example',
    {
      ...{ authorization: 'Bearer agent', 'content-type': 'application/json' },
      ...(revision && {
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/call',
        'mcp-name': name,
      }),
    },
  )
  const message = 'Something went wrong on our side. Please try again.'
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    500,
    { jsonrpc: '2.0', id: 7, error: { code: -32603, message, ...(data && { data }) } },
  ])
  // What failed is reported to us alone.
  expect(reported).toEqual([expect.stringContaining('does not exist')])
})
