import { agentProfilePath } from '../../../shared/manifest/ucp/agent-profile.ts'
import type { AcpVersion } from '../../../shared/protocols/acp/versions.ts'
import { UCP, type UcpVersion } from '../../../shared/protocols/ucp/versions.ts'
import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import { officialAcp } from '../../../shared/walk/dialects/acp.ts'
import { officialUcp, type UcpRoute } from '../../../shared/walk/dialects/ucp.ts'
import type { BuyerOperation, DialectCall, Wanted } from '../../../shared/walk/operation.ts'
import type { Refusal, Session, WalkReply } from '../../../shared/walk/session.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import { answerFrom } from '../../../shared/web/testing/answer-from.ts'
import { parsedJson } from './official/measure.ts'
import { ADDRESS, type testStore } from './store.ts'

type Ask = Awaited<ReturnType<typeof testStore>>['ask']

/** The profile that the walk shows to stores, by its version. */
const profileOf = (version: UcpVersion): string =>
  `https://aisle.example${agentProfilePath(version)}`

/** Official UCP at a host of the store, as its profile tells of it. */
export const ucpAt = (
  host: string,
  transport: UcpRoute['transport'],
  version: UcpVersion = '2026-08-25',
): WalkDialect =>
  officialUcp({
    version,
    transport,
    endpoint: `https://${host}/ucp/${transport === 'rest' ? 'v1' : 'mcp'}`,
    agent: profileOf(version),
    capabilities: ['checkout', 'fulfillment', 'order'].map((name) => `dev.ucp.shopping.${name}`),
  })

/** Official ACP at a host of the store. */
export const acpAt = (host: string, version: AcpVersion = '2026-04-17'): WalkDialect =>
  officialAcp({ base: `https://${host}/acp`, version, agentKey: 'agent' })

/** Makes one operation after the other at a host of a store in memory, as a buyer would. */
export function walkerOf(ask: Ask, dialect: WalkDialect, host: string) {
  const version = UCP.served.find((each) => dialect.label.endsWith(each)) ?? '2026-08-25'
  const send = async (call: DialectCall): Promise<JsonSeen> => {
    const { path, init } = call.over === 'http' ? httpCall(call) : mcpCall(call, version)
    const { status, headers, body } = await ask(path, host, init)
    const url = `https://${host}${path}`
    const value = parsedJson(body)
    return {
      fetched: answerFrom(url, {
        method: init.method ?? 'GET',
        status,
        headers: Object.fromEntries(headers),
        body,
      }),
      json: value === undefined ? { ok: false, problem: 'It is no JSON.' } : { ok: true, value },
    }
  }
  const make = async (operation: BuyerOperation): Promise<WalkReply> => {
    const call = dialect.call(operation)
    if (call === null) throw new Error(`${dialect.label} has no ${operation.op}.`)
    return dialect.read(operation, await send(call))
  }
  const newKey = () => crypto.randomUUID()
  const payment = (last: Session, token: string) => ({
    token,
    handler: last.handlers?.[0] ?? null,
  })
  return {
    newKey,
    make,
    open: (wanted: Wanted, key = newKey()) => make({ op: 'open', wanted, key, dryRun: false }),
    read: (id: string) => make({ op: 'read', id }),
    change: (last: Session, wanted: Wanted, key = newKey()) =>
      make({ op: 'change', id: last.id ?? '', last, wanted, key }),
    pay: (last: Session, wanted: Wanted, token: string, key = newKey()) =>
      make({
        op: 'complete',
        id: last.id ?? '',
        last,
        wanted,
        payment: payment(last, token),
        key,
      }),
    cancel: (id: string, key = newKey()) => make({ op: 'cancel', id, key }),
    order: (id: string) => make({ op: 'order', id }),
  }
}

function httpCall({ method, url, headers, json }: Extract<DialectCall, { over: 'http' }>) {
  const sent: Record<string, string> = { accept: 'application/json', ...headers }
  if (json !== undefined) sent['content-type'] = 'application/json'
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  return { path: new URL(url).pathname, init: { method, headers: sent, ...body } }
}

function mcpCall({ tool, args, key }: Extract<DialectCall, { over: 'mcp' }>, version: UcpVersion) {
  const profile = profileOf(version)
  const meta = { 'ucp-agent': { profile }, ...(key !== undefined && { 'idempotency-key': key }) }
  const params = { name: tool, arguments: { meta, ...args } }
  const init = {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
  return { path: '/ucp/mcp', init }
}

/** Two of a thing without variants, to a whole address, with the cheapest shipping. */
export const WANTED: Wanted = {
  lines: [{ product_id: 'ao-1101', variant_id: null, quantity: 2 }],
  address: ADDRESS,
  option: null,
  coupon: null,
  currency: 'USD',
}

/** The session of an answer; anything else fails the test that asks. */
export function sessionOf(reply: WalkReply): Session {
  if (reply.is !== 'session') throw new Error(JSON.stringify(reply))
  return reply.session
}

/** The refusal of an answer; anything else fails the test that asks. */
export function refusalOf(reply: WalkReply): Refusal {
  if (reply.is !== 'refused') throw new Error(JSON.stringify(reply))
  return reply.refusal
}
