import { holdsAt } from '../../audit/gap/first-to-close.ts'
import { gapTicket, type TicketWords } from '../../audit/gap/ticket.ts'
import { findRemedy } from '../../audit/platforms/remedies.ts'
import type { AuditResult } from '../../audit/result/result.ts'
import { useLanguage } from '../language.ts'
import type { GapView } from './GapList.tsx'

/** The gaps of an audit with what to do on the store's platform, and each as a ticket. */
export function useToDo<Shown extends GapView>(
  result: Pick<AuditResult, 'domain' | 'checked_at' | 'platform' | 'cap'>,
  gaps: readonly Shown[],
): (Shown & { ticket: string })[] {
  const { text } = useLanguage()
  const { platform } = result
  const words: TicketWords = {
    severity: ({ severity }) => text(`severity_${severity}`),
    points: ({ points }) =>
      points === undefined
        ? null
        : points === 0
          ? text('gap_points_none')
          : text('gap_points', points),
    who: ({ who, effort }) => text('gap_who', text(`who_${who}`), text(`effort_${effort}`)),
  }
  return gaps.map((gap) => {
    const known = platform === undefined ? null : findRemedy(platform.id, gap.id)
    const remedy = known && platform ? { name: platform.name, remedy: known } : null
    return {
      ...gap,
      ...(remedy && { remedy }),
      holds_at: holdsAt(gap, result.cap),
      ticket: gapTicket(result, gap, remedy, words),
    }
  })
}
