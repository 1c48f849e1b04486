import type { Gap } from '../../../shared/audit/result.ts'
import { isJsonLdType } from '../../../shared/markup/json-ld.ts'
import type { Page } from '../../../shared/markup/page.ts'

/** Where to point: the element itself, or the nearest thing that a person can see. */
export type HighlightTarget =
  | { kind: 'json_ld'; block: number; start: string }
  | { kind: 'microdata'; type: string; index: number }
  | { kind: 'snippet' }
  | { kind: 'page' }

/** So much of a block tells it from the others. */
const START_LENGTH = 300

/** Where each gap shows on the page: read from the place that its detail names. */
export const targetsOf = (gaps: readonly Gap[], judged: Page): Record<string, HighlightTarget> =>
  Object.fromEntries(gaps.map((gap) => [gap.id, targetOf(gap, judged)]))

function targetOf({ check, detail }: Gap, page: Page): HighlightTarget {
  if (check === 'attribution') return { kind: 'snippet' }
  const [, block] = /JSON-LD block (\d{1,4})/.exec(detail) ?? []
  if (block !== undefined) return blockTarget(Number(block), page)
  const [where] = /microdata at line \d+, column \d+/.exec(detail) ?? []
  return (where !== undefined && microdataTarget(where, page)) || { kind: 'page' }
}

function blockTarget(block: number, { scripts }: Page): HighlightTarget {
  const script = scripts.filter(({ type }) => isJsonLdType(type))[block - 1]
  return { kind: 'json_ld', block, start: script?.text.trim().slice(0, START_LENGTH) ?? '' }
}

/** The n-th item of its type: lines and columns are not those of the page as it is shown. */
function microdataTarget(where: string, { nodes }: Page): HighlightTarget | null {
  const node = nodes.find((each) => each.syntax === 'microdata' && each.where === where)
  const [type] = node?.types ?? []
  if (node === undefined || type === undefined) return null
  const alike = nodes.filter((each) => each.syntax === 'microdata' && each.types.includes(type))
  return { kind: 'microdata', type, index: alike.indexOf(node) }
}
