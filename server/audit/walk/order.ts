import type { WalkDialectName } from '../../../shared/walk/dialect.ts'
import type { IntentId, WalkMode } from '../../../shared/walk/intents.ts'
import type { Transcript, WalkEvent } from '../../../shared/walk/transcript.ts'
import type { Judges } from '../judging/judges.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import type { Ledger, OpenEntry } from './ledger.ts'

/** What is walked. */
export interface WalkOrder {
  /** Normalised. */
  domain: string
  /** In order. */
  intents: readonly IntentId[]
  mode: WalkMode
  /** Of a test PSP; never stored, never in a transcript. Sandbox alone. */
  tokens?: { good: string; declined?: string | undefined; challenged?: string | undefined }
  /** What the store wants of agents in `Authorization`; never stored, never in a transcript. */
  agentKey?: string
  /** Only these dialects; all that the store speaks where it is left out. */
  dialects?: readonly WalkDialectName[]
}

/** What of an order is stored nowhere. */
export const secretsOf = ({ tokens, agentKey }: WalkOrder): string[] =>
  [...Object.values(tokens ?? {}), agentKey].filter((each) => each !== undefined)

/** What a walk needs from outside. */
export interface WalkDeps {
  fetcher: Fetcher
  judges: Judges
  now: () => Date
  /** UUIDs, for idempotency keys. */
  newId: () => string
  ledger: Ledger
  onEvent?: (event: WalkEvent) => void
  /** Aborted: what is open is cancelled all the same, then the walk returns with `stopped`. */
  signal?: AbortSignal
  /** Waits so many milliseconds between requests. Tests replace it. */
  pause?: (ms: number) => Promise<unknown>
}

/** Walks through a store. Rejects only for failures of ours. */
export type WalkDomain = (order: WalkOrder, deps: WalkDeps) => Promise<Transcript>

/**
 * Cancels what walks left open that are no longer alive, and closes each entry in the ledger that
 * is done with; resolves to how many are. What stays noted comes again. Once `signal` aborts no
 * other is begun. Rejects only for failures of ours.
 */
export type CancelLeftOpen = (
  entries: readonly OpenEntry[],
  deps: Omit<WalkDeps, 'ledger' | 'onEvent'> & {
    ledger: Pick<Ledger, 'closed'>
  } & Pick<WalkOrder, 'agentKey'>,
) => Promise<number>

/** What changes from walk to walk; the engine has the rest. */
export type WalkHooks = Pick<WalkDeps, 'ledger' | 'onEvent' | 'signal'>
