import { serve } from '@hono/node-server'
import { connect } from '../../db/connect.ts'
import { createStore } from '../app.ts'
import { CHECKOUT_QUOTA, PLATFORM_QUOTA } from '../checkout/quota.ts'
import { enqueue } from '../dialects/order-webhooks.ts'
import { TEST_ACCEPTANCE } from '../psp/acceptance.ts'
import { createStripePsp } from '../psp/stripe/stripe.ts'
import { TEST_KEYS } from '../signatures/testing/test-keys.ts'
import { platformsWith } from './platforms.ts'

// A store that dies when so many completions have come to a step: none of them gets further. Its
// one argument is what it needs, as JSON.

const { databaseUrl, psp, dieAt, completions } = JSON.parse(process.argv[2] ?? '{}')

const { db } = await connect({ databaseUrl, dataDir: '', migrations: null })
let arrived = 0
const store = createStore({
  faults: [],
  official: true,
  platforms: platformsWith(),
  deps: {
    db,
    psp: createStripePsp(psp),
    now: () => new Date(),
    enqueue,
    signingKeys: TEST_KEYS,
    report: () => {},
    // It never answers: it dies.
    answerMs: 600_000,
    quota: CHECKOUT_QUOTA,
    platformQuota: PLATFORM_QUOTA,
    acceptance: TEST_ACCEPTANCE,
    onStep: (step) => {
      if (step !== dieAt) return
      arrived += 1
      if (arrived === completions) process.kill(process.pid, 'SIGKILL')
      return new Promise<never>(() => {})
    },
  },
})
// `fetch` names no other host than it goes to: a header does, since a checkout is of its host.
const asked = (request: Request): Request => {
  const url = new URL(request.url)
  url.host = request.headers.get('x-forwarded-host') ?? url.host
  url.port = ''
  return new Request(url, request)
}
serve(
  { fetch: (request) => store.fetch(asked(request)), hostname: '127.0.0.1', port: 0 },
  ({ port }) => {
    process.stdout.write(`${port}\n`)
  },
)
