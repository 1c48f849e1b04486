import type { Money } from '../commerce/product.ts'
import type { SignedAs } from '../web/signed-as.ts'
import type { SeenWith } from '../web/site-access.ts'
import type { WalkDialectName } from './dialect.ts'
import type { ExpectationId, Party } from './expectations.ts'
import type { IntentId, WalkMode } from './intents.ts'
import type { PagesKept, PagesKeptStep } from './pages/pages-kept.ts'

/** What the buyer did, in the order of a purchase. */
export const STEP_NAMES = [
  'find',
  'open',
  'quote',
  'address',
  'shipping',
  'change',
  'repeat',
  'pay',
  'order',
  'cancel',
  'return',
  'cart',
  'page',
] as const
export type StepName = (typeof STEP_NAMES)[number]

/** A request and its answer, with secrets and personal data masked. */
export interface Exchange {
  request: {
    method: string
    url: string
    headers: Record<string, string>
    /** As it was sent, masked; null without a body. */
    body: string | null
    /** Of the body as it was sent. */
    bytes: number
  }
  /** Null without an answer; `failure` then says why. */
  answer: {
    status: number
    headers: Record<string, string>
    /** Masked, and cut if it is very long. */
    body: string
    /** Of the whole body. */
    bytes: number
    cut: boolean
  } | null
  failure: string | null
  ms: number
  /** ISO 8601. */
  at: string
}

/** A fact that the buyer read, and from where: `total 142.00 USD`, `totals[type=total]`. */
interface Conclusion {
  text: string
  field: string | null
}

/** An expectation that was not met. */
export interface Unmet {
  expectation: ExpectationId
  party: Party
  /** What was expected, and what was found, each as a sentence. */
  expected: string
  found: string
  /** The place in the answer. */
  field: string | null
  /** The part of the dialect that the expectation rests on. */
  authority: string
}

/** What a fresh browser showed of the link of a step. */
interface OpenedLink {
  /** Where its picture is: a path below the walk's address, or a file. Null: none is kept. */
  picture: string | null
  /** Why it was not seen for reasons of ours, as a sentence; null: it was. */
  unseen: string | null
}

/** One step of a purchase: nearly always one request. */
export interface WalkStep {
  /** Counted from 1 within its purchase. */
  n: number
  step: StepName
  /** What the buyer did, in plain words: `Asks what shipping to Albany costs`. */
  title: string
  exchanges: Exchange[]
  concluded: Conclusion[]
  /** Expectations that were met, in order. */
  held: ExpectationId[]
  failed: Unmet | null
  /** Left out where no link was opened in a browser. */
  opened?: OpenedLink | undefined
}

/**
 * `passed`: finished. `failed`: ended at the last step, which has `failed`. `handed_over`: the
 * buyer has to go on in the store, as the protocol allows. `not_walked`: `why` says what was
 * missing. `under_way`: not finished, and never will be if the walk was broken off.
 */
type PurchaseOutcome = 'passed' | 'failed' | 'handed_over' | 'not_walked' | 'under_way'

/** One intent in one dialect. */
export interface Purchase {
  intent: IntentId
  dialect: WalkDialectName
  outcome: PurchaseOutcome
  /** As a sentence; null when it passed. */
  why: string | null
  /** What the buyer pays, as the last answer that stated it; null if none did. */
  charge: Money | null
  steps: WalkStep[]
  /** Placed orders, which their owner has to refund. */
  orders: PlacedOrder[]
  /** Sessions that could not be cancelled, with their end if it is known. */
  left_open: { id: string; until: string | null; why: string }[]
}

export interface PlacedOrder {
  id: string
  url: string | null
  /** The store cancelled it at the end; only the store knows whether it also refunded it. */
  cancelled: boolean
}

/** A dialect that the store speaks, and what the purchases start from. */
export interface RouteWalk {
  dialect: WalkDialectName
  /** `UCP over REST, 2026-08-25`. */
  label: string
  /** The base address of its operations. */
  endpoint: string
  /** What our signature changed at its checkout; left out where nothing was signed. */
  signature?: SignedAs | undefined
  /** Reading the catalog, once for all purchases; `failed` if there was nothing to buy. */
  browsing: WalkStep[]
  purchases: Purchase[]
}

/** A dialect at a host that has not agreed to purchases for the domain: nothing was sent there. */
interface RouteElsewhere extends Pick<RouteWalk, 'dialect' | 'label' | 'endpoint'> {
  /** With how the host's owner allows it, in sentences. */
  why: string
}

/** A whole walk. Times are ISO 8601. */
export interface Transcript {
  /** The version of this format. */
  version: 1
  id: string
  domain: string
  mode: WalkMode
  started_at: string
  /** Null while it runs. */
  ended_at: string | null
  /** Why it ended early, as a sentence: cancelled, out of time. */
  stopped: string | null
  /** Why nothing could be walked, as a sentence; null if there is a route. */
  nothing: string | null
  routes: RouteWalk[]
  elsewhere: RouteElsewhere[]
  /** The protocols without a checkout that can be walked, with the reason in sentences. */
  missing: { protocol: 'UCP' | 'ACP'; why: string }[]
  /** What the owner gave for the domain, where the walk was made with it. */
  seen_with?: SeenWith | undefined
  /** The same through the store's pages; left out where it was not asked for. */
  pages?: PagesKept | undefined
}

/** The events of a running walk: each adds to the transcript. */
export type WalkEvent =
  | { event: 'route'; route: Omit<RouteWalk, 'purchases' | 'browsing'> }
  | { event: 'browsed'; dialect: WalkDialectName; step: WalkStep }
  | { event: 'purchase'; dialect: WalkDialectName; intent: IntentId }
  | { event: 'step'; dialect: WalkDialectName; intent: IntentId; step: WalkStep }
  | { event: 'purchased'; purchase: Purchase }
  | { event: 'pages'; pages: PagesKept }
  | { event: 'page'; step: PagesKeptStep }
  | { event: 'ended'; transcript: Transcript }

/** The bytes that an agent reads and writes, and roughly their cost in tokens. */
export interface Cost {
  requests: number
  bytes: number
  tokens: number
  ms: number
}

// Unspecified: four bytes of JSON count as one token, which is what common tokenizers come to.
const BYTES_PER_TOKEN = 4

/** The cost of these steps for an agent. */
export function costOf(steps: readonly WalkStep[]): Cost {
  const exchanges = steps.flatMap((step) => step.exchanges)
  const bytes = exchanges.reduce(
    (sum, { request, answer }) => sum + request.bytes + (answer?.bytes ?? 0),
    0,
  )
  return {
    requests: exchanges.length,
    bytes,
    tokens: Math.ceil(bytes / BYTES_PER_TOKEN),
    ms: exchanges.reduce((sum, { ms }) => sum + ms, 0),
  }
}
