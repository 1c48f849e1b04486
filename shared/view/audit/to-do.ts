import { holdsAt } from '../../audit/gap/first-to-close.ts'
import { gapTicket } from '../../audit/gap/ticket.ts'
import { findRemedy } from '../../audit/platforms/remedies.ts'
import type { AuditResult } from '../../audit/result/result.ts'
import type { GapView } from './GapDetails.tsx'

/** The gaps of an audit with what to do on the store's platform, and each as a ticket. */
export function withToDo<Shown extends GapView>(
  result: Pick<AuditResult, 'domain' | 'checked_at' | 'platform' | 'cap'>,
  gaps: readonly Shown[],
): (Shown & { ticket: string })[] {
  const { platform } = result
  return gaps.map((gap) => {
    const known = platform === undefined ? null : findRemedy(platform.id, gap.id)
    const remedy = known && platform ? { name: platform.name, remedy: known } : null
    return {
      ...gap,
      ...(remedy && { remedy }),
      holds_at: holdsAt(gap, result.cap),
      ticket: gapTicket(result, gap, remedy, gap.worth),
    }
  })
}
