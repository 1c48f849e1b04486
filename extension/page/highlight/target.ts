import type { Gap } from '../../../shared/audit/result/result.ts'
import type { Page } from '../../../shared/markup/page.ts'

/** What to highlight: the element itself, or the nearest thing that a person can see. */
export type HighlightTarget =
  | { kind: 'json_ld'; block: number; start: string }
  | { kind: 'microdata'; type: string; index: number }
  | { kind: 'snippet' }
  | { kind: 'page' }

/** Where each gap is on the page, from the place in its detail. */
export const targetsOf = (gaps: readonly Gap[], judged: Page): Record<string, HighlightTarget> =>
  Object.fromEntries(gaps.map((gap) => [gap.id, targetOf(gap, judged)]))

function targetOf({ check, detail }: Gap, page: Page): HighlightTarget {
  if (check === 'attribution') return { kind: 'snippet' }
  const [, block] = /JSON-LD block (\d{1,4})/.exec(detail) ?? []
  if (block !== undefined) return blockTarget(Number(block), page)
  const [where] = /microdata at line \d+, column \d+/.exec(detail) ?? []
  return (where !== undefined && microdataTarget(where, page)) || { kind: 'page' }
}

const blockTarget = (block: number, { block_starts }: Page): HighlightTarget => ({
  kind: 'json_ld',
  block,
  start: block_starts[block - 1]?.trimEnd() ?? '',
})

/** The n-th item of its type, because lines and columns are not those of the shown page. */
function microdataTarget(where: string, { items }: Page): HighlightTarget | null {
  const item = items.find((each) => each.where === where)
  return item === undefined ? null : { kind: 'microdata', type: item.type, index: item.index }
}
