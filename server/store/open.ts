import { randomUUID } from 'node:crypto'
import { createFetcher } from '../audit/probe/fetch/fetch.ts'
import { connect, type Database } from '../db/connect.ts'
import { sealerOf } from '../db/sealing/seal.ts'
import type { StoreDeps } from './checkout/deps.ts'
import { CHECKOUT_QUOTA, PLATFORM_QUOTA } from './checkout/quota.ts'
import { type PspConfig, type StoreConfig, takesRealMoney } from './config.ts'
import { STORE_MIGRATIONS } from './db/migrations.ts'
import { enqueue } from './dialects/order-webhooks.ts'
import type { Acceptance } from './psp/acceptance.ts'
import type { Psp } from './psp/psp.ts'
import { createRazorpayPsp } from './psp/razorpay/razorpay.ts'
import { createStripePsp } from './psp/stripe/stripe.ts'
import { startTestPsp } from './psp/test/server.ts'
import { seed } from './shop/seed.ts'
import { storeKeys } from './signatures/store-keys.ts'

/** Spec, Limits: a complete takes at most 5 s. The rest is for our own part. */
const ANSWER_MS = 4500

export interface OpenStore {
  deps: StoreDeps
  schema: Database['schema']
  /** Tells the test PSP the store's address; any other PSP has it in its own settings. */
  sendPaymentsTo: (url: string) => void
  /** Resolves if the store cannot go on, with what to do about it. */
  failed: Promise<string>
  close: () => Promise<void>
}

/**
 * Connects to the database, creates the tables, adds the products to an empty one and sets up the
 * PSP. Reports nothing. The time is that of the database's clock; a test may pass another by
 * `timeAt`.
 */
export async function openStore(
  config: Pick<
    StoreConfig,
    'databaseUrl' | 'databaseConnections' | 'dataDir' | 'secretsKey' | 'payments'
  > & {
    migrate?: boolean
  },
  timeAt?: (now: Date) => Date,
): Promise<OpenStore> {
  const { psp, sendPaymentsTo, close } = await openPsp(config.payments)
  try {
    const { databaseUrl, databaseConnections, dataDir, secretsKey, migrate = true } = config
    const connecting = {
      databaseUrl,
      ...(databaseConnections !== undefined && { databaseConnections }),
      dataDir,
      migrations: STORE_MIGRATIONS,
      migrate: 'later',
    } as const
    const database = await connect(connecting)
    const { db, now, schema } = database
    try {
      if (migrate) await schema.migrate({ onlyNeeded: true })
      await schema.assertFits()
      await seed(db)
    } catch (error) {
      await database.close()
      throw error
    }
    return {
      schema,
      deps: {
        db,
        psp,
        now: timeAt ? () => timeAt(now()) : now,
        enqueue,
        signingKeys: storeKeys(sealerOf({ secretsKey, dataDir })),
        acceptance: acceptanceOf(config.payments),
        report: () => {},
        answerMs: ANSWER_MS,
        quota: CHECKOUT_QUOTA,
        platformQuota: PLATFORM_QUOTA,
      },
      sendPaymentsTo,
      failed: database.gone,
      close: async () => {
        await close()
        await database.close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const KINDS = { stripe: 'stripe', test: 'test', razorpay: 'none' } as const

/** How agents can pay with this PSP. */
const acceptanceOf = (payments: PspConfig): Acceptance => ({
  kind: KINDS[payments.psp],
  publishableKey: (payments.psp === 'stripe' && payments.publishableKey) || null,
  isLive: takesRealMoney(payments),
  googlePay: (payments.psp === 'stripe' && payments.googlePay) || null,
})

type OpenPsp = Pick<OpenStore, 'sendPaymentsTo' | 'close'> & { psp: Psp }

async function openPsp(payments: PspConfig): Promise<OpenPsp> {
  const idle = { sendPaymentsTo: () => {}, close: async () => {} }
  if (payments.psp === 'stripe') return { psp: createStripePsp(payments), ...idle }
  if (payments.psp === 'razorpay') {
    const fetcher = createFetcher({ userAgent: 'Aisle store' })
    return {
      psp: createRazorpayPsp({ ...payments, fetcher }),
      ...idle,
      close: () => fetcher.close(),
    }
  }
  const webhookSecret = `whsec_${randomUUID()}`
  const { access, sendTo, close } = await startTestPsp({ webhookSecret })
  return { psp: createStripePsp(access), sendPaymentsTo: sendTo, close }
}
