import type { SeenWith } from '../web/site-access.ts'
import { protocolOf } from './dialect.ts'
import { EXPECTATIONS, type ExpectationId, type Party } from './expectations.ts'
import { intentsOf, nameOfIntent, type WalkMode } from './intents.ts'
import { type PagesSeen, pagesSeenOf } from './pages/pages-seen.ts'
import type { Purchase, Transcript, WalkStep } from './transcript.ts'

/** What a walk showed about one expectation in one dialect. */
export interface WalkJudged {
  expectation: ExpectationId
  protocol: 'ucp' | 'acp'
  /** `UCP over REST, 2026-08-25`. */
  label: string
  /** It was met at least once. */
  held: boolean
  /** The first time that it was not met. */
  failure: { party: Party; found: string; intent: string; step: string } | null
}

/** The results of a walk, as the evidence of an audit: plain data, small. */
export interface WalkSeen {
  /** ISO 8601. */
  started_at: string
  mode: WalkMode
  /**
   * Every purchase of this mode was tried and finished, as far as its dialect allows it:
   * expectations that were not checked cannot be checked in this store.
   */
  whole: boolean
  judged: WalkJudged[]
  /**
   * Why our browser did not see a link that the walk would have opened, as a sentence: that the
   * others lead on says less then.
   */
  unopened?: string | undefined
  /** What the owner gave, where the walk was made with it. */
  seen_with?: SeenWith | undefined
  /** What its walk through pages showed; left out where it had none. */
  pages?: PagesSeen | undefined
}

/**
 * A failure of an unusual wish only counts if the usual one works: a store that opens nothing, or
 * takes no payment, has one gap and not several.
 */
const ONLY_WHERE: Partial<Record<ExpectationId, ExpectationId>> = {
  abroad_is_answered: 'session_opens',
  other_currency_is_answered: 'session_opens',
  errors_explain: 'session_opens',
  decline_is_said: 'takes_payment',
  challenge_leads_on: 'takes_payment',
}

/** It was made, or its goods or its dialect do not allow it. */
const isDone = ({ outcome, steps, left_open }: Purchase): boolean =>
  outcome === 'passed' ||
  // A dialect without a cancel ends the purchases that are about cancelling.
  (outcome === 'not_walked' && (steps.length === 0 || left_open.length > 0))

function isWhole({ mode, routes, elsewhere, stopped, nothing }: Transcript): boolean {
  return (
    stopped === null &&
    nothing === null &&
    elsewhere.length === 0 &&
    routes.every(({ purchases }) =>
      intentsOf(mode).every((id) => purchases.some((each) => each.intent === id && isDone(each))),
    )
  )
}

/** The results of a transcript for each expectation that was checked. */
export function walkSeenOf(transcript: Transcript): WalkSeen {
  const { started_at, mode, routes } = transcript
  const judged = routes.flatMap((route) => {
    const steps: { intent: string; step: WalkStep }[] = [
      ...route.browsing.map((step) => ({ intent: 'Look for something to buy', step })),
      ...route.purchases.flatMap((purchase) =>
        purchase.steps.map((step) => ({ intent: nameOfIntent(purchase.intent), step })),
      ),
    ]
    const isHeld = (id: ExpectationId) => steps.some(({ step }) => step.held.includes(id))
    return EXPECTATIONS.flatMap(({ id }): WalkJudged[] => {
      const usual = ONLY_WHERE[id]
      if (usual !== undefined && !isHeld(usual)) return []
      const held = isHeld(id)
      const first = steps.find(({ step }) => step.failed?.expectation === id)
      if (!held && first === undefined) return []
      const failed = first?.step.failed ?? null
      return [
        {
          expectation: id,
          protocol: protocolOf(route.dialect),
          label: route.label,
          held,
          failure:
            first === undefined || failed === null
              ? null
              : {
                  party: failed.party,
                  found: failed.found,
                  intent: first.intent,
                  step: first.step.title,
                },
        },
      ]
    })
  })
  const { seen_with, pages } = transcript
  const unopened = routes
    .flatMap(({ purchases }) => purchases.flatMap(({ steps }) => steps))
    .find(({ opened }) => opened != null && opened.unseen !== null)?.opened?.unseen
  return {
    started_at,
    mode,
    whole: isWhole(transcript),
    judged,
    ...(unopened != null && { unopened }),
    ...(seen_with && { seen_with }),
    ...(pages && { pages: pagesSeenOf(pages) }),
  }
}
