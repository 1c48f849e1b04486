import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { ap2MandateIn } from '../../../../shared/protocols/ucp/names.ts'
import { UCP, type UcpVersion } from '../../../../shared/protocols/ucp/versions.ts'
import {
  checkoutJwtOf,
  judgeAuthorization,
} from '../../../signatures/mandates/merchant-authorization.ts'
import {
  bindingTo,
  closing,
  jwt,
  sdJwt,
  type TestKey,
  testKey,
} from '../../../signatures/mandates/testing/mandates.ts'
import { orders, sessions } from '../../db/tables.ts'
import { NOON, testStore } from '../../testing/store.ts'
import { capabilitiesOf } from './profile/profile.ts'
import {
  payBy,
  READY_AGAIN,
  type Said,
  TRANSPORTS,
  type Transport,
  ucpAgent,
} from './testing/agent.ts'

const platform = testKey('agent-1')
const ORIGIN = 'https://ucp.example'

/** Profiles by their addresses: the version, and what they have. */
const KINDS = {
  mandates: { hasMandates: true, keys: [platform.published] },
  keyless: { hasMandates: true, keys: [] },
  plain: { hasMandates: false, keys: [platform.published] },
}
type Kind = keyof typeof KINDS
const profileAt = (version: UcpVersion, kind: Kind, host = 'agent.example') =>
  `https://${host}/${version}/${kind}.json`

let at = NOON.getTime()
const { send, ask, deps, bank } = await testStore(
  {
    platforms: {
      async find(url) {
        const [, version = '', file = ''] = new URL(url).pathname.split('/')
        const { hasMandates, keys } = KINDS[file.replace('.json', '') as Kind]
        const capabilities = capabilitiesOf(version as UcpVersion, { hasMandates })
        return { profile: { ucp: { version, capabilities }, keys } }
      },
    },
  },
  { now: () => new Date(at) },
)
const ownKeys = (await deps.signingKeys.published(deps.db, NOON)).map((key) => ({ ...key }))

beforeEach(() => {
  at = NOON.getTime()
})

type Checkout = Record<string, unknown> & { id: string }

/** What the agent's buyer signs of a checkout. */
const agreeTo = (checkout: Checkout, change: object = {}, key: TestKey = platform) =>
  sdJwt(closing(checkoutJwtOf(checkout), change), key)

const withMandate = (mandate: unknown, token = 'tok_visa') => ({
  ...payBy(token),
  ap2: { checkout_mandate: mandate },
})

const codeOf = ({ said }: Said) => said.code ?? said.messages?.[0]?.code ?? said.status
const chargesOf = (id: string) => bank.calls.filter(({ sessionId }) => sessionId === id).length
const orderOf = async (id: string) =>
  (await deps.db.select().from(orders).where(eq(orders.session_id, id)))[0]

const agentOf = (
  transport: Transport,
  version: UcpVersion = UCP.newest,
  kind: Kind = 'mandates',
  host?: string,
) => ucpAgent(send, transport, 'ucp.example', profileAt(version, kind, host))

const opened = async (agent: ReturnType<typeof agentOf>): Promise<Checkout> =>
  (await agent.get(await agent.open())).said

const VARIANTS = UCP.served.flatMap((version) =>
  TRANSPORTS.map((transport) => ({ version, transport })),
)

describe.each(VARIANTS)('UCP $version over $transport', ({ version, transport }) => {
  const agent = agentOf(transport, version)

  test('every answer about a checkout is signed, and by mandate it is paid', async () => {
    const checkout = await opened(agent)
    const name = ap2MandateIn(version)
    expect(checkout.ucp).toMatchObject({ capabilities: { [name]: [{ version }] } })
    const updated = await agent.update(checkout.id, {
      line_items: [{ id: 'li_1', item: { id: 'ao-1101' }, quantity: 2 }],
      ...READY_AGAIN,
    })
    const paid = await agent.complete(checkout.id, withMandate(agreeTo(updated.said)))
    expect(paid.said.status).toBe('completed')
    const canceled = await agent.cancel((await opened(agent)).id)
    for (const said of [checkout, updated.said, paid.said, canceled.said]) {
      expect(await judgeAuthorization(said, ownKeys)).toBe('valid')
    }
    expect(chargesOf(checkout.id)).toBe(1)
  })

  test('without one it is not, and nothing is charged', async () => {
    const { id } = await opened(agent)
    const refused = await agent.pay(id)
    expect(codeOf(refused)).toBe('mandate_required')
    if (transport === 'rest') expect(refused.status).toBe(400)
    expect(codeOf(await agent.complete(id, { ...payBy('tok_visa'), ap2: {} }))).toBe(
      'mandate_required',
    )
    expect([chargesOf(id), (await agent.get(id)).said.status]).toEqual([0, 'ready_for_complete'])
  })

  test('a signed answer is repeated to the byte', async () => {
    const key = agent.newKey()
    const body = { line_items: [{ item: { id: 'ao-1101' }, quantity: 1 }] }
    const first = await agent.create(body, key)
    expect((await agent.create(body, key)).text).toBe(first.text)
    const change = { ...body, ...READY_AGAIN }
    const changeKey = agent.newKey()
    const updated = await agent.update(first.said.id, change, changeKey)
    expect((await agent.update(first.said.id, change, changeKey)).text).toBe(updated.text)
    const pay = withMandate(agreeTo(updated.said, { exp: NOON.getTime() / 1000 + 60 }))
    const payKey = agent.newKey()
    const paid = await agent.complete(first.said.id, pay, payKey)
    // Its mandate has expired since, and the key has its answer.
    at += 3_600_000
    expect((await agent.complete(first.said.id, pay, payKey)).text).toBe(paid.text)
    expect([paid.said.status, chargesOf(first.said.id)]).toEqual(['completed', 1])
  })
})

describe.each(TRANSPORTS)('over %s', (transport) => {
  const agent = agentOf(transport)
  const alg = (text: string) => Buffer.from(text).toString('base64url')

  test.each<[string, string, (checkout: Checkout) => Promise<string> | string]>([
    ['mandate_invalid_signature', 'of another key', (own) => agreeTo(own, {}, testKey('agent-1'))],
    ['mandate_invalid_signature', 'truncated', (own) => agreeTo(own).slice(0, -20)],
    [
      'mandate_invalid_signature',
      'without an algorithm',
      (own) => agreeTo(own).replace(/^[^.]+/, alg('{"alg":"none","kid":"agent-1"}')),
    ],
    ['mandate_invalid_signature', 'with a byte altered', (own) => agreeTo(own).replace('~W', '~X')],
    ['mandate_expired', 'that has expired', (own) => agreeTo(own, { exp: NOON.getTime() / 1000 })],
    ['mandate_scope_mismatch', 'with another hash', (own) => agreeTo(own, { checkout_hash: 'x' })],
    ['mandate_scope_mismatch', 'of another checkout', async () => agreeTo(await opened(agent))],
    [
      'mandate_scope_mismatch',
      'of the checkout before it got dearer',
      async (own) => {
        const lines = [{ id: 'li_1', item: { id: 'ao-1101' }, quantity: 2 }]
        await agent.update(own.id, { line_items: lines, ...READY_AGAIN })
        return agreeTo(own)
      },
    ],
    [
      'mandate_scope_mismatch',
      'of the checkout before it went elsewhere',
      async (own) => {
        const [method] = READY_AGAIN.fulfillment.methods
        const [home] = method?.destinations ?? []
        const destinations = [{ ...home, street_address: '2 Other Street' }]
        await agent.update(own.id, {
          line_items: own.line_items,
          fulfillment: { methods: [{ ...method, destinations }] },
        })
        return agreeTo(own)
      },
    ],
    [
      'merchant_authorization_invalid',
      'with another amount',
      (own) => agreeTo({ ...own, totals: [{ type: 'total', amount: 1 }] }),
    ],
    [
      'merchant_authorization_missing',
      'without the store’s signature',
      ({ ap2: _, ...checkout }) => sdJwt({ vct: 'mandate.checkout.1', checkout }, platform),
    ],
  ])('%s: a mandate %s', async (code, _, mandateOf) => {
    const own = await opened(agent)
    const refused = await agent.complete(own.id, withMandate(await mandateOf(own)))
    expect(codeOf(refused)).toBe(code)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.status).toBeLessThan(500)
    expect(chargesOf(own.id)).toBe(0)
    // It can still be paid.
    const paid = await agent.complete(own.id, withMandate(agreeTo((await agent.get(own.id)).said)))
    expect([paid.said.status, chargesOf(own.id)]).toEqual(['completed', 1])
  })

  test('agent_missing_key: the profile has no key, or is not the one that opened it', async () => {
    const keyless = agentOf(transport, UCP.newest, 'keyless')
    const own = await opened(keyless)
    expect(codeOf(await keyless.complete(own.id, withMandate(agreeTo(own))))).toBe(
      'agent_missing_key',
    )
    const other = agentOf(transport, UCP.newest, 'mandates', 'other.example')
    const theirs = await opened(agent)
    expect(codeOf(await other.complete(theirs.id, withMandate(agreeTo(theirs))))).toBe(
      'agent_missing_key',
    )
    expect([chargesOf(own.id), chargesOf(theirs.id)]).toEqual([0, 0])
  })

  test('the lock is that of the session: a profile without mandates does not open it', async () => {
    const plain = agentOf(transport, UCP.newest, 'plain')
    const own = await opened(agent)
    const read = (await plain.get(own.id)).said
    expect(await judgeAuthorization(read, ownKeys)).toBe('valid')
    expect(read.ucp.capabilities).not.toHaveProperty([ap2MandateIn(UCP.newest)])
    const lines = { line_items: [{ id: 'li_1', item: { id: 'ao-1101' }, quantity: 1 }] }
    await plain.update(own.id, { ...lines, ...READY_AGAIN })
    await agentOf(transport, '2026-04-08', 'plain').update(own.id, { ...lines, ...READY_AGAIN })
    for (const each of [plain, agentOf(transport, '2026-04-08', 'plain')]) {
      expect(codeOf(await each.pay(own.id))).toBe('mandate_required')
    }
    expect(chargesOf(own.id)).toBe(0)
  })

  test('an update under a profile with mandates locks a session of its platform', async () => {
    const url = profileAt(UCP.newest, 'mandates')
    const own = await opened(agent)
    const [row] = await deps.db.select().from(sessions).where(eq(sessions.id, own.id))
    expect(row?.official).toMatchObject({ platform: url, mandates: true })
    const plain = agentOf(transport, UCP.newest, 'plain')
    const free = await opened(plain)
    expect(free).not.toHaveProperty('ap2')
    expect(codeOf(await agent.pay(free.id))).toBe('mandate_required')
    expect((await plain.pay(free.id)).said.status).toBe('completed')
  })

  test('a mandate is for one credential: a decline needs the buyer again', async () => {
    const own = await opened(agent)
    const mandate = agreeTo(own)
    const declined = await agent.complete(own.id, withMandate(mandate, 'tok_declined'))
    expect(codeOf(declined)).toBe('payment_failed')
    const charges = chargesOf(own.id)
    expect(codeOf(await agent.complete(own.id, withMandate(mandate)))).toBe(
      'mandate_scope_mismatch',
    )
    // Another encoding of the same mandate is the same one.
    const again = mandate.slice(0, -1)
    expect(codeOf(await agent.complete(own.id, withMandate(again)))).toBe('mandate_scope_mismatch')
    expect(chargesOf(own.id)).toBe(charges)
    const anew = agreeTo((await agent.get(own.id)).said)
    expect((await agent.complete(own.id, withMandate(anew))).said.status).toBe('completed')
    const kept = (await orderOf(own.id))?.mandate
    expect(kept?.sent).toBe(anew)
  })

  test('of many calls with one mandate, one order and one charge come', async () => {
    const own = await opened(agent)
    const pay = withMandate(agreeTo(own))
    const answers = await Promise.all([1, 2, 3, 4].map(() => agent.complete(own.id, pay)))
    expect(answers.filter(({ said }) => said.status === 'completed').length).toBeGreaterThan(0)
    expect(chargesOf(own.id)).toBe(1)
  })

  test('an open mandate pays for one checkout', async () => {
    const agentKey = testKey()
    const open = sdJwt(
      {
        vct: 'mandate.checkout.open.1',
        constraints: [
          {
            type: 'checkout.line_items',
            items: [{ id: 'a', acceptable_items: [{ id: 'ao-1101' }], quantity: 1 }],
          },
        ],
        cnf: { jwk: { ...agentKey.published } },
        exp: NOON.getTime() / 1000 + 3600,
      },
      platform,
    )
    const close = (own: Checkout) => {
      const outer = bindingTo(open, ORIGIN, own.id, NOON)
      const closed = sdJwt(closing(checkoutJwtOf(own)), agentKey, outer, { typ: 'kb+sd-jwt' })
      return `${open.slice(0, -1)}~~${closed}`
    }
    const [first, second] = [await opened(agent), await opened(agent)]
    expect((await agent.complete(first.id, withMandate(close(first)))).said.status).toBe(
      'completed',
    )
    expect((await orderOf(first.id))?.mandate?.form).toBe('delegated')
    expect(codeOf(await agent.complete(second.id, withMandate(close(second))))).toBe(
      'mandate_scope_mismatch',
    )
    expect(chargesOf(second.id)).toBe(0)
  })
})

const receiptOf = ({ said }: Said) => new URL(said.order.permalink_url).pathname

test('an order shows whose mandate it was bought with, and keeps it to be verified again', async () => {
  const agent = agentOf('rest')
  const own = await opened(agent)
  const mandate = agreeTo(own)
  const paid = await agent.complete(own.id, withMandate(mandate))
  const order = await orderOf(own.id)
  expect(order?.mandate).toEqual({
    sent: mandate,
    form: 'direct',
    key: expect.objectContaining({ kid: 'agent-1', crv: 'P-256' }),
    verified_at: NOON.toISOString(),
  })
  const { body } = await ask(receiptOf(paid), 'ucp.example')
  expect(body).toContain('Bought with a mandate that agent.example signed, verified on 2026-06-01.')
  const plain = agentOf('rest', UCP.newest, 'plain')
  const free = await opened(plain)
  const unsigned = await plain.pay(free.id)
  expect((await orderOf(free.id))?.mandate).toBeNull()
  expect((await ask(receiptOf(unsigned), 'ucp.example')).body).not.toContain('mandate')
})

test('what a buyer writes is signed as it is sent', async () => {
  const agent = agentOf('rest')
  const lines = { line_items: [{ item: { id: 'ao-1101' }, quantity: 1 }] }
  for (const first_name of ['Ada \u2028', '\u{1f9d7}', 'e\u0301', '1e21', '__proto__']) {
    const { said } = await agent.create({ ...lines, buyer: { first_name } })
    expect(await judgeAuthorization(said, ownKeys)).toBe('valid')
  }
  // Half of a pair has no canonical form: it is refused before anything is signed.
  const broken = `{"line_items":${JSON.stringify(lines.line_items)},"buyer":{"first_name":"\\ud800"}}`
  const { status } = await send('POST', '/ucp/v1/checkout-sessions', broken, 'ucp.example', {
    'ucp-agent': `profile="${profileAt(UCP.newest, 'mandates')}"`,
  })
  expect(status).toBeLessThan(500)
})

test('a key binding is for one store', async () => {
  const agent = agentOf('rest')
  const own = await opened(agent)
  const buyer = testKey()
  const text = agreeTo(own, { cnf: { jwk: { ...buyer.published } } })
  const bind = (origin: string) =>
    text + jwt(bindingTo(text, origin, own.id, NOON), buyer, { typ: 'kb+jwt' })
  const other = await agent.complete(own.id, withMandate(bind('https://other.example')))
  expect(codeOf(other)).toBe('mandate_scope_mismatch')
  expect((await agent.complete(own.id, withMandate(bind(ORIGIN)))).said.status).toBe('completed')
})

test('the profile offers mandates in the words of each version', async () => {
  const newest = JSON.parse((await ask('/.well-known/ucp', 'ucp.example')).body)
  const older = JSON.parse((await ask('/.well-known/ucp/2026-04-08', 'ucp.example')).body)
  expect(newest.ucp.capabilities['dev.ucp.common.payment.ap2_mandate']).toEqual([
    {
      version: '2026-08-25',
      spec: 'https://ucp.dev/2026-08-25/specification/ap2-mandates',
      schema: 'https://ucp.dev/2026-08-25/schemas/common/payment_ap2_mandate.json',
      extends: ['dev.ucp.shopping.checkout'],
      config: { vp_formats_supported: { 'dc+sd-jwt': {} } },
    },
  ])
  expect(older.ucp.capabilities['dev.ucp.shopping.ap2_mandate']).toMatchObject([
    { schema: 'https://ucp.dev/2026-04-08/schemas/shopping/ap2_mandate.json' },
  ])
})
