import type { IntentId, WalkMode } from '../../../../shared/walk/intents.ts'
import type { Transcript } from '../../../../shared/walk/transcript.ts'
import type { Judges } from '../../judging/judges.ts'
import type { Fetcher } from '../../probe/fetch/fetch.ts'
import type { Ledger, OpenEntry } from '../ledger.ts'
import type { WalkDeps, WalkOrder } from '../order.ts'
import { walkDomain } from '../walk-domain.ts'

/** What the scripted PSP charges, declines, and wants the buyer to confirm. */
const SCRIPTED_TOKENS = {
  good: 'tok_visa',
  declined: 'tok_declined',
  challenged: 'tok_3ds',
} as const

/** A ledger in memory, and what is noted in it. */
export function memoryLedger(): { ledger: Ledger; noted: ReadonlyMap<string, OpenEntry> } {
  const noted = new Map<string, OpenEntry>()
  const ledger: Ledger = {
    opening: async (entry) => void noted.set(entry.key, entry),
    opened: async (key, session) => {
      const entry = noted.get(key)
      if (entry !== undefined) noted.set(key, { ...entry, session })
    },
    closed: async (key) => void noted.delete(key),
  }
  return { ledger, noted }
}

/** Long enough for a request to go out before its connection is dropped. */
const MOST_WAIT_MS = 40

/** Walks stores that are served on loopback, and pays with the tokens of the scripted PSP. */
export function createWalker({ fetcher, judges }: { fetcher: Fetcher; judges: Judges }) {
  const { ledger, noted } = memoryLedger()
  const walk = (
    domain: string,
    mode: WalkMode,
    intents: readonly IntentId[],
    dialects?: WalkOrder['dialects'],
    item?: string,
    handOver?: WalkDeps['handOver'],
  ): Promise<Transcript> =>
    walkDomain(
      {
        domain,
        mode,
        intents,
        ...(mode === 'sandbox' && { tokens: SCRIPTED_TOKENS }),
        ...(dialects && { dialects }),
        ...(item !== undefined && { item }),
      },
      {
        fetcher,
        judges,
        ledger,
        now: () => new Date(),
        ...(handOver && { handOver }),
        newId: () => crypto.randomUUID(),
        pause: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, MOST_WAIT_MS))),
      },
    )
  return { walk, noted }
}

/** How each purchase ended, without ids and times: two walks of one store say the same. */
export const outcomesOf = ({ routes }: Transcript): string[] =>
  routes.flatMap(({ dialect, purchases }) =>
    purchases.map(({ intent, outcome, steps }) => {
      const course = steps.map(({ step, failed }) =>
        failed ? `${step}!${failed.expectation}` : step,
      )
      return `${dialect} ${intent}: ${outcome} [${course.join(' ')}]`
    }),
  )
