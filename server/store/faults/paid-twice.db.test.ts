import { expect, test } from 'vitest'
import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import { specAcp, specUcp } from '../../../shared/walk/dialects/spec.ts'
import { auditPlatforms } from '../testing/platforms.ts'
import { testStore } from '../testing/store.ts'
import { acpAt, sessionOf, ucpAt, WANTED, walkerOf } from '../testing/walker.ts'

const { ask, bank } = await testStore({ platforms: auditPlatforms, faults: [] })

const ROUTES: readonly [name: string, right: string, at: (host: string) => WalkDialect][] = [
  ['ucp', 'ucp', (host) => ucpAt(host, 'rest')],
  ['ucp', 'ucp', (host) => ucpAt(host, 'mcp')],
  ['acp', 'shop', (host) => acpAt(host)],
  ['spec-acp', 'shop', (host) => specAcp({ origin: `https://${host}` })],
  [
    'spec-ucp',
    'shop',
    (host) => specUcp({ checkout: `https://${host}/ucp/checkout`, orders: null }),
  ],
]

/** Opened, shipped where that can be chosen before the payment, and ready to be paid. */
async function readyAt(host: string, dialect: WalkDialect) {
  const buyer = walkerOf(ask, dialect, host)
  const opened = sessionOf(await buyer.open(WANTED))
  const wanted = { ...WANTED, option: 'standard' }
  const last = dialect.can.choose ? sessionOf(await buyer.change(opened, wanted)) : opened
  return { buyer, last: { ...opened, ...last }, wanted }
}

test.each(ROUTES)(
  '%s: the same payment is one order, or one each time',
  async (name, right, at) => {
    const ordersAt = async (label: string) => {
      const host = `${label}.example`
      const { buyer, last, wanted } = await readyAt(host, at(host))
      const before = bank.paid().length
      const key = buyer.newKey()
      const pay = async () => sessionOf(await buyer.pay(last, wanted, 'tok_visa', key)).order?.id
      const orders = new Set([await pay(), await pay()])
      return { orders: orders.size, charges: bank.paid().length - before }
    }
    expect(await ordersAt(right)).toEqual({ orders: 1, charges: 1 })
    expect(await ordersAt(`${name}-paid-twice`)).toEqual({ orders: 2, charges: 2 })
  },
)

test.each(ROUTES.filter(([name]) => name !== 'spec-ucp'))(
  '%s: what was cancelled is over, or open again',
  async (name, right, at) => {
    const phaseAt = async (label: string) => {
      const host = `${label}.example`
      const { buyer, last, wanted } = await readyAt(host, at(host))
      const { phase } = sessionOf(await buyer.cancel(last.id ?? ''))
      const reply = await buyer.change(last, wanted)
      return [phase, reply.is === 'session' ? reply.session.phase : reply.is]
    }
    expect(await phaseAt(right)).toEqual(['canceled', 'refused'])
    expect(await phaseAt(`${name}-canceled-reopens`)).toEqual(['canceled', 'ready'])
  },
)
