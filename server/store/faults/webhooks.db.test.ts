import { expect, test } from 'vitest'
import { testFetcher } from '../../jobs/testing/receiver.ts'
import { orders } from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { platformOfKey } from '../dialects/acp/caller.ts'
import { enqueue } from '../dialects/order-webhooks.ts'
import { insertSession } from '../ops/testing/rows.ts'
import { createEndpoint } from '../outbox/endpoints.ts'
import { anOrder, deliverDue, startMeasured } from '../outbox/testing/receiver.ts'
import { TEST_KEYS } from '../signatures/testing/test-keys.ts'
import { NOON } from '../testing/store.ts'
import { webhookHeadersAt } from './hosts.ts'

const { db } = await storeDatabase()
const now = () => NOON

/** The names of the headers of a webhook about an order of this host. */
async function headersFrom(host: string, protocol: 'ucp_official' | 'acp_official') {
  const receiver = await startMeasured()
  const official = {
    version: '2026-08-25',
    platform:
      protocol === 'acp_official' ? platformOfKey('agent') : 'https://agent.example/ucp.json',
    webhook_url: 'https://hooks.example/ucp',
    shown: {},
  }
  const order = anOrder({ host, protocol, official })
  const { session_id: id, shipping } = order
  await insertSession(db, {
    ...{ id, protocol, status: 'completed' },
    ...{ shipping_options: [shipping], confirmed_option_id: shipping.id },
  })
  await db.insert(orders).values(order)
  await db.transaction((tx) => enqueue(tx, 'order.confirmed', order, NOON))
  const fetcher = testFetcher(receiver.origin)
  await deliverDue({ db, now, fetcher, signingKeys: TEST_KEYS, headersAt: webhookHeadersAt([]) })
  const [received] = receiver.received
  return Object.keys(received?.headers ?? {}).sort()
}

test.each([
  ['ucp_official', 'ucp', ['signature', 'signature-input']],
  ['acp_official', 'acp', ['merchant-signature']],
] as const)('%s: a webhook without its signature', async (protocol, label, signatures) => {
  if (protocol === 'acp_official') {
    const url = 'https://hooks.example/acp'
    await createEndpoint(
      db,
      { url, events: ['order.confirmed'], format: 'acp', platform: platformOfKey('agent') },
      NOON,
    )
  }
  const whole = await headersFrom('shop.example', protocol)
  expect(whole).toEqual(expect.arrayContaining([...signatures]))
  const unsigned = await headersFrom(`${label}-webhooks-unsigned.example`, protocol)
  expect(unsigned).toEqual(whole.filter((name) => !signatures.some((each) => each === name)))
})
