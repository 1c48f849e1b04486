import { afterAll, expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { createShare } from '../../access/share-links.ts'
import { createSiteAccesses } from '../../access/site-access.ts'
import { PER_PROPERTY_AND_DAY } from '../../attribution/beacon/limits.ts'
import { toEventError } from '../../attribution/ingest/event-errors.ts'
import { createProperty } from '../../attribution/properties.ts'
import { createEngine } from '../../audit/engine.ts'
import type { Judges } from '../../audit/judging/judges.ts'
import { JUDGES_HERE } from '../../audit/judging/testing/judges-here.ts'
import { createFetcher } from '../../audit/probe/fetch/fetch.ts'
import { tooManyOfOne } from '../../audit/slots.ts'
import { pretendStore } from '../../audit/walk/testing/pretend-store.ts'
import { revokeKey } from '../../db/access/keys.ts'
import { SCOPES } from '../../db/access/scopes.ts'
import { rate_limits } from '../../db/access/tables.ts'
import { beacon_days } from '../../db/attribution/tables.ts'
import { listAudits, saveAudit } from '../../db/audit/audits.ts'
import { Overdue, QueueFull } from '../../db/batching/batcher.ts'
import { sealerOf } from '../../db/sealing/seal.ts'
import { type ChannelRow, updateChannel } from '../../db/watch/channels.ts'
import type { ApiError } from '../../http/api-error.ts'
import { toApiError } from '../../http/errors.ts'
import { auditWith, cleanResult, testApp } from '../../testing/app.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { createChannels } from '../../watch/channels/channels.ts'
import type { Mailer } from '../../watch/channels/mail/smtp.ts'
import { OWN_FAULT } from '../../watch/channels/mail/smtp.ts'
import { watchedChannel } from '../../watch/channels/testing/world.ts'
import { changeWatch, createWatch } from '../../watch/set-up.ts'
import { notReady } from '../health.ts'
import { errorCodesIn } from './error-examples.ts'

/** Every error that `/openapi.json` documents is provoked; its example is what the app answers. */

const NOON = new Date('2026-11-21T12:00:00Z')
const now = () => NOON
const NOBODY = '00000000-0000-4000-8000-000000000000'

const { origin, close } = await onLoopback((request, response) => {
  const [host] = String(request.headers.host).split('.')
  if (host === 'away') return request.socket.destroy()
  response.statusCode = host === 'closed' ? 403 : request.url === '/' ? 200 : 503
  return response.end('<title>A shop</title>')
})
/** Whether what a store answers is more than may be judged. */
let isTooLarge = false
const judges: Judges = {
  ...JUDGES_HERE,
  run: async (task, input) =>
    task === 'judge' && isTooLarge
      ? { exceeded: 'it took more than 5 s' }
      : JUDGES_HERE.run(task, input),
}
const engine = createEngine(
  { baseUrl: 'https://aisle.example', testHosts: [{ pattern: '*.example', origin }] },
  now,
  judges,
)
afterAll(async () => {
  await close()
  await engine.close()
})

const held = Promise.withResolvers<void>()
afterAll(() => held.resolve())
const made = await testApp({
  now,
  audit: (order, call) =>
    order.domain === 'shop.example'
      ? Promise.resolve(auditWith(cleanResult(order.domain, order.checks, NOON)))
      : engine.audit(order, call),
  store: pretendStore({ hold: () => held.promise }),
})
const { app, db, key, createTestKey } = made
const document = await (await app.request('/openapi.json')).json()

type Content = Record<string, { example?: unknown; examples?: Record<string, Example> }>
interface Example {
  value?: { error: Answered & { code: string; request_id: string } }
  $ref?: string
}
interface Operation {
  security: { key: string[] }[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content; headers?: object }>
}

interface Documented {
  method: string
  path: string
  status: string
  code: string
  security: { key: string[] }[]
  /** An example of what the operation is sent. */
  body: unknown
  type: string
}

const paths: Record<string, Record<string, Operation>> = document.paths
const documented: Documented[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { security, responses, requestBody }]) => {
    const [type = 'application/json'] = Object.keys(requestBody?.content ?? {})
    const { example, examples = {} } = requestBody?.content[type] ?? {}
    const sent = { type, body: example ?? Object.values(examples)[0]?.value }
    return Object.entries(responses)
      .filter(([status]) => !status.startsWith('2') && status !== '304')
      .flatMap(([status, { description }]) => {
        const codes = errorCodesIn(description)
        return (codes.length > 0 ? codes : ['no code']).map((code) => ({
          ...{ method: method.toUpperCase(), path, status, code, security },
          ...sent,
        }))
      })
  }),
)

// What is asked for: of shop.example where it is there, and of nobody where it must not be.
const property = await createProperty(db, { domain: 'shop.example' }, NOON)
await saveAudit(db, cleanResult('shop.example', DEFAULT_CHECKS, NOON))
const [audit] = await listAudits(db, 'shop.example')
const asked = await sendTo('POST', '/api/walk', { body: { domain: 'shop.example' } })
const walk: string = (await asked.json()).id
const linked = {
  domain: 'shop.example',
  key_id: 'x',
  days: null,
  view: 'walk',
  walk_id: walk,
} as const
const { token } = await createShare(db, linked, NOON)

const channel = await watchedChannel(db, 'watched.example')
const watcher = { keyId: 'x', mayReadReport: true }
const setUp = { db, now: () => NOON }
await createWatch(setUp, { domain: 'paused.example' }, watcher)
await changeWatch(setUp, 'paused.example', { paused: true })

const QUERIES: Record<string, string> = {
  'GET /api/report': '?domain=shop.example&start=2026-11-01&end=2026-11-20',
  'GET /api/fetches': '?domain=shop.example&start=2026-11-01&end=2026-11-20',
  'GET /api/audits/history': '?domain=shop.example',
  'GET /api/walk': '?domain=shop.example',
  'POST /sessions': `?id=${property.id}`,
  'POST /api/fetches': '?domain=shop.example',
}

const idsFor = (path: string) =>
  path.includes('/channels/')
    ? channel.id
    : path.startsWith('/api/properties')
      ? property.id
      : path.startsWith('/api/audits')
        ? audit?.id
        : walk

const addressOf = ({ method, path }: Pick<Documented, 'method' | 'path'>, id = idsFor(path)) =>
  path
    .replace('{id}', id ?? '')
    .replace('{link}', 'x')
    .replace('{n}', '1')
    .replace('{domain}', 'watched.example')
    .replace('{token}', token)
    .replace('{version}', '0123456789abcdef') + (QUERIES[`${method} ${path}`] ?? '')

interface Sent {
  body?: unknown
  /** In the place of JSON of `body`. */
  text?: string
  type?: string
  key?: string | null
  headers?: Record<string, string>
}

async function sendTo(method: string, address: string, sent: Sent = {}, to = app) {
  const { body, text = body === undefined ? null : JSON.stringify(body), key: own = key } = sent
  return to.request(address, {
    method,
    body: method === 'GET' ? null : text,
    headers: {
      ...(own !== null && { Authorization: `Bearer ${own}` }),
      'Content-Type': sent.type ?? 'application/json',
      Origin: 'https://shop.example',
      ...sent.headers,
    },
  })
}

const revoked = await createTestKey()
await revokeKey(db, revoked.id, NOON)
const expired = await createTestKey({ expires_at: new Date(NOON.getTime() - 1000) })
const foreign = await createTestKey({ domains: ['other.example'] })

/** A key of which all is used up. */
async function usedUp(quota: string): Promise<string> {
  const { key: full, id } = await createTestKey()
  await db
    .insert(rate_limits)
    .values({ key: `${quota}:${id}`, points: 99_999, expire: new Date(Date.now() + 1_800_000) })
  return full
}

const unavailable = () =>
  toApiError(Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED', query: '' }))

type Way = (each: Documented) => Promise<Response> | ApiError | null | undefined

const send = (each: Documented, sent: Sent = {}, id?: string) =>
  sendTo(each.method, addressOf(each, id), {
    ...(each.type === 'application/json' ? { body: each.body } : { text: String(each.body) }),
    type: each.type,
    ...sent,
  })

/** Sent about another domain than the watched one. */
const sendOf = (domain: string, each: Documented) =>
  sendTo(each.method, addressOf(each).replace('watched.example', domain), { body: each.body })
const MAIL = { kind: 'mail', target: 'alerts@shop.example' }

/** By a service that has a mail server. */
async function withMail(mailer: Mailer, each: Documented, by: string): Promise<Response> {
  const fetcher = createFetcher({ userAgent: 'Test/1' })
  const deps = { db, now, log: made.log, baseUrl: 'https://aisle.example', fetcher, mailer }
  const its = await testApp({ now, database: made.database, channels: createChannels(deps) })
  return sendTo(each.method, addressOf(each), { body: MAIL, key: by }, its.app)
}

/** While the channel is otherwise. */
async function changed(change: Partial<ChannelRow>, ask: () => Promise<Response>) {
  await updateChannel(db, channel, change)
  const answer = await ask()
  await updateChannel(db, channel, channel)
  return answer
}

/** A parameter that is out of bounds where there is no body. */
const wrongInput: Way = (each) => {
  if (each.body !== undefined) return send(each, { text: '{"domain":"https://shop.example/"}' })
  const address = addressOf(each)
  if (each.path.includes('{domain}')) {
    return sendTo(each.method, address.replace('watched.example', 'no_domain'))
  }
  const wrong = each.path.endsWith('/export') ? 'format=x' : 'limit=0'
  return sendTo(each.method, `${address}${address.includes('?') ? '&' : '?'}${wrong}`)
}

/** By code; what names a path goes first. */
const WAYS: Record<string, Way> = {
  missing_key: (each) => send(each, { key: null }),
  invalid_key: (each) => send(each, { key: 'aisle_live_x_y' }),
  revoked_key: (each) => send(each, { key: revoked.key }),
  expired_key: (each) => send(each, { key: expired.key }),
  insufficient_scope: async (each) => {
    const needed = each.security[0]?.key ?? []
    const { key: less } = await createTestKey({
      scopes: SCOPES.filter((scope) => !needed.includes(scope)),
    })
    return send(each, { key: less })
  },
  domain_not_allowed: (each) => send(each, { key: foreign.key }),
  'POST /api/audit domain_not_allowed': (each) =>
    send(each, { key: foreign.key, body: { domain: 'shop.example', agents: true } }),
  malformed_json: (each) => send(each, { text: '{' }),
  not_utf8: (each) =>
    sendTo(each.method, addressOf(each), {
      text: '"\uFFFD"',
      headers: { 'Content-Length': '3' },
    }),
  method_not_allowed: (each) => {
    const used = Object.keys(paths[each.path] ?? {}).map((name) => name.toUpperCase())
    const other = ['PUT', 'PATCH'].find((name) => !used.includes(name))
    return sendTo(other ?? '', addressOf(each))
  },
  body_too_large: (each) => send(each, { text: JSON.stringify('x'.repeat(2 ** 21)) }),
  'POST /api/fetches body_too_large': (each) => send(each, { text: ' '.repeat(2 ** 24 + 1) }),
  client_too_old: (each) => send(each, { headers: { 'User-Agent': 'aisle-node/0.0.1' } }),
  not_gzip: (each) => send(each, { headers: { 'Content-Encoding': 'gzip' } }),
  no_lines: (each) => send(each, { text: '{"at":' }),
  invalid_signature: async (each) => {
    const { id } = await createTestKey()
    return sendTo(each.method, `${addressOf(each)}&key=${id}`, { text: '{}', key: null })
  },
  unsupported_media_type: (each) => send(each, { type: 'text/html' }),
  invalid_request: wrongInput,
  'POST /api/fetches invalid_request': (each) =>
    sendTo(each.method, '/api/fetches', { text: '{}' }),
  'GET /api/walk invalid_request': () => sendTo('GET', '/api/walk?domain=https://shop.example/'),
  'GET /api/watches invalid_request': () => sendTo('GET', '/api/watches?after=https://x.example/'),
  'POST /sessions invalid_request': (each) => send(each, { text: '{}' }),
  'GET /api/audits/{id}/changes invalid_request': (each) =>
    sendTo('GET', `${addressOf(each)}?since=${audit?.id}`),
  rate_limited: async (each) => send(each, { key: await usedUp('audit') }),
  'POST /api/fetches rate_limited': async (each) => send(each, { key: await usedUp('fetches') }),
  'POST /api/walk rate_limited': async (each) => send(each, { key: await usedUp('walk') }),
  'POST /api/manifest/validate rate_limited': async (each) =>
    send(each, { key: await usedUp('validate'), body: { url: 'https://shop.example/x' } }),
  'POST /sessions rate_limited': async (each) => {
    const flooded = await createProperty(db, { domain: 'flooded.example' }, NOON)
    const { app: its } = await testApp({ now, database: made.database })
    const counts = {
      admitted: PER_PROPERTY_AND_DAY,
      over_address: 0,
      over_network: 0,
      over_property: 0,
    }
    const of = { domain: 'flooded.example', property_id: flooded.id, day: '2026-11-21' }
    await db.insert(beacon_days).values({ ...of, ...counts })
    return sendTo(
      'POST',
      `/sessions?id=${flooded.id}`,
      { text: String(each.body), type: each.type, headers: { Origin: 'https://flooded.example' } },
      its,
    )
  },
  'POST /api/watches/{domain}/channels rate_limited': async (each) => {
    const mailer: Mailer = { send: async () => ({ is: 'delivered', status: 250 }) }
    return withMail(mailer, each, await usedUp('confirm_by_key'))
  },
  'POST /api/watches/{domain}/channels/{id}/test rate_limited': async (each) =>
    send(each, { key: await usedUp('channel_test') }),
  channel_not_found: (each) => send(each, {}, 'gone'),
  too_many_channels: async (each) => {
    for (let n = 0; n < 20; n += 1) await send(each)
    return send(each)
  },
  no_mail_server: (each) => send(each, { body: MAIL }),
  mail_not_sent: (each) =>
    withMail({ send: async () => ({ is: 'failed', status: null, error: OWN_FAULT }) }, each, key),
  address_not_confirmed: (each) => changed({ kind: 'mail', confirmed_at: null }, () => send(each)),
  unsubscribed: (each) =>
    changed({ kind: 'mail', confirmed_at: null, disabled_at: NOON }, () =>
      send(each, { body: { enabled: true } }),
    ),
  too_many_waiting: () => tooManyOfOne(),
  internal_error: () => toApiError(new Error('x')),
  database_unavailable: unavailable,
  busy: () => toApiError(new QueueFull('full')),
  not_confirmed: () => toEventError(new Overdue('late')),
  not_storable: () => toEventError(Object.assign(new Error('x'), { code: '22003' })),
  not_ready: () => notReady('The service is shutting down. Use another replica.'),
  idempotency_conflict: async (each) => {
    const event = { ...(each.body as object), session_id: 'once', event: 'ai_product_viewed' }
    const headers = { 'Idempotency-Key': 'once' }
    await send(each, { body: event, headers })
    return send(each, { body: { ...event, ai_surface: 'perplexity' }, headers })
  },
  no_access: (each) => sendOf('closed.example', each),
  no_secrets_key: async (each) => {
    const sealer = sealerOf({ secretsKey: null, dataDir: '/proc/none' })
    const siteAccess = createSiteAccesses({ db, now, sealer })
    const { app: its } = await testApp({ now, database: made.database, siteAccess })
    return sendTo(each.method, addressOf(each), { body: each.body }, its)
  },
  no_cached_audit: (each) => send(each, { body: { domain: 'new.example', dry_run: true } }),
  domain_unreachable: (each) => send(each, { body: { domain: 'away.example' } }),
  domain_blocked: (each) => send(each, { body: { domain: 'closed.example' } }),
  nothing_judged: (each) => send(each, { body: { domain: 'down.example', checks: ['catalog'] } }),
  too_large_to_judge: async (each) => {
    isTooLarge = true
    const answer = await send(each, { body: { domain: 'vast.example' } })
    isTooLarge = false
    return answer
  },
  audit_not_found: (each) => send(each, {}, NOBODY),
  'GET /api/audits/history audit_not_found': (each) =>
    sendTo('GET', `${addressOf(each)}&after=${NOBODY}`),
  no_earlier_audit: (each) => send(each),
  walk_not_found: (each) => send(each, {}, NOBODY),
  walk_under_way: (each) => send(each, { body: { domain: 'shop.example' } }),
  too_many_shares: async (each) => {
    for (let n = 0; n < 100; n += 1) await createShare(db, linked, NOON).catch(() => null)
    return send(each)
  },
  picture_not_found: (each) => send(each),
  link_not_found: (each) => sendTo('DELETE', addressOf(each).replace(/[^/]+$/, 'gone')),
  link_not_valid: (each) => sendTo('GET', addressOf(each).replace(token, 'gone')),
  property_not_found: (each) => send(each, {}, 'p_gone'),
  too_many_properties: async (each) => {
    for (let n = 0; n < 50; n += 1) {
      await createProperty(db, { domain: 'many.example' }, NOON).catch(() => null)
    }
    return send(each, { body: { ...(each.body as object), domain: 'many.example' } })
  },
  watch_exists: (each) => send(each, { body: { domain: 'watched.example' } }),
  watch_not_found: (each) => sendOf('unwatched.example', each),
  watch_paused: (each) => sendOf('paused.example', each),
  incident_not_found: (each) => send(each),
  unknown_version: (each) => send(each),
  unknown_property: (each) =>
    sendTo('POST', '/sessions?id=gone', { text: String(each.body), type: each.type }),
  origin_not_allowed: (each) => send(each, { headers: { Origin: 'https://other.example' } }),
}

const nameOf = ({ method, path, status, code }: Documented) => `${method} ${path} ${status} ${code}`

interface Answered {
  message: string
  details?: unknown
}

/** What the app says, as an example has it. */
async function answerTo(each: Documented): Promise<Answered | string> {
  const { method, path, code } = each
  const way = WAYS[`${method} ${path} ${code}`] ?? WAYS[code]
  const said = await way?.(each)
  if (said === null || said === undefined) return 'nothing is known that leads to it'
  if ('extras' in said) {
    const { message, extras } = said
    if (`${said.status} ${said.code}` !== `${each.status} ${code}`) return `${said.status}`
    return { message, ...(extras.details && { details: extras.details }) }
  }
  if (!(said.headers.get('content-type') ?? '').includes('json')) return `answered ${said.status}`
  noteCount(each, said)
  const { error } = await said.json()
  if (`${said.status} ${error?.code}` !== `${each.status} ${code}`) {
    return `answered ${said.status} ${error?.code}`
  }
  const { message, details } = error
  return { message: steady(message), ...(details && { details }) }
}

/** With one id and one time, whatever is made and passes in this run. */
const steady = (message: string) =>
  message
    .replaceAll(walk, '5f0c1f6e-7d0b-4c55-8c6b-3d6e0f9b2a11')
    .replace(/\d+ seconds/, '1800 seconds')

/** Of the answers so far: what their headers say of the quota, beside what is documented. */
const counts: { name: string; isSaid: boolean; isSent: boolean }[] = []
const noteCount = ({ method, path, status }: Documented, answer: Response) => {
  const said = paths[path]?.[method.toLowerCase()]?.responses[status]?.headers ?? {}
  const isSaid = 'RateLimit' in said
  counts.push({
    name: `${method} ${path} ${status}`,
    isSaid,
    isSent: answer.headers.has('RateLimit'),
  })
}

const answers = new Map<string, Answered>()
const wrong: string[] = []
// One after the other: some fill what others need.
const last = ['too_many_shares', 'too_many_properties', 'too_many_channels']
for (const each of documented.toSorted((a, b) => last.indexOf(a.code) - last.indexOf(b.code))) {
  const said = await answerTo(each)
  if (typeof said === 'string') wrong.push(`${nameOf(each)}: ${said}`)
  else answers.set(nameOf(each), said)
}

test('each documented error is one that its operation answers', () => {
  expect(wrong).toEqual([])
})

test('errors that count against the quota of a key are those that are documented so', () => {
  const byName = Map.groupBy(counts, ({ name }) => name)
  for (const [name, all] of byName) {
    // One status has codes of before and after the count.
    expect(
      all.some(({ isSent }) => isSent),
      name,
    ).toBe(all.some(({ isSaid }) => isSaid))
  }
})

/** What most operations answer stands under the code, and what others do under their names. */
function compacted(): Record<string, Answered> {
  const codes = Map.groupBy(answers, ([name]) => name.split(' ')[3] ?? '')
  const entries = [...codes].flatMap(([code, all]) => {
    const same = Map.groupBy(all, ([, said]) => JSON.stringify(said))
    const [most = []] = [...same.values()].sort((a, b) => b.length - a.length)
    const common = JSON.stringify(most[0]?.[1])
    const others = all.filter(([, said]) => JSON.stringify(said) !== common)
    return [...most.slice(0, 1).map(([, said]) => [code, said] as const), ...others]
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

test('its example is what the app answers (written anew with vitest -u)', async () => {
  await expect(`${JSON.stringify(compacted(), null, 2)}\n`).toMatchFileSnapshot(
    'error-examples.json',
  )
})

test('the document has the examples', () => {
  for (const each of documented) {
    const { method, path, status, code } = each
    const { content } = paths[path]?.[method.toLowerCase()]?.responses[status] ?? {}
    const example = content?.['application/json']?.examples?.[code]
    const shared = document.components.examples[example?.$ref?.split('/').at(-1) ?? '']
    const { request_id = '', ...shown } = (example?.value ?? shared?.value)?.error ?? {}
    expect(shown, nameOf(each)).toEqual({ code, ...answers.get(nameOf(each)) })
    expect(request_id).toMatch(/^[\w-]{8,}$/)
  }
})
