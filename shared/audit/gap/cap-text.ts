import type { AuditResult } from '../result/result.ts'
import type { CapReason } from '../vocabulary.ts'

const WHILE: Record<CapReason, string> = {
  kept_out: 'while shopping agents do not get in',
  cannot_buy: 'while nothing can be bought',
  critical_gap: 'while a critical gap is open or hidden',
  wrong_price: 'while a buyer sees or pays a wrong price',
  wrong_order: 'while wrong orders are accepted',
  checkout_not_judged: 'until an agent’s checkout is seen to work',
  not_all_judged: 'until everything can be judged',
}

/** What caps the score, as a sentence with the labels of the gaps that do; null without a cap. */
export function capText({ cap, gaps }: Pick<AuditResult, 'cap' | 'gaps'>): string | null {
  if (cap === null) return null
  const labels = gaps.filter(({ id }) => cap.gaps.includes(id)).map(({ label }) => label)
  const because = labels.length === 0 ? '' : `: ${labels.join('; ')}`
  return `At most ${cap.at} ${WHILE[cap.reason]}${because}.`
}

/** What is said at a gap that caps the score. */
export const holdsText = (at: number): string =>
  `While this is open, the score is at most ${at}. Close it first.`

/** What closing a few gaps together gains, as a sentence; null where there are fewer than two. */
export function firstStepsText({
  score,
  gaps,
  first_steps: steps,
}: Pick<AuditResult, 'score' | 'gaps' | 'first_steps'>): string | null {
  if (steps === null || steps.gaps.length < 2) return null
  const labels = steps.gaps.flatMap((id) => gaps.find((gap) => gap.id === id)?.label ?? [])
  return `Close first, together ${score} → ${steps.score}: ${labels.join('; ')}.`
}
