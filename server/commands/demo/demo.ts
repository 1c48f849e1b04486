import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { pino } from 'pino'
import { AuditResult } from '../../../shared/audit/result/result.ts'
import { isWalkOver, WalkListed, WalkShown } from '../../../shared/walk/stored-walk.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { printable } from '../../../shared/web/text/printable.ts'
import { createKey } from '../../access/make-key.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { findBrowser } from '../../audit/browser/browser.ts'
import { createEngine } from '../../audit/engine.ts'
import { identityOf } from '../../audit/identity.ts'
import { createFetcher } from '../../audit/probe/fetch/fetch.ts'
import { parseTestHosts, type TestHost } from '../../audit/probe/fetch/test-hosts.ts'
import type { Config } from '../../config.ts'
import { SCOPES } from '../../db/access/scopes.ts'
import { connect, type Database } from '../../db/connect.ts'
import { createClock } from '../../db/connection/clock.ts'
import { createLog, type Log } from '../../process/log.ts'
import { serveApi } from '../../start/serve.ts'
import { createStore } from '../../store/app.ts'
import { testCardEntry } from '../../store/buyer/card-entry.ts'
import type { StoreDeps } from '../../store/checkout/deps.ts'
import {
  createPlatformProfiles,
  PROFILE_FETCHER,
} from '../../store/dialects/ucp/negotiation/platform-profiles.ts'
import { openStore } from '../../store/open.ts'
import { createReporter } from '../../store/ops/reporter.ts'
import { formatReport } from '../audit-text.ts'
import { CommandError } from '../terminal/command-error.ts'
import { painter } from '../terminal/paint.ts'
import { signalled } from '../terminal/signalled.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { transcriptText } from '../walk/walk-text.ts'
import { makeHistory, recordHistory } from './history.ts'
import { placeOrder } from './order.ts'

const STORE = 'shop.example'
const BROKEN = 'broken.example'
const WALKED = 'ucp-price-mismatch.example'

const POLL_MS = 200

/** The size of `--history`: two months of a medium store. */
const HISTORY = { domain: STORE, seed: 1, days: 60, visitsPerDay: 120 }

/** The faults of the broken variant: at least one of each severity. */
const BROKEN_FAULTS = [
  'checkout-undeclared',
  'catalog-price-not-integer',
  'checkout-accepts-unknown-variant',
  'product-schema-gtin-invalid',
  'dark-traffic-untracked',
  'product-schema-return-policy-missing',
]

/**
 * The main job on a fresh machine: starts the service and the reference store, audits the store and
 * a broken variant through the API, makes a purchase in another, prints the results, and stays up
 * unless `once`. With `history`, the store's report has two months of visits and orders. Ctrl-C
 * stops everything: exit code 0 once all is running, 130 before.
 */
export async function demoCommand(
  flags: { once?: boolean; history?: boolean },
  config: Config,
  terminal: Terminal,
): Promise<void> {
  const stop = createStop()
  const leaving = signalled()
  let isUp = false
  let code: number | undefined
  try {
    const running = runDemo(flags, inItsFolder(config), terminal, stop).then(() => {
      isUp = flags.once !== true
      return isUp ? leaving : undefined
    })
    code = await Promise.race([leaving, running])
  } finally {
    // Running parts, above all Postgres, would keep the process from ending, or outlive it.
    await stop.all()
  }
  if (code !== undefined) process.exit(isUp ? 0 : code)
}

/**
 * Separate from the data of `npm start`, which would get made-up stores and orders, and whose first
 * key, shown once, would be the demo's.
 */
const inItsFolder = (config: Config): Config => ({
  ...config,
  dataDir: join(config.dataDir, 'demo'),
})

/** Everything started, the last first. */
interface Stop {
  later: (end: () => Promise<unknown>) => void
  /**
   * Waits for something that opens, which `close` closes at the end. Rejects after the end has
   * begun, so that nothing more is started.
   */
  open: <Opened>(opening: Promise<Opened>, close: (opened: Opened) => unknown) => Promise<Opened>
  all: () => Promise<void>
}

function createStop(): Stop {
  const ends: (() => Promise<unknown>)[] = []
  let isEnding = false
  return {
    later: (end) => void ends.unshift(end),
    async open(opening, close) {
      ends.unshift(() => opening.then(close, () => {}))
      const opened = await opening
      if (isEnding) throw new Error('The demo is ending.')
      return opened
    },
    async all() {
      isEnding = true
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) await end()
    },
  }
}

const closed = ({ close }: { close: () => Promise<void> }) => close()

async function runDemo(
  flags: { once?: boolean; history?: boolean },
  config: Config,
  terminal: Terminal,
  stop: Stop,
): Promise<void> {
  const clock = createClock()
  terminal.remark(printable`Starting the database …`)
  const connecting = connect({ ...config, migrations: null, migrate: 'later' })
  const database = await stop.open(connecting, closed)
  terminal.remark(printable`Starting the store …`)
  const shop = await stop.open(openStore({ ...config, payments: { psp: 'test' } }), closed)
  // Replaced below, once the service that the stores report to is running.
  let tell: StoreDeps['report'] = () => {}
  const deps: StoreDeps = { ...shop.deps, report: (event) => tell(event) }
  // Filled once their ports are known: the stores read the profiles of agents at these names too.
  const testHosts: TestHost[] = []
  const profileFetcher = createFetcher({ ...PROFILE_FETCHER, testHosts })
  stop.later(profileFetcher.close)
  const options = {
    deps,
    card: testCardEntry,
    platforms: createPlatformProfiles({ fetcher: profileFetcher }),
  }
  const store = await stop.open(listen(createStore({ ...options, faults: [] })), closed)
  const broken = await stop.open(listen(createStore({ ...options, faults: BROKEN_FAULTS })), closed)
  shop.sendPaymentsTo(`http://127.0.0.1:${store.port}/webhooks/psp`)
  testHosts.push(
    ...parseTestHosts(
      `${BROKEN}=http://127.0.0.1:${broken.port},*.example=http://127.0.0.1:${store.port}`,
      undefined,
    ),
  )
  const engine = createEngine(
    { ...config, testHosts, browserPath: findBrowser(config.browser) },
    clock.now,
  )
  stop.later(engine.close)
  const logFile = join(config.dataDir, 'demo.log')
  const log = createLog(pino.destination({ dest: logFile, mkdir: true }))
  terminal.remark(printable`Starting the service …`)
  const serving = serveApi(config, { ...engine, clock, log })
  const service = await stop.open(serving, (served) => served.stop())
  const api = `http://${config.host}:${service.port}`
  const key = service.firstKey?.key ?? (await anotherKey(database))
  const reporter = createReporter({
    url: api,
    key,
    count: () => {},
    onRefused: (message) => log.warn({ message }, 'event refused'),
    fetcherOptions: { userAgent: 'Aisle store' },
  })
  stop.later(() => reporter.stop(1000))
  tell = reporter.report

  for (const domain of [STORE, BROKEN]) {
    terminal.remark(printable`Auditing ${domain} …`)
    const result = await askForAudit(api, key, domain)
    terminal.print(formatReport(result, painter(terminal.colour), terminal.width))
  }

  terminal.remark(printable`Buying at ${WALKED} …`)
  const walk = await askForWalk(api, key)
  terminal.print(transcriptText(walk, painter(terminal.colour), terminal.width))

  if (flags.history) {
    terminal.remark(printable`Recording two months of visits and orders …`)
    await rememberMonths(database, log)
  }

  if (flags.once) return

  const fetcher = createFetcher({ ...identityOf(config.baseUrl), testHosts })
  await placeOrder(fetcher.open(), STORE, 'chatgpt').finally(() => fetcher.close())
  const brought = flags.history
    ? 'it has two months of visits and orders'
    : 'one order came from ChatGPT'
  terminal.print(printable`Everything is running. Press Ctrl-C to stop.

  Service   ${api}   (key ${key})
  Report    ${api}/report?domain=${STORE}   (sign in with the key; ${brought})
  Store     http://127.0.0.1:${store.port}   (${STORE}; each fault has its own host, such as catalog-empty.example)
  Broken    http://127.0.0.1:${broken.port}   (${BROKEN})
  Log       ${logFile}

  curl -X POST ${api}/api/audit \\
    -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"domain":"${BROKEN}"}'
`)
}

/** One purchase up to the payment, in a store whose checkout is more expensive than its catalog. */
async function askForWalk(api: string, key: string): Promise<Transcript> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const order = { domain: WALKED, intents: ['cheapest_variant'], dialects: ['ucp_rest'] }
  const accepted = await fetch(`${api}/api/walk`, {
    method: 'POST',
    headers,
    body: JSON.stringify(order),
  })
  const body: unknown = await accepted.json()
  if (!accepted.ok) {
    throw new CommandError(printable`The walk of ${WALKED} failed: ${JSON.stringify(body)}`)
  }
  const { id } = WalkListed.parse(body)
  for (;;) {
    const response = await fetch(`${api}/api/walk/${id}`, { headers })
    const { state, transcript } = WalkShown.parse(await response.json())
    if (isWalkOver(state)) return transcript
    await sleep(POLL_MS)
  }
}

async function askForAudit(api: string, key: string, domain: string): Promise<AuditResult> {
  const response = await fetch(`${api}/api/audit`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ domain }),
  })
  const body: unknown = await response.json()
  if (!response.ok)
    throw new CommandError(printable`The audit of ${domain} failed: ${JSON.stringify(body)}`)
  return AuditResult.parse(body)
}

/** Records a history up to now; events of an earlier run count once. */
async function rememberMonths({ db, sql }: Database, log: Log): Promise<void> {
  const now = () => new Date()
  const ingest = createIngest({ sql, now, log })
  const history = makeHistory({ ...HISTORY, until: now() })
  await recordHistory(history, { db, ingest, domain: STORE })
}

/** The key of an earlier run cannot be shown again, because only its hash is stored. */
async function anotherKey({ db }: Database): Promise<string> {
  const asked = { name: 'demo', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  return (await createKey(db, asked, new Date())).key
}

interface Listener {
  port: number
  close: () => Promise<void>
}

function listen(app: ReturnType<typeof createStore>): Promise<Listener> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve({
        port,
        close: () => new Promise((closed) => server.close(() => closed())),
      }),
    )
  })
}
