import { expect, test } from 'vitest'
import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import type { Session, WalkReply } from '../../../shared/walk/session.ts'
import { auditPlatforms } from '../testing/platforms.ts'
import { testStore } from '../testing/store.ts'
import { acpAt, sessionOf, ucpAt, WANTED, walkerOf } from '../testing/walker.ts'
import { ACP_SERVICE_FAULTS } from './acp.ts'
import { UCP_SERVICE_FAULTS } from './ucp-services.ts'

const { ask } = await testStore({ platforms: auditPlatforms, faults: [] })

/** Yes, or what the no is about. */
const answerOf = (reply: WalkReply): string => {
  if (reply.is === 'refused') return reply.refusal.reason
  const gone =
    reply.is === 'session' && reply.session.messages.find(({ reason }) => reason !== null)
  return gone ? String(gone.reason) : reply.is
}
const addsUp = ({ parts, total }: Session): boolean =>
  total !== null && parts?.reduce((sum, { amount }) => sum + amount, 0) === total

/** All that a buyer reads in one purchase, as far as it is the same each time. */
async function factsAt(dialect: WalkDialect, host: string) {
  const buyer = walkerOf(ask, dialect, host)
  const key = buyer.newKey()
  const opened = sessionOf(await buyer.open(WANTED, key))
  const again = sessionOf(await buyer.open(WANTED, key))
  const variant = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }
  const whole = { ...WANTED, option: 'standard' }
  const chosen = sessionOf(await buyer.change(opened, whole))
  const other = sessionOf(await buyer.change(sessionOf(await buyer.open(WANTED)), whole))
  const led = await buyer.pay(other, whole, 'tok_3ds')
  const escalated = led.is === 'session' ? led.session : null
  const paid = await buyer.pay(chosen, whole, 'tok_visa')
  return {
    faults: opened.faults.map(({ field, about }) => [field, about]),
    price: opened.lines?.[0]?.price,
    currency: opened.currency,
    addsUp: addsUp(opened) && addsUp(chosen),
    shipping: opened.shipping.length,
    chosen: chosen.chosen,
    phase: chosen.phase,
    handlers: chosen.handlers,
    isRepeated: again.id === opened.id,
    variant: answerOf(await buyer.open({ ...WANTED, lines: [variant] })),
    foreign: answerOf(await buyer.open({ ...WANTED, currency: 'EUR' })),
    challenge: escalated?.phase ?? answerOf(led),
    leadsOn: escalated?.continue_url != null,
    paid: paid.is === 'session' ? paid.session.phase : answerOf(paid),
  }
}
type Facts = Awaited<ReturnType<typeof factsAt>>

/** What of the facts is another than it should be. */
const changesOf = (right: Facts, seen: Facts): Partial<Facts> =>
  Object.fromEntries(
    Object.entries(seen).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(right[name as keyof Facts]),
    ),
  )

/** Without shipping nothing can be paid. */
const unready = { phase: 'open', paid: 'open', challenge: 'open' }

/** How each fault shows to a buyer, and nothing else: of webhooks no buyer knows. */
const UCP: Record<string, (right: Facts) => object> = {
  'ucp-complete-fails': () => ({ challenge: 'failed', leadsOn: false, paid: 'failed' }),
  'ucp-payment-handlers-missing': () => ({
    handlers: [],
    phase: 'buyer',
    challenge: 'buyer',
    paid: 'buyer',
  }),
  'ucp-continue-url-missing': () => ({ leadsOn: false }),
  'ucp-price-mismatch': ({ price }) => ({ price: Number(price) + 137 }),
  'ucp-currency-mismatch': () => ({ currency: 'CAD' }),
  'ucp-shipping-options-missing': () => ({ shipping: 0, chosen: null, ...unready }),
  'ucp-totals-wrong': () => ({ addsUp: false }),
  'ucp-variant-unavailable': () => ({ variant: 'sold_out' }),
  'ucp-foreign-currency-fails': () => ({ foreign: 'failed' }),
  'ucp-idempotency-ignored': () => ({ isRepeated: false }),
  'ucp-catalog-currency-invalid': () => ({ currency: 'usd', faults: [['currency', 'currency']] }),
}

const ACP: Record<string, (right: Facts) => object> = {
  'acp-complete-fails': () => ({ challenge: 'failed', leadsOn: false, paid: 'failed' }),
  'acp-payment-handlers-missing': () => ({
    handlers: [],
    challenge: 'payment',
    leadsOn: false,
    paid: 'payment',
  }),
  'acp-continue-url-missing': () => ({ leadsOn: false }),
  'acp-price-mismatch': ({ price }) => ({ price: Number(price) + 137 }),
  'acp-currency-mismatch': () => ({ currency: 'cad' }),
  'acp-shipping-options-missing': () => ({ shipping: 0, chosen: null, ...unready }),
  'acp-totals-wrong': () => ({ addsUp: false }),
  'acp-variant-unavailable': () => ({ variant: 'unknown_item' }),
  'acp-foreign-currency-fails': () => ({ foreign: 'failed' }),
  'acp-idempotency-ignored': () => ({ isRepeated: false }),
  'acp-currency-invalid': () => ({ currency: 'US$', faults: [['currency', 'currency']] }),
}

test('each fault of a purchase that no audit sees is in the tables', () => {
  const unjudged = [...UCP_SERVICE_FAULTS, ...ACP_SERVICE_FAULTS].filter(
    ({ gap, shows }) => gap === null && shows === undefined,
  )
  const purchases = unjudged.map(({ fault }) => fault).filter((name) => !name.includes('webhooks'))
  expect(Object.keys({ ...UCP, ...ACP })).toEqual(expect.arrayContaining(purchases))
})

const ROUTES: readonly [string, typeof UCP, string, (host: string) => WalkDialect][] = [
  ['UCP over REST', UCP, 'ucp.example', (host) => ucpAt(host, 'rest')],
  ['UCP over MCP', UCP, 'ucp.example', (host) => ucpAt(host, 'mcp')],
  ['the UCP before, over REST', UCP, 'ucp.example', (host) => ucpAt(host, 'rest', '2026-04-08')],
  ['ACP', ACP, 'acp.example', (host) => acpAt(host)],
]

test.each(ROUTES)('a buyer sees each fault, and it alone: %s', async (_, faults, faultless, at) => {
  const right = await factsAt(at(faultless), faultless)
  expect(right).toMatchObject({ faults: [], addsUp: true, phase: 'ready', paid: 'completed' })
  expect(right).toMatchObject({ shipping: 2, isRepeated: true, leadsOn: true, variant: 'session' })
  const seen: Record<string, object> = {}
  for (const fault of Object.keys(faults)) {
    const host = `${fault}.example`
    seen[fault] = changesOf(right, await factsAt(at(host), host))
  }
  const shown = Object.entries(faults).map(([fault, shows]) => [fault, shows(right)])
  expect(seen).toEqual(Object.fromEntries(shown))
})
