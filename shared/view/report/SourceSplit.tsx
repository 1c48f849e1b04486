import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { useLanguage } from '../language.ts'
import { SourceTable } from './SourceTable.tsx'

export interface SourceSplitProps {
  report: Pick<Report, 'by_source' | 'currency'>
}

/** The same numbers by the kind of checkout. */
export function SourceSplit({ report }: SourceSplitProps): JSX.Element {
  const { text } = useLanguage()
  return (
    <SourceTable
      title={text('sources')}
      caption={text('sources_caption')}
      subject={text('source')}
      rows={(['ucp', 'acp', 'web'] as const).map((id) => ({
        id,
        name: text(`source_${id}`),
        about: text(`source_${id}_about`),
        row: report.by_source[id],
      }))}
      currency={report.currency}
    />
  )
}
