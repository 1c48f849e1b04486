import { beginTranscript, foldEvent } from './fold.ts'
import type { Purchase, Transcript, WalkEvent } from './transcript.ts'

/** What is known of a walk before it says anything. */
export type TranscriptHead = Omit<Transcript, 'routes' | 'version' | 'nothing'>

/**
 * The transcript as far as these events tell it, in the order in which they came; that of an `ended`
 * is the result. With `broken`, the walk has ended without one, and purchases that were under way
 * have failed if their last step did, and were otherwise not walked, for that reason.
 */
export function transcriptOf(
  head: TranscriptHead,
  events: Iterable<WalkEvent>,
  broken: string | null,
): Transcript {
  let told = beginTranscript(head)
  for (const event of events) {
    if (event.event === 'ended') return event.transcript
    told = foldEvent(told, event)
  }
  const whole = { ...told, ...head }
  if (broken === null) return whole
  return {
    ...whole,
    routes: whole.routes.map((route) => ({
      ...route,
      purchases: route.purchases.map((purchase) => brokenOff(purchase, broken)),
    })),
  }
}

function brokenOff(purchase: Purchase, why: string): Purchase {
  if (purchase.outcome !== 'under_way') return purchase
  const failed = purchase.steps.at(-1)?.failed ?? null
  return failed === null
    ? { ...purchase, outcome: 'not_walked', why }
    : { ...purchase, outcome: 'failed', why: failed.found }
}
