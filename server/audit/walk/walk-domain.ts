import { setTimeout as sleep } from 'node:timers/promises'
import { agentProfileUrl } from '../../../shared/manifest/ucp/agent-profile.ts'
import { UCP_PATHS } from '../../../shared/protocols/spec/ucp.ts'
import { sampleAddress } from '../../../shared/walk/addresses.ts'
import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import type { Good } from '../../../shared/walk/goods.ts'
import { INTENTS, type IntentId, intentsOf } from '../../../shared/walk/intents.ts'
import type { Withhold } from '../../../shared/walk/masking/masking.ts'
import { beginPages } from '../../../shared/walk/pages/pages-kept.ts'
import type { Storefront } from '../../../shared/walk/purchase/deps.ts'
import { makePurchase } from '../../../shared/walk/purchase/make-purchase.ts'
import { beginStep } from '../../../shared/walk/step-notes.ts'
import type {
  Exchange,
  Purchase,
  RouteWalk,
  Transcript,
  WalkEvent,
} from '../../../shared/walk/transcript.ts'
import { beginTranscript } from '../../../shared/walk/transcript-of-events.ts'
import { field, isRecord, listIn } from '../../../shared/web/json/json.ts'
import { openPass } from '../owner-pass.ts'
import { BODY_CAPS } from '../probe/fetch/request.ts'
import { openMcp } from '../probe/mcp.ts'
import { type AuditSession, auditSession } from '../probe/session.ts'
import { stopWhereRefused, unsignedSession } from '../probe/signed-or-not.ts'
import type { UcpStore } from '../probe/ucp.ts'
import { createBrowser, FINDING } from './browse.ts'
import { cancelLeftOpen } from './cancel-left-open.ts'
import { compareSigned } from './compare-signed.ts'
import { dialectAt } from './dialect-at.ts'
import { findRoutes } from './find-routes.ts'
import { createArrive } from './hand-over.ts'
import { judgeTools } from './judge-tools.ts'
import type { Ledger, OpenEntry } from './ledger.ts'
import { secretsOf, type WalkDeps, type WalkOrder, type WalkThroughPages } from './order.ts'
import { createPerformer, MOST_REQUESTS, type SpokenLine } from './perform.ts'
import { recordingSession } from './recording.ts'
import type { RouteAddress } from './route-address.ts'
import { createVisit } from './visit.ts'

// Unspecified: a walk of all intents in all dialects takes half a minute in a healthy store. It is
// ended after a quarter of an hour, and its open sessions are cancelled in the minute after.
// Sessions that the store does not cancel by then stay noted.
const WALK_MS = 15 * 60_000
const CANCEL_MS = 60_000

const BUSY =
  'The machine that made this walk was too busy to read what the store answered. Walk again later.'

/** The most requests that find out what a store speaks and sells, over all dialects. */
const FINDING_REQUESTS = 80

/**
 * Makes the requested purchases in each dialect that a store speaks, one after the other
 * (`makePurchase`). The store's faults are in the transcript; rejects only for failures of ours.
 */
export async function walkDomain(order: WalkOrder, deps: WalkDeps): Promise<Transcript> {
  const { domain, mode, intents } = order
  const { judges, now, newId, signal, pause = sleep } = deps
  const pass = order.access ? await openPass(deps.fetcher, order.access, now(), signal) : null
  const { fetcher } = pass ?? deps
  const withhold: Withhold = pass?.withhold ?? ((value) => value)
  const onEvent = (event: WalkEvent) => deps.onEvent?.(withhold(event))
  const transcript = beginTranscript({
    id: newId(),
    domain,
    mode,
    started_at: now().toISOString(),
  })
  if (pass !== null) transcript.seen_with = pass.seen
  const secrets = [...secretsOf(order), ...(pass?.secrets ?? [])]
  const seenInMode = intentsOf(mode)
  const chosen = INTENTS.filter(({ id }) => intents.includes(id) && seenInMode.includes(id))
  const plain = fetcher.open({
    deadlineMs: WALK_MS + CANCEL_MS,
    more: FINDING_REQUESTS + intents.length * 5 * MOST_REQUESTS,
  })
  const until = plain.waited() + WALK_MS
  const isLate = () => plain.waited() > until
  const books = ownLedger(deps.ledger)
  const recorded: Exchange[] = []
  const onExchange = (exchange: Exchange) => void recorded.push(exchange)
  const record = (session: AuditSession) => recordingSession(session, { secrets, now, onExchange })
  const session = record(auditSession(plain, judges))
  const isOver = () => signal?.aborted === true || isLate() || session.starved() !== null
  const taken = () => recorded.splice(0)
  let ucp: UcpStore | null = null
  try {
    const as = session.signedAs()
    const manifestUrl = `https://${domain}${UCP_PATHS.manifest}`
    await stopWhereRefused(session, { url: manifestUrl, maxBytes: BODY_CAPS.manifest })
    const isRefused = session.signedAs() !== as
    const found = await findRoutes(session, domain, {
      wanted: order.dialects,
      hasKey: order.agentKey !== undefined,
      isNamed: deps.isNamed,
      countAt: deps.countAt,
    })
    taken()
    ucp = found.ucp
    // What could not be read here says nothing of what the store speaks.
    transcript.nothing = session.starved() === null ? found.nothing : null
    if (session.starved() === null) transcript.missing = found.missing
    const speaker = { agentBase: session.agentBase, agentKey: order.agentKey }
    transcript.elsewhere = found.elsewhere.flatMap(({ address, why }) => {
      const dialect = dialectAt(address, speaker)
      if (dialect === null) return []
      const { name, label } = dialect
      return [{ dialect: name, label, endpoint: address.endpoint, why }]
    })
    const arrive =
      deps.handOver &&
      createArrive(deps.handOver, {
        consent: found.consent,
        taken,
        signal,
        isClosed: pass !== null,
      })
    const goodsOfAll: Good[] = []
    const browse = createBrowser(session, domain, found, taken, order.item)
    for (const address of found.routes) {
      if (isOver()) break
      await walkRoute(address, browse)
    }
    if (order.pages !== undefined && !isOver()) {
      const { signal, keepPicture, knownPages } = deps
      const hooks = { signal, keepPicture, knownPages, goods: goodsOfAll, onEvent }
      transcript.pages = await (deps.walkPages ?? nobodyWalks)(order, hooks)
      onEvent({ event: 'pages', pages: transcript.pages })
    }
    const { agentKey } = order
    await cancelLeftOpen(books.noted(), {
      ...{ fetcher, judges, ledger: books, now, newId },
      ...(agentKey !== undefined && { agentKey }),
      signal: AbortSignal.timeout(CANCEL_MS),
    })
    transcript.ended_at = now().toISOString()
    if (signal?.aborted === true) transcript.stopped = 'The walk was cancelled.'
    else if (session.starved() !== null) transcript.stopped = BUSY
    else if (isLate()) transcript.stopped = `The walk took longer than ${WALK_MS / 60_000} minutes.`
    onEvent({ event: 'ended', transcript })
    return withhold(transcript)

    async function walkRoute(
      address: RouteAddress,
      browse: ReturnType<typeof createBrowser>,
    ): Promise<void> {
      const dialect = dialectAt(address, speaker)
      // `findRoutes` returns only versions that can be walked.
      if (dialect === null) return
      const { label, name } = dialect
      const { currencies = [] } = address
      const route: RouteWalk = {
        dialect: name,
        label,
        endpoint: address.endpoint,
        browsing: [],
        purchases: [],
      }
      transcript.routes.push(route)
      onEvent({ event: 'route', route: { dialect: name, label, endpoint: address.endpoint } })
      const { goods, steps, nothing } = await browse(dialect, currencies)
      route.browsing = steps
      goodsOfAll.push(...goods)
      for (const step of steps) onEvent({ event: 'browsed', dialect: name, step })
      if (nothing !== null) {
        for (const { id } of chosen) {
          const purchase = withoutGoods(id, dialect, nothing)
          route.purchases.push(purchase)
          onEvent({ event: 'purchased', purchase })
        }
        return
      }
      const mcp =
        name === 'ucp_mcp'
          ? await openMcp(session, { url: address.endpoint, version: address.version, waits: true })
          : null
      const listed = taken()
      if (mcp !== null) {
        const more = { n: steps.length + 1, exchanges: listed }
        const step = judgeTools(dialect, mcp.seen, more)
        route.browsing.push(step)
        onEvent({ event: 'browsed', dialect: name, step })
      }
      const line: SpokenLine = {
        dialect,
        session,
        taken,
        onRefusedSigned: () => {
          if (route.signature) route.signature.changes = 'shuts'
        },
        mcp,
        brittle: () => {
          const other = fetcher.open()
          const recorded = record(auditSession(other, judges))
          return {
            session: session.signedAs() === null ? unsignedSession(recorded) : recorded,
            close: () => other.close(),
          }
        },
        pause,
      }
      const signature = await compareSigned(line)
      if (signature != null) route.signature = signature
      else if (as !== null && isRefused) route.signature = { as, changes: 'shuts' }
      taken()
      const store = storefrontOf(dialect, goods, { domain, currencies })
      try {
        for (const intent of chosen) {
          if (isOver()) break
          const how = 'byMandate' in intent ? byMandate({ line, address, store }) : { line, store }
          route.purchases.push(await purchase(intent, { ...how, address }))
        }
      } finally {
        await mcp?.close()
        taken()
      }
    }

    /** The same line and store, under the profile that buys by mandate. */
    function byMandate({
      line,
      address,
      store,
    }: {
      line: SpokenLine
      address: RouteAddress
      store: Storefront
    }): { line: SpokenLine; store: Storefront } {
      const dialect = dialectAt(address, { ...speaker, byMandate: true }) ?? line.dialect
      const profile = agentProfileUrl(session.agentBase, address.version, { byMandate: true })
      const mcp = line.mcp && { ...line.mcp, profile }
      const document = found.ucp?.document
      const storeKeys = ['keys', 'signing_keys']
        .flatMap((name) => listIn(field(document, name)))
        .filter(isRecord)
      return { line: { ...line, dialect, mcp, storeKeys }, store: { ...store, dialect } }
    }

    async function purchase(
      intent: (typeof INTENTS)[number],
      { line, address, store }: { line: SpokenLine; address: RouteAddress; store: Storefront },
    ): Promise<Purchase> {
      const { name } = line.dialect
      onEvent({ event: 'purchase', dialect: name, intent: intent.id })
      const made = await makePurchase(intent, store, {
        perform: createPerformer(line, {
          ledger: books,
          walk: transcript.id,
          domain,
          route: address,
          now,
        }),
        visit: createVisit(session, found.consent, taken),
        arrive,
        newKey: newId,
        now,
        pause,
        tokens: mode === 'sandbox' ? (order.tokens ?? null) : null,
        isOver,
        onStep: (step) => onEvent({ event: 'step', dialect: name, intent: intent.id, step }),
      })
      onEvent({ event: 'purchased', purchase: made })
      return made
    }
  } finally {
    // The failed opening is already in the transcript.
    await ucp?.close().catch(() => {})
    await plain.close()
  }
}

const nobodyWalks: WalkThroughPages = async ({ pages }) => ({
  ...beginPages(pages?.url ?? null),
  unseen: 'Nothing here has a browser: run aisle walk with --pages, from a product page.',
})

/**
 * A purchase that could not start, because there is nothing to buy. It still has one step: a
 * purchase without any counts as one that the dialect does not offer.
 */
function withoutGoods(intent: IntentId, dialect: WalkDialect, why: string): Purchase {
  const notes = beginStep(dialect, { n: 1, step: 'find', title: FINDING })
  notes.conclude(why)
  return {
    intent,
    dialect: dialect.name,
    outcome: 'not_walked',
    why,
    charge: null,
    steps: [notes.done()],
    orders: [],
    left_open: [],
  }
}

/** The ledger, and the entries that this walk has not closed yet. */
function ownLedger(ledger: Ledger): Ledger & { noted: () => OpenEntry[] } {
  const own = new Map<string, OpenEntry>()
  return {
    ...ledger,
    async opening(entry) {
      own.set(entry.key, entry)
      await ledger.opening(entry)
    },
    async opened(key, session) {
      const entry = own.get(key)
      if (entry !== undefined) own.set(key, { ...entry, session })
      await ledger.opened(key, session)
    },
    async closed(key) {
      own.delete(key)
      await ledger.closed(key)
    },
    noted: () => [...own.values()],
  }
}

function storefrontOf(
  dialect: WalkDialect,
  goods: readonly Good[],
  declared: { domain: string; currencies: readonly string[] },
): Storefront {
  const listed = goods.find(({ price }) => price !== null)?.price?.currency
  // A list may be the platform's: with several it is unknown which one this shop sells in.
  const [only, ...more] = declared.currencies
  const currency = listed ?? (more.length === 0 ? only : undefined)
  return {
    dialect,
    goods,
    currency: currency ?? 'USD',
    home: sampleAddress(declared.domain, currency),
    learnt: { refusal: null },
  }
}
