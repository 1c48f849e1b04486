import type { AuditResult } from '../result/result.ts'

/** A gap to close, with the score before and after it, those before it closed. */
interface Step<G> {
  gap: G
  before: number
  after: number
}

/** What to close first, in that order; empty without a gap. `gaps` are those of the result. */
export function firstSteps<G extends { id: string }>(
  { score, first_steps }: Pick<AuditResult, 'score' | 'first_steps'>,
  gaps: readonly G[],
): Step<G>[] {
  const scores = [score, ...(first_steps?.scores ?? [])]
  return (first_steps?.gaps ?? []).flatMap((id, at) => {
    const gap = gaps.find((each) => each.id === id)
    const [before, after] = [scores[at], scores[at + 1]]
    return gap === undefined || before === undefined || after === undefined
      ? []
      : [{ gap, before, after }]
  })
}
