import type { WalkDialect } from './dialect.ts'
import { type ExpectationId, expectationOf, type Party } from './expectations.ts'
import type { Exchange, StepName, Unmet, WalkStep } from './transcript.ts'

/** The notes of a step in progress. */
export interface StepNotes {
  exchanged: (exchanges: readonly Exchange[]) => void
  conclude: (text: string, field?: string | null) => void
  /** The expectation was checked and met. */
  hold: (id: ExpectationId) => void
  /** It was not met; the first one of a step is its failure. `found` is a sentence. */
  fail: (id: ExpectationId, found: string, more?: { field?: string; party?: Party }) => void
  /** A browser opened the step's link, or could not for reasons of ours. */
  opened: (link: NonNullable<WalkStep['opened']>) => void
  readonly failed: Unmet | null
  /** The longest answer so far, in milliseconds. */
  readonly ms: number
  done: () => WalkStep
}

/** The part of a dialect's text that an expectation rests on. */
const RESTS_ON: Partial<Record<ExpectationId, keyof WalkDialect['authority']>> = {
  session_is_fast: 'limits',
  lives_long_enough: 'limits',
  errors_explain: 'errors',
  sold_out_is_refused: 'errors',
  unknown_is_refused: 'errors',
  bad_address_is_refused: 'errors',
  repeats_are_one: 'idempotency',
  one_order: 'idempotency',
  ways_to_pay: 'payment',
  takes_payment: 'payment',
  decline_is_said: 'payment',
  challenge_leads_on: 'payment',
}

/** Limit for a store's texts. */
const MAX_TEXT = 500

/** The notes of a new step. */
export function beginStep(
  { authority }: Pick<WalkDialect, 'authority'>,
  { n, step, title }: { n: number; step: StepName; title: string },
): StepNotes {
  const noted: WalkStep = { n, step, title, exchanges: [], concluded: [], held: [], failed: null }
  return {
    exchanged: (exchanges) => void noted.exchanges.push(...exchanges),
    conclude: (text, field = null) =>
      void noted.concluded.push({ text: text.slice(0, MAX_TEXT), field }),
    hold: (id) => {
      if (!noted.held.includes(id)) noted.held.push(id)
    },
    fail: (id, found, { field, party } = {}) => {
      const expectation = expectationOf(id)
      noted.failed ??= {
        expectation: id,
        party: party ?? expectation.party,
        expected: expectation.expected,
        found: found.slice(0, MAX_TEXT),
        field: field ?? null,
        authority: authority[RESTS_ON[id] ?? 'checkout'],
      }
    },
    opened: (link) => {
      noted.opened = link
    },
    get failed() {
      return noted.failed
    },
    get ms() {
      return Math.max(0, ...noted.exchanges.map(({ ms }) => ms))
    },
    done: () => noted,
  }
}
