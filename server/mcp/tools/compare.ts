import * as z from 'zod'
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

const { domain, change, new: fresh, fixed, still_open, not_judged } = AuditChanges.shape

export const COMPARE_TOOL = defineTool({
  name: 'compare',
  title: 'Compare two audits',
  description:
    'Say what changed between two audits of one store: gaps that are new, fixed, still open or not judged, and the points gained or lost. Takes the result_id of each.',
  input: z.strictObject({
    before: ResultId.describe('The result_id of one audit'),
    after: ResultId.describe('The result_id of another audit of the same domain'),
  }),
  output: z.object({
    domain,
    before: Side.describe('The earlier audit'),
    after: Side.describe('The later audit'),
    change,
    new: fresh,
    fixed,
    still_open,
    not_judged,
  }),
  hints: readsOnly({ asksStore: false }),
  run: (asked, backend, job) => backend.compare(asked, job),
  say: (answer) => {
    const { domain, before, after, change } = answer
    const listed = (title: string, gaps: readonly { id: string; label: string }[]) =>
      gaps.length === 0
        ? []
        : [`${title}: ${gaps.map(({ id, label }) => `${id} (${label})`).join('; ')}.`]
    return [
      `${domain}: ${before.score} (${before.checked_at}) to ${after.score} (${after.checked_at})${
        change === null
          ? '. The two measured differently, so the scores do not compare'
          : `, ${change >= 0 ? '+' : ''}${change}`
      }.`,
      ...listed('Fixed', answer.fixed),
      ...listed('New', answer.new),
      ...listed('Still open', answer.still_open),
      ...listed('Not judged this time', answer.not_judged),
    ]
  },
})
