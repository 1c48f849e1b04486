import { DAY_MS } from '../../../shared/web/moment.ts'
import { type KeptTable, sliceOf } from '../../db/retention/sweep.ts'
import { PUBLISHED_MS } from '../../signatures/keys.ts'
import { KEPT_MS as ANSWERS_KEPT_MS } from '../checkout/idempotency.ts'

// Unspecified: a session without an order is kept for 30 days, with the address in it.
const SESSIONS_KEPT_MS = 30 * DAY_MS

/** PSPs retry deliveries for days, never for weeks. */
const PSP_EVENTS_KEPT_MS = 30 * DAY_MS

// Unspecified: a webhook that was delivered or dropped can be looked up and sent again for 30 days.
const DELIVERIES_KEPT_MS = 30 * DAY_MS

/** Longer than its deliveries, so that each of them can still be sent again. */
const PLATFORMS_KEPT_MS = 2 * DELIVERIES_KEPT_MS

/** All tables of the store. `sweeper.ts` runs the sweeps. */
export function keptStoreTables(now: Date): KeptTable[] {
  const before = (ms: number) => [new Date(now.getTime() - ms).toISOString()]
  return [
    {
      table: 'store.sessions',
      grows: 'with each checkout',
      kept: '30 days after they expire or would have, canceled ones too; those that an order names stay with it',
      age: 'created_at',
      slice: sliceOf(
        'store.sessions',
        {
          key: 'id',
          // A session whose payment failed has an order, and a late event of the PSP may still pay
          // it.
          where: `status in ('expired', 'canceled') and expires_at < $1::timestamptz
            and not exists (select from store.orders where session_id = sessions.id)`,
          by: 'expires_at',
        },
        before(SESSIONS_KEPT_MS),
      ),
    },
    {
      table: 'store.carts',
      grows: 'with each cart of an official dialect',
      kept: 'a day after they expire',
      age: 'expires_at',
      slice: sliceOf(
        'store.carts',
        { key: 'id', where: 'expires_at < $1::timestamptz', by: 'expires_at' },
        before(DAY_MS),
      ),
    },
    {
      table: 'store.idempotency_keys',
      grows: 'with each call under a key',
      kept: '24 hours: an older key is a new one',
      age: 'created_at',
      slice: sliceOf(
        'store.idempotency_keys',
        { key: 'scope, key', where: 'created_at <= $1::timestamptz', by: 'created_at' },
        before(ANSWERS_KEPT_MS),
      ),
    },
    {
      table: 'store.rate_limits',
      grows: 'with each buyer that is counted',
      kept: 'until the window ends: the next checkout begins another',
      age: 'expire',
      // The limiter counts in real time, independent of `now`.
      slice: sliceOf('store.rate_limits', { key: 'key', where: 'expire < now()', by: 'expire' }),
    },
    {
      table: 'store.psp_events',
      grows: 'with each delivery of the PSP',
      kept: '30 days: PSPs deliver again for days, never for weeks',
      age: 'received_at',
      slice: sliceOf(
        'store.psp_events',
        { key: 'psp, id', where: 'received_at <= $1::timestamptz', by: 'received_at' },
        before(PSP_EVENTS_KEPT_MS),
      ),
    },
    {
      table: 'store.webhook_deliveries',
      grows: 'with each event of an order and endpoint',
      kept: '30 days once they are delivered or given up, and those that are still due',
      age: 'created_at',
      slice: sliceOf(
        'store.webhook_deliveries',
        {
          key: 'id',
          where: 'next_at is null and created_at < $1::timestamptz',
          by: 'created_at',
        },
        before(DELIVERIES_KEPT_MS),
      ),
    },
    {
      table: 'store.orders',
      grows: 'with each order',
      kept: 'all: they are the business of the store',
      age: 'created_at',
    },
    {
      table: 'store.refunds',
      grows: 'with each refund',
      kept: 'all: they belong to their orders',
      age: 'created_at',
    },
    {
      table: 'store.payment_reviews',
      grows: 'with each payment that a person must look at',
      kept: 'all: they say what became of money',
      age: 'noted_at',
    },
    {
      table: 'store.webhook_endpoints',
      grows: 'by hand, and with each platform that orders',
      kept: 'those of the merchant and disabled ones; those of platforms for 60 days after an order',
      age: 'created_at',
      slice: sliceOf(
        'store.webhook_endpoints',
        {
          key: 'id',
          // The platform's next order adds it again.
          where: `format = 'ucp' and disabled_at is null and told_at < $1::timestamptz
            and not exists (select from store.webhook_deliveries
              where endpoint_id = webhook_endpoints.id and next_at is not null)`,
          by: 'told_at',
        },
        before(PLATFORMS_KEPT_MS),
      ),
    },
    {
      table: 'store.used_nonces',
      grows: 'with each signed call that has a nonce',
      kept: 'until its signature has expired, after a day at most',
      age: 'until',
      slice: sliceOf(
        'store.used_nonces',
        { key: 'nonce', where: 'until < $1::timestamptz', by: 'until' },
        before(0),
      ),
    },
    {
      table: 'store.signing_keys',
      grows: 'by hand: with each rotation',
      kept: 'the one that signs, and each retired one for 8 days: its signatures verify meanwhile',
      age: 'created_at',
      slice: sliceOf(
        'store.signing_keys',
        { key: 'kid', where: 'retired_at <= $1::timestamptz', by: 'retired_at' },
        before(PUBLISHED_MS),
      ),
    },
    { table: 'store.products', grows: 'by hand', kept: 'all', age: null },
    { table: 'store.stock', grows: 'by hand', kept: 'all: a row for each offer', age: null },
  ]
}
