import { serve } from '@hono/node-server'
import { connect } from '../../db/connect.ts'
import { createStore } from '../app.ts'
import { CHECKOUT_QUOTA, PLATFORM_QUOTA } from '../checkout/quota.ts'
import { enqueue } from '../dialects/order-webhooks.ts'
import { TEST_ACCEPTANCE } from '../psp/acceptance.ts'
import { createStripePsp } from '../psp/stripe/stripe.ts'

// A store that dies at a step of its first completion. Its one argument is what it needs, as JSON.

const { databaseUrl, psp, dieAt } = JSON.parse(process.argv[2] ?? '{}')

const { db } = await connect({ databaseUrl, dataDir: '', migrations: null })
const store = createStore({
  faults: [],
  deps: {
    db,
    psp: createStripePsp(psp),
    now: () => new Date(),
    enqueue,
    report: () => {},
    answerMs: 4500,
    quota: CHECKOUT_QUOTA,
    platformQuota: PLATFORM_QUOTA,
    acceptance: TEST_ACCEPTANCE,
    onStep: (step) => {
      if (step === dieAt) process.kill(process.pid, 'SIGKILL')
    },
  },
})
serve({ fetch: store.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`${port}\n`)
})
