import { createBody, officialAcpAgent, WHOLE_ADDRESS } from '../../dialects/acp/testing/agent.ts'
import type { Transport } from '../../dialects/ucp/testing/agent.ts'
import type { testStore } from '../../testing/store.ts'

type Send = Awaited<ReturnType<typeof testStore>>['send']

/** What is not JSON becomes a text in JSON, so that an agent can go on. */
const patient =
  (send: Send): Send =>
  async (...call) => {
    const answer = await send(...call)
    const isJson = answer.body.startsWith('{')
    return { ...answer, body: isJson ? answer.body : JSON.stringify(answer.body) }
  }

/** One call of official ACP over either transport. */
export function acpCaller(sendTo: Send, host: string, transport: Transport) {
  const send = patient(sendTo)
  const agent = officialAcpAgent((method, path, body, _, headers) =>
    send(method, path, body, host, headers),
  )
  const overRest = async (name: string, id: string, payload: object | undefined, key: string) => {
    const path = name === 'create' ? '' : `/${id}${name === 'complete' ? '/complete' : ''}`
    const [method, headers] = name === 'get' ? ['GET', {}] : ['POST', { 'idempotency-key': key }]
    const answer = await agent.call(String(method), path, payload, Object(headers))
    return { ...answer, text: answer.body }
  }
  const overMcp = async (name: string, id: string, payload: object | undefined, key: string) => {
    const given = {
      meta: { api_version: '2026-04-17', idempotency_key: key },
      ...(id && { id }),
      ...(payload && { payload }),
    }
    const params = { name: `${name}_checkout_session`, arguments: given }
    const answer = await send(
      'POST',
      '/acp/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      host,
      { authorization: 'Bearer agent', 'content-type': 'application/json' },
    )
    const { result } = JSON.parse(answer.body)
    return { ...answer, said: result?.structuredContent ?? {}, text: answer.body }
  }
  const call = transport === 'rest' ? overRest : overMcp
  return (name: string, id = '', payload?: object, key: string = crypto.randomUUID()) =>
    call(name, id, payload, key)
}

const ACP_LINES = { line_items: [{ id: 'ao-1101', quantity: 2 }] }
export const ACP_OPENING = createBody({
  ...ACP_LINES,
  fulfillment_details: { address: WHOLE_ADDRESS },
})
export const ACP_CHOICE = {
  selected_fulfillment_options: [
    { type: 'shipping', option_id: 'standard', item_ids: ['li_ao-1101'] },
  ],
}
