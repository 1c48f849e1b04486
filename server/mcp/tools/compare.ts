import * as z from 'zod'
import { aboutTrend } from '../../../shared/audit/result/about-trend.ts'
import { AuditChanges, AuditSummary } from '../../../shared/audit/result/stored-audit.ts'
import { defineTool, readsOnly } from '../tool.ts'

const ResultId = z.string().min(1).max(100)

const { checked_at, score, grade } = AuditSummary.shape
const Side = z.object({
  result_id: z.string().describe('The id of the result'),
  checked_at,
  score,
  grade,
})

const { domain, change, compared, no_trend, new: fresh, fixed, ...lists } = AuditChanges.shape
const { still_open, not_judged, newly_judged, not_seen } = lists

export const COMPARE_TOOL = defineTool({
  name: 'compare',
  title: 'Compare two audits',
  description:
    'Say what changed between two audits of one store: gaps that are new, fixed, still open or not judged in both, and the points gained or lost on what both judged. Takes the result_id of each.',
  input: z.strictObject({
    before: ResultId.describe('The result_id of one audit'),
    after: ResultId.describe('The result_id of another audit of the same domain'),
  }),
  output: z.object({
    domain,
    before: Side.describe('The earlier audit'),
    after: Side.describe('The later audit'),
    change,
    compared,
    no_trend,
    new: fresh,
    fixed,
    still_open,
    not_judged,
    newly_judged,
    not_seen,
  }),
  hints: readsOnly({ asksStore: false }),
  run: (asked, backend, job) => backend.compare(asked, job),
  say: (answer) => {
    const { domain, before, after, change } = answer
    const listed = (title: string, gaps: readonly { id: string; label: string }[]) =>
      gaps.length === 0
        ? []
        : [`${title}: ${gaps.map(({ id, label }) => `${id} (${label})`).join('; ')}.`]
    const about = aboutTrend(answer)
    return [
      `${domain}: ${before.score} (${before.checked_at}) to ${after.score} (${after.checked_at})${
        change === null ? '' : `, ${change >= 0 ? '+' : ''}${change}`
      }.`,
      ...(about === null ? [] : [about]),
      ...listed('Fixed', answer.fixed),
      ...listed('New', answer.new),
      ...listed('Still open', answer.still_open),
      ...listed('Open, but not judged before', answer.newly_judged),
      ...listed('Not judged this time', answer.not_judged),
    ]
  },
})
