import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'
import { eventually } from '../../../shared/testing/wait.ts'
import { createEngine } from '../../audit/engine.ts'
import { JUDGES_HERE } from '../../audit/judging/testing/judges-here.ts'
import { parseTestHosts } from '../../audit/probe/fetch/test-hosts.ts'
import { testFetcher } from '../../jobs/testing/receiver.ts'
import { createStore } from '../../store/app.ts'
import type { StoreEvent } from '../../store/checkout/deps.ts'
import { CHECKOUT_QUOTA, PLATFORM_QUOTA } from '../../store/checkout/quota.ts'
import { webhook_deliveries, webhook_endpoints } from '../../store/db/tables.ts'
import { createReporter } from '../../store/ops/reporter.ts'
import { deliverDue, startMeasured } from '../../store/outbox/testing/receiver.ts'
import { TEST_ACCEPTANCE } from '../../store/psp/acceptance.ts'
import { createStripePsp } from '../../store/psp/stripe/stripe.ts'
import { startTestPsp } from '../../store/psp/test/server.ts'
import { TEST_KEYS } from '../../store/signatures/testing/test-keys.ts'
import { NOON, testDeps } from '../../store/testing/store.ts'
import { testApp } from '../../testing/app.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { ADMIN_KEY, createCallers, PSP_SECRET } from './callers.ts'
import { filled } from './match.ts'
import type { Scene } from './scene.ts'
import type { Exchange } from './steps.ts'

const SERVICE_HOST = 'aisle.example'
const SERVICE = `https://${SERVICE_HOST}`

/**
 * In addition to the broken variants of the reference store: a store with a gap of each severity.
 */
const BROKEN = {
  host: 'broken.example',
  faults: [
    'product-schema-brand-missing',
    'feed-missing',
    'product-schema-incomplete',
    'well-known-missing',
  ],
}

/** A whole store that refuses with 200: the specification leaves the status of UCP errors open. */
const POLITE_HOST = 'polite.example'
const politely = ({ status, headers, body }: Response): Response =>
  new Response(body, { status: status === 409 || status === 422 ? 200 : status, headers })

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/**
 * The service with its real engine and the reference store, each with its own port and database, a
 * payment provider that delivers signed webhooks, a receiver of the store's webhooks, and one
 * clock. The store answers for every name below `example` and reports its checkouts to the service.
 */
export async function startWorld() {
  const clock = { at: NOON.getTime() }
  /** While it is set, the service answers nothing; resolving it releases what waits. */
  let silence: PromiseWithResolvers<Response> | null = null
  const now = () => new Date(clock.at)
  const events: StoreEvent[] = []
  let owed = 0

  const bank = await startTestPsp({ webhookSecret: PSP_SECRET, now, settleMs: null })
  const psp = createStripePsp(bank.access)
  const receiver = await startMeasured()
  const { deps } = await testDeps({
    now,
    psp,
    quota: CHECKOUT_QUOTA,
    platformQuota: PLATFORM_QUOTA,
    acceptance: TEST_ACCEPTANCE,
    report: (event) => {
      events.push(event)
      owed += 1
      reporter.report(event)
    },
  })
  const reference = createStore({ deps, faults: [], adminKey: ADMIN_KEY })
  const store = await onLoopback(reference)
  const polite = await onLoopback({
    fetch: async (...given) => politely(await reference.fetch(given[0])),
  })
  const broken = await onLoopback(createStore({ deps, faults: BROKEN.faults }))
  bank.sendTo(`${store.origin}/webhooks/psp`)

  const hosts = [
    `${BROKEN.host}=${broken.origin}`,
    `${POLITE_HOST}=${polite.origin}`,
    `*.example=${store.origin}`,
  ].join()
  const engine = createEngine(
    { baseUrl: SERVICE, testHosts: parseTestHosts(hosts, 'test') },
    now,
    JUDGES_HERE,
  )
  const hosted = await testApp({ ...engine, now, baseUrl: SERVICE })
  const service = await onLoopback({
    fetch: (...given) => silence?.promise ?? hosted.app.fetch(...given),
  })
  const reporter = createReporter({
    url: service.origin,
    key: hosted.key,
    count: () => {
      owed -= 1
    },
    onRefused: (message) => {
      throw new Error(message)
    },
    fetcherOptions: { userAgent: 'Aisle-Store/1' },
    delays: [],
  })
  const webhooks = {
    db: deps.db,
    now,
    fetcher: testFetcher(receiver.origin),
    signingKeys: TEST_KEYS,
  }
  const client = new Agent()

  const identify = createCallers(hosted, now)

  /** Sends, and waits until the payment provider has reported the effects. */
  async function ask(exchange: Exchange, scene: Scene): Promise<Answer> {
    const { variables } = scene
    const target = filled(exchange.target, variables)
    const body = exchange.body === null ? null : filled(exchange.body, variables)
    const url = new URL(target, 'https://shop.example')
    const isService = target.startsWith('/api/') || url.host === SERVICE_HOST
    const { origin } = isService ? service : store
    const headers = Object.entries(exchange.headers).map(
      ([name, value]) => [name, filled(value, variables)] as const,
    )
    const { statusCode, ...answer } = await request(origin + url.pathname + url.search, {
      dispatcher: client,
      method: exchange.method as 'GET',
      body,
      headers: {
        host: url.host,
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(await identify(exchange, body ?? '', scene)),
        ...Object.fromEntries(headers),
      },
    })
    const text = await answer.body.text()
    await bank.delivered()
    return { status: statusCode, headers: answer.headers, text }
  }

  return {
    deps,
    bank,
    clock,
    ask,
    /** Takes the next event that the store has reported; undefined without one. */
    nextEvent: () => events.shift(),
    /**
     * Delivers what is due, and takes the next delivery, whose headers and signature must be right.
     */
    async nextWebhook(): Promise<unknown> {
      await deliverDue(webhooks)
      const received = receiver.received.shift()
      if (received === undefined) return undefined
      const { headers, body, url } = received
      const address = `https://${headers.host}${url}`
      const [endpoint] = await deps.db
        .select()
        .from(webhook_endpoints)
        .where(eq(webhook_endpoints.url, address))
      const id = headers['webhook-id'] ?? ''
      const seconds = Number(headers['webhook-timestamp'])
      const signature = new Webhook(endpoint?.secret ?? '').sign(id, new Date(seconds * 1000), body)
      if (headers['webhook-signature'] !== signature) throw new Error('The signature is wrong.')
      if (seconds !== clock.at / 1000) throw new Error(`The webhook-timestamp is ${seconds}.`)
      return { ...JSON.parse(body), 'webhook-id': id, 'content-type': headers['content-type'] }
    },
    silenceService() {
      silence = Promise.withResolvers<Response>()
    },
    /** Waits until the service has received all that the store reported. */
    reportsArrived: () => eventually(() => owed).toBe(0),
    /** Cleans up after a row. */
    async reset(): Promise<void> {
      clock.at = NOON.getTime()
      silence?.resolve(new Response(null, { status: 503 }))
      silence = null
      events.length = 0
      receiver.received.length = 0
      await deps.db.delete(webhook_deliveries)
      await deps.db.delete(webhook_endpoints)
    },
    async stop(): Promise<void> {
      await reporter.stop(0)
      await Promise.all([client.destroy(), engine.close(), bank.close()])
      await Promise.all([store, broken, polite, service].map(({ close }) => close()))
    },
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>
