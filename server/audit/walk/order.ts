import type { WalkDialectName } from '../../../shared/walk/dialect.ts'
import type { Good } from '../../../shared/walk/goods.ts'
import type { IntentId, WalkMode } from '../../../shared/walk/intents.ts'
import type { PagesKept } from '../../../shared/walk/pages/pages-kept.ts'
import type { Transcript, WalkEvent } from '../../../shared/walk/transcript.ts'
import type { OwnerAccess } from '../../access/site-access.ts'
import type { Judges } from '../judging/judges.ts'
import { secretsOfAccess } from '../owner-pass.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import type { HandOverBrowser } from './hand-over.ts'
import type { Ledger, OpenEntry } from './ledger.ts'

/** What to walk. */
export interface WalkOrder {
  /** Normalised. */
  domain: string
  /** In order. */
  intents: readonly IntentId[]
  mode: WalkMode
  /** Tokens of a test PSP, for sandbox mode; never stored, never in a transcript. */
  tokens?: { good: string; declined?: string | undefined; challenged?: string | undefined }
  /** The `Authorization` that the store wants of agents; never stored, never in a transcript. */
  agentKey?: string
  /** Only these dialects; all that the store speaks if left out. */
  dialects?: readonly WalkDialectName[]
  /** The id of what to buy, for stores without a list of goods. */
  item?: string
  /** The domains of the key that asks: it may buy at their hosts as well; not stored. */
  covered?: readonly string[]
  /** Walks through the store's pages as well: from this product's page, or from one it finds. */
  pages?: { url?: string }
  /** What the owner gave for the domain: sent there alone, never in a transcript. */
  access?: OwnerAccess | null
}

/** The parts of an order that are never stored. */
export const secretsOf = ({
  tokens,
  agentKey,
  access,
}: Pick<WalkOrder, 'tokens' | 'agentKey' | 'access'>): string[] => [
  ...[...Object.values(tokens ?? {}), agentKey].filter((each) => each !== undefined),
  ...(access ? secretsOfAccess(access) : []),
]

/** What a walk needs from outside. */
export interface WalkDeps {
  fetcher: Fetcher
  judges: Judges
  now: () => Date
  /** UUIDs, for idempotency keys. */
  newId: () => string
  ledger: Ledger
  /** Whether the caller's key is for a host: sessions are opened there as at the domain's own. */
  isNamed?: (host: string) => boolean
  /** Counts a walk at an endpoint's host. A sentence where it has had too many, else null. */
  countAt?: (host: string) => Promise<string | null>
  /** With it, links of the store are opened as by a buyer who follows them. */
  handOver?: HandOverBrowser
  onEvent?: (event: WalkEvent) => void
  /** Once aborted, open sessions are still cancelled; then the walk returns with `stopped`. */
  signal?: AbortSignal
  /** The walk through the store's pages; nothing looks at them unless given. */
  walkPages?: WalkThroughPages | undefined
  /** Keeps the nth picture of that walk, a JPEG. */
  keepPicture?: ((n: number, jpeg: Uint8Array) => Promise<void>) | undefined
  /** Product pages that an audit has judged. */
  knownPages?: (() => Promise<readonly string[]>) | undefined
  /** Waits between requests, in milliseconds. Tests replace it. */
  pause?: (ms: number) => Promise<unknown>
}

/** Walks through the pages of a store. Resolves in any case: what was not seen, it says. */
export type WalkThroughPages = (
  order: Pick<WalkOrder, 'domain' | 'pages' | 'covered' | 'access'>,
  hooks: Pick<WalkDeps, 'keepPicture' | 'knownPages'> & {
    signal: AbortSignal | undefined
    /** What the store lists over its protocols. */
    goods: readonly Good[]
    onEvent: (event: WalkEvent) => void
  },
) => Promise<PagesKept>

/** Walks through a store. Rejects only for failures of ours. */
export type WalkDomain = (order: WalkOrder, deps: WalkDeps) => Promise<Transcript>

/**
 * Cancels what dead walks left open, and closes each ledger entry that is settled; resolves to how
 * many. The others stay for the next sweep. Once `signal` aborts, no further one is begun. Rejects
 * only for failures of ours.
 */
export type CancelLeftOpen = (
  entries: readonly OpenEntry[],
  deps: Omit<WalkDeps, 'ledger' | 'onEvent'> & {
    ledger: Pick<Ledger, 'closed'>
    /** What the owner of a domain gave for it: a store may let nothing be cancelled without. */
    openAccess?: (domain: string) => Promise<OwnerAccess | null>
  } & Pick<WalkOrder, 'agentKey'>,
) => Promise<number>

/** What differs from walk to walk; the engine has the rest. */
export type WalkHooks = Pick<
  WalkDeps,
  'ledger' | 'onEvent' | 'signal' | 'isNamed' | 'countAt' | 'keepPicture' | 'knownPages'
>
