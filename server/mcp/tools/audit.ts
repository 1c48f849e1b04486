import * as z from 'zod'
import { capText, firstStepsText } from '../../../shared/audit/gap/cap-text.ts'
import { holdsAt } from '../../../shared/audit/gap/first-to-close.ts'
import { AuditRequest, AuditResult } from '../../../shared/audit/result/result.ts'
import { defineTool, type ToolWords } from '../tool.ts'

const { domain, checks } = AuditRequest.shape

export const AUDIT_TOOL = defineTool({
  name: 'audit',
  title: 'Audit a store',
  description:
    'Check whether AI agents can find, understand and buy from a store. Returns a score from 0 to 100, a grade, and the gaps, worst first, each with what to do. Reads the store and creates nothing in it; takes up to a minute.',
  input: z.strictObject({ domain: domain.describe('Such as shop.example'), checks }),
  output: AuditResult.extend({
    result_id: z
      .string()
      .nullable()
      .describe('For compare and aisle://results/{id}; null where the result is not kept for you'),
  }),
  hints: { ...readsStore(), idempotentHint: false },
  async run(asked, backend, job) {
    const { result, result_id } = await backend.audit(asked, job)
    return { ...result, result_id }
  },
  say: (result) => sayAudit(result),
})

/** It sends requests to a store, which may have changed by a later call. */
function readsStore() {
  return { readOnlyHint: true, destructiveHint: false, openWorldHint: true }
}

/** A result in words. */
function sayAudit(result: AuditResult & { result_id?: string | null }): ToolWords[] {
  const { domain, score, grade, gaps, skipped, cap, coverage, result_id } = result
  return [
    `${domain}: ${score} of 100, grade ${grade}, checked ${result.checked_at}. ${coverage.judged} of ${coverage.applicable} rules that apply could be judged.`,
    ...(result_id ? [`result_id: ${result_id}`] : []),
    ...[capText(result), firstStepsText(result)].filter((text) => text !== null),
    ...(cap?.reason === 'checkout_not_judged'
      ? [
          'A walk judges the checkout of your own store: call walk, if the owner agrees, then audit again.',
        ]
      : []),
    gaps.length === 0
      ? 'No gaps.'
      : gaps.length === 1
        ? '1 gap:'
        : `${gaps.length} gaps, worst first:`,
    ...gaps.flatMap((gap): ToolWords[] => {
      const { id, severity, label, fix, points, held_back, detail } = gap
      const when =
        holdsAt(gap, cap) !== null ? 'close this first, ' : held_back === true ? 'later ' : ''
      return [
        `${id} (${severity}${points === undefined ? '' : `, ${when}+${points}`}): ${label}.\nWhat to do: ${fix}`,
        { store: [detail] },
      ]
    }),
    ...(skipped.length === 0
      ? []
      : [
          `Not judged: ${skipped.map(({ id }) => id).join(', ')}. Why:`,
          { store: [...new Set(skipped.map(({ reason }) => reason))].slice(0, 20) },
        ]),
    ...(gaps.length === 0
      ? []
      : ['explain_gap says more of a gap; the propose_ tools make files that close some.']),
  ]
}
