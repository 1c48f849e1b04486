import { rulesOf } from '../../../shared/audit/checks/index.ts'
import { linksTo } from '../../../shared/audit/gap/links.ts'
import { compareScores, type JudgedScore, judgedIn } from '../../../shared/audit/result/compare.ts'
import { type AuditResult, toResult } from '../../../shared/audit/result/result.ts'
import type { AuditSummary, StoredAudit } from '../../../shared/audit/result/stored-audit.ts'
import { gap, pass } from '../../../shared/audit/rule.ts'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { changesBetween, describeAudit } from '../../audit/stored-audits.ts'

/**
 * The audits of the API's documentation. Judged like every audit, so that they have the gaps,
 * points and fields of this version.
 */

const PLACE = { baseUrl: 'https://aisle.example' }
const DOMAIN = 'shop.example'

/** A store in which all is right but these, each with its detail. */
function auditOf(checkedAt: string, details: Record<string, string>): AuditResult {
  const outcomes = rulesOf(DEFAULT_CHECKS).map((rule) => {
    const detail = rule.gap === null ? undefined : details[rule.gap]
    return { rule, verdict: detail === undefined ? pass() : gap(detail) }
  })
  const links = linksTo(PLACE.baseUrl)
  return toResult(DOMAIN, DEFAULT_CHECKS, outcomes, new Date(checkedAt), links)
}

const IN_BODY = {
  snippet_not_in_head: 'The script tag of https://shop.example/ is in <body>, expected in <head>.',
}

const BEFORE_ID = '019a9c58-6d00-7c3e-9a41-5be1f0c7d2a8'
const BEFORE = auditOf('2026-11-19T10:00:00Z', {
  ...IN_BODY,
  feed_gtin_invalid: '2 of 340 GTINs have a wrong check digit, such as "4006381333932".',
})

const AFTER_ID = '019aa17e-c900-7b52-8c06-2f4d9e3a7b10'

/** The newest audit of the store. */
export const AUDIT = auditOf('2026-11-20T10:00:00Z', IN_BODY)

/** The stored audit. */
export const STORED: StoredAudit = { ...AUDIT, id: AFTER_ID }

/** The audit in one row of a list. */
export const SUMMARY: AuditSummary = describeAudit(
  {
    ...STORED,
    gaps: AUDIT.gaps.length,
    judged: judgedIn(AUDIT),
    worst_gap: worstOf(AUDIT),
    before: {
      id: BEFORE_ID,
      checked_at: BEFORE.checked_at,
      score: BEFORE.score,
      engine_version: BEFORE.engine_version,
      checks: BEFORE.checks,
      trend: compareScores(scoreIn(BEFORE), scoreIn(AUDIT)),
    },
  },
  PLACE,
)

/** What changed since the audit of the day before. */
export const CHANGES = changesBetween(STORED, { ...BEFORE, id: BEFORE_ID }, PLACE)

function scoreIn(result: AuditResult): JudgedScore {
  return { score: result.score, judged: judgedIn(result) }
}

function worstOf({ gaps: [worst] }: AuditResult): AuditSummary['worst_gap'] {
  if (worst === undefined) return null
  const { id, check, severity, label } = worst
  return { id, check, severity, label }
}
