import type { JSX } from 'preact'
import type { Report, SurfaceRow } from '../../attribution/report.ts'
import { OTHER_AI, SURFACES } from '../../attribution/surfaces.ts'
import { formatNumber } from '../format.ts'
import { type Language, useLanguage } from '../language.ts'
import { SourceTable } from './SourceTable.tsx'

export interface SurfaceTableProps {
  report: Pick<Report, 'by_surface' | 'currency'>
}

// Unspecified: surfaces are ranked by revenue, then by orders, then by sessions.
/** AI surfaces, the one with the most revenue first. */
export function SurfaceTable({ report }: SurfaceTableProps): JSX.Element {
  const language = useLanguage()
  const { text } = language
  const rows = Object.entries(report.by_surface)
    .map(([id, row]) => ({ id, name: surfaceName(id, text), about: kindsOf(row, language), row }))
    .sort(
      ({ row: a }, { row: b }) =>
        b.revenue_cents - a.revenue_cents || b.orders - a.orders || b.sessions - a.sessions,
    )
  return (
    <SourceTable
      title={text('surfaces')}
      caption={text('surfaces_caption')}
      subject={text('surface')}
      rows={rows}
      currency={report.currency}
    />
  )
}

/** "ChatGPT" for `chatgpt`; an id that is on no row stays as it is. */
export const surfaceName = (id: string, text: Language['text']): string =>
  id === OTHER_AI ? text('other_ai') : (SURFACES.find((each) => each.id === id)?.name ?? id)

const KINDS = ['referral', 'agent', 'protocol'] as const

function kindsOf({ kind }: SurfaceRow, { text, locale }: Language): string | undefined {
  const parts = KINDS.filter((each) => kind[each] > 0).map((each) =>
    text(`kind_${each}`, formatNumber(kind[each], locale)),
  )
  return parts.length === 0 ? undefined : parts.join(', ')
}
