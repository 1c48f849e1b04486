import { capText, firstStepsText } from '../../shared/audit/gap/cap-text.ts'
import { pointsText } from '../../shared/audit/gap/ticket.ts'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import { catalogShare } from '../../shared/view/audit/catalog-share.ts'
import type { GapView } from '../../shared/view/audit/GapDetails.tsx'

/** An export: an audit of a page, of a domain, or of both. */
export interface ExportedAudit {
  /** A page has no grade: that is the store's. */
  of: 'page' | 'store'
  /** The address of the page, or the domain. */
  subject: string
  result: AuditResult
  /** Worst first; those of `result`, or merged with those of the other audit. */
  gaps: (AuditResult['gaps'][number] & Pick<GapView, 'origin' | 'note'>)[]
}

// Unspecified: an audit is exported as a task list in Markdown, as the API's JSON, or as one HTML
// page.
/**
 * A file name that every system accepts: `aisle-shop.example-2026-11-21.md`, of a page `…-page-…`.
 */
export function exportName(
  { of, result }: ExportedAudit,
  extension: 'md' | 'json' | 'html',
): string {
  const domain = result.domain.replace(/[^a-z0-9.-]/gi, '-').slice(0, 100)
  const page = of === 'page' ? '-page' : ''
  return `aisle-${domain}${page}-${result.checked_at.slice(0, 10)}.${extension}`
}

/** The lines under the heading: the score, how much was judged and when. */
export function headOf({ of, result }: ExportedAudit): string[] {
  const { score, grade, coverage, catalog_seen } = result
  return [
    of === 'page' ? `This page: ${score} of 100` : `Score ${score} of 100, grade ${grade}`,
    ...(coverage ? [`Judged ${coverage.judged} of ${coverage.applicable} rules`] : []),
    ...(catalog_seen ? catalogShare(catalog_seen) : []),
    ...[capText(result), firstStepsText(result)].filter((text) => text !== null),
    `Audited ${result.checked_at}`,
  ]
}

export const ORIGINS: Record<NonNullable<GapView['origin']>, string> = {
  page: 'seen on this page',
  server: 'seen by the server',
  both: 'seen by both',
}

/** A gap's points, as ` (+4)`; empty where they are not known. */
export function pointsOf({ points }: ExportedAudit['gaps'][number]): string {
  if (points === undefined) return ''
  return ` (${pointsText(points)})`
}

/**
 * For scripts: the result in the API's own shape, with the merged gaps. That of a page says so, and
 * has no grade.
 */
export function toJson({ of, subject, result, gaps }: ExportedAudit): string {
  const { grade: _, ...ungraded } = result
  const exported = of === 'page' ? { of, subject, ...ungraded, gaps } : { subject, ...result, gaps }
  return `${JSON.stringify(exported, null, 2)}\n`
}
