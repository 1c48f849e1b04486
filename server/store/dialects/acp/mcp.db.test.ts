import { describe, expect, test } from 'vitest'
import { testStore } from '../../testing/store.ts'
import {
  ACP_SETTINGS,
  createBody,
  officialAcpAgent,
  paymentData,
  WHOLE_ADDRESS,
} from './testing/agent.ts'

const { send, bank } = await testStore({ acp: { ...ACP_SETTINGS, keys: ['agent', 'other'] } })

const rpc = async (method: string, params: object = {}, authorization = 'Bearer agent') => {
  const { status, body, headers } = await send(
    'POST',
    '/acp/mcp',
    { jsonrpc: '2.0', id: 7, method, params },
    undefined,
    { authorization, 'content-type': 'application/json' },
  )
  return { status, headers, said: JSON.parse(body) }
}
const META = { api_version: '2026-04-17' }
const tool = async (name: string, args: object, authorization?: string) => {
  const { said } = await rpc(
    'tools/call',
    { name: `${name}_checkout_session`, arguments: { meta: META, ...args } },
    authorization,
  )
  return said
}
const call = async (name: string, args: object) => (await tool(name, args)).result

test('five tools, whose inputs stand for themselves', async () => {
  const { said } = await rpc('tools/list')
  expect(said.result.tools.map((each: { name: string }) => each.name)).toEqual(
    ['create', 'get', 'update', 'complete', 'cancel'].map((name) => `${name}_checkout_session`),
  )
  expect(JSON.stringify(said)).not.toContain('$ref')
  const [create, get, , , cancel] = said.result.tools.map(
    (each: { inputSchema: { required: string[] } }) => each.inputSchema,
  )
  expect(create.required).toEqual(['meta', 'payload'])
  expect(get.required).toEqual(['meta', 'id'])
  expect(cancel.required).toEqual(['meta', 'id'])
  expect(create.properties.payload.required).toEqual(['line_items', 'currency', 'capabilities'])
})

test('a purchase, which REST reads as well', async () => {
  const opened = await call('create', {
    payload: createBody({ fulfillment_details: { address: WHOLE_ADDRESS } }),
  })
  const session = opened.structuredContent
  expect([opened.isError, session.status]).toEqual([false, 'incomplete'])
  expect(JSON.parse(opened.content[0].text)).toEqual(session)
  const { id } = session
  const selected = [{ type: 'shipping', option_id: 'standard', item_ids: ['ao-1101'] }]
  const chosen = await call('update', { id, payload: { selected_fulfillment_options: selected } })
  expect(chosen.structuredContent.status).toBe('ready_for_payment')
  const meta = { ...META, idempotency_key: 'pay-once' }
  const payload = { payment_data: paymentData() }
  const paid = await call('complete', { id, meta, payload })
  expect(paid.structuredContent).toMatchObject({ status: 'completed', order: { type: 'order' } })
  expect(await call('complete', { id, meta, payload })).toEqual(paid)
  // Without a key the session itself is paid once.
  expect((await call('complete', { id, payload })).structuredContent).toEqual(
    paid.structuredContent,
  )
  expect(bank.charges.filter(({ sessionId }) => sessionId === id)).toHaveLength(1)
  const { said } = await officialAcpAgent(send).read(id)
  expect((await call('get', { id })).structuredContent).toEqual(said)
})

test('a decline is a session, as over REST', async () => {
  const id = await officialAcpAgent(send).ready()
  const payload = { payment_data: paymentData('tok_declined') }
  const declined = await call('complete', { id, payload })
  expect([declined.isError, declined.structuredContent.messages[0].code]).toEqual([
    false,
    'payment_declined',
  ])
  const canceled = await call('cancel', { id })
  expect(canceled.structuredContent.status).toBe('canceled')
})

describe("ACP's errors are errors that the tool reports", () => {
  test.each<[string, string, object, string, string?]>([
    [
      'an item that is not sold',
      'create',
      { payload: createBody({ line_items: [{ id: 'ao-9' }] }) },
      'invalid_item_id',
    ],
    ['a session that there is not', 'get', { id: 'checkout_nothing' }, 'not_found'],
    [
      'an older version',
      'create',
      { meta: { api_version: '2026-01-30' }, payload: createBody() },
      'unsupported_api_version',
      'meta.api_version',
    ],
    [
      'a long key',
      'create',
      { meta: { ...META, idempotency_key: 'k'.repeat(256) }, payload: createBody() },
      'idempotency_key_required',
      'meta.idempotency_key',
    ],
    [
      'a card number',
      'complete',
      { id: 'x', payload: { payment_data: paymentData('4242424242424242') } },
      'card_number_not_allowed',
    ],
  ])('%s', async (_, name, args, code, field = '') => {
    const { isError, structuredContent } = await call(name, args)
    expect([isError, structuredContent.code]).toEqual([true, code])
    expect(structuredContent.message).toContain(field)
    expect(structuredContent.type).toBe('invalid_request')
  })

  test('nobody we know', async () => {
    const { result } = await tool('create', { payload: createBody() }, 'Bearer stranger')
    expect([result.isError, result.structuredContent.code]).toEqual([true, 'unauthorized'])
  })

  test("another agent's session", async () => {
    const { structuredContent } = await call('create', { payload: createBody() })
    const { result } = await tool('get', { id: structuredContent.id }, 'Bearer other')
    expect(result.structuredContent.code).toBe('not_found')
  })
})

test.each<[string, string, object]>([
  ['no meta', 'create', { meta: undefined, payload: createBody() }],
  ['no version', 'create', { meta: {}, payload: createBody() }],
  ['no payload', 'create', {}],
  ['no id', 'get', {}],
  ['an id that is a number', 'get', { id: 7 }],
  ['a payload that is a list', 'update', { id: 'x', payload: [] }],
])('%s: -32602', async (_, name, args) => {
  const { error } = await tool(name, args)
  expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/^Send /) })
})

// As we answer it ourselves, and as the SDK does.
test.each([undefined, '2026-07-28'])(
  'what may be sent again says when, over revision %s',
  async (revision) => {
    const id = await officialAcpAgent(send).ready()
    const name = 'complete_checkout_session'
    const meta = { ...META, idempotency_key: `unknown ${revision}` }
    const payload = { payment_data: paymentData('tok_unreachable') }
    const prefix = 'io.modelcontextprotocol'
    const _meta = {
      [`${prefix}/protocolVersion`]: revision,
      [`${prefix}/clientInfo`]: { name: 'test', version: '1' },
      [`${prefix}/clientCapabilities`]: {},
    }
    const params = { name, arguments: { meta, id, payload }, ...(revision && { _meta }) }
    const { headers, body } = await send(
      'POST',
      '/acp/mcp',
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
      undefined,
      {
        ...{ authorization: 'Bearer agent', 'content-type': 'application/json' },
        ...(revision && {
          'mcp-protocol-version': revision,
          'mcp-method': 'tools/call',
          'mcp-name': name,
        }),
      },
    )
    const { result } = JSON.parse(body)
    expect([result.isError, result.structuredContent.code]).toEqual([true, 'payment_unknown'])
    expect(headers.get('retry-after')).toBe('1')
  },
)
