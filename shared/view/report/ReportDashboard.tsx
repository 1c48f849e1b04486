import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { Action } from '../Action.tsx'
import { RangeForm, type RangeFormProps } from '../form/RangeForm.tsx'
import { formatDate } from '../format.ts'
import { useLanguage } from '../language.ts'
import { ReportChart } from './chart/ReportChart.tsx'
import { EmptyReport, type EmptyReportProps } from './EmptyReport.tsx'
import { FunnelView } from './FunnelView.tsx'
import type { ChartMetric } from './figures.ts'
import { KpiCards } from './KpiCards.tsx'
import { RevenueByCurrency } from './RevenueByCurrency.tsx'
import { SetAsideNotice } from './SetAsideNotice.tsx'
import { SourceSplit } from './SourceSplit.tsx'
import { SurfaceTable } from './SurfaceTable.tsx'

export interface ReportDashboardProps {
  report: Report
  /** The figure that the chart shows. */
  metric: ChartMetric
  hrefOf?: ((metric: ChartMetric) => string) | undefined
  onMetric?: ((metric: ChartMetric) => void) | undefined
  /** The day in UTC. */
  today?: string | undefined
  range?: RangeFormProps | undefined
  csvHref?: string | undefined
  onCsv?: (() => void) | undefined
  currencyHref?: ((currency: string) => string) | undefined
  /** Links for the first steps, shown when there is nothing to report. */
  firstSteps?: Omit<EmptyReportProps, 'domain'> | undefined
}

/** The whole dashboard. A period without anything is answered by the first steps. */
export function ReportDashboard(props: ReportDashboardProps): JSX.Element {
  const { report, metric, hrefOf, onMetric, today, range, csvHref, onCsv, firstSteps } = props
  const { text, locale } = useLanguage()
  return (
    <div class="report">
      <header class="report-head">
        <p class="report-period">
          {text(
            'period',
            formatDate(report.period.start, locale),
            formatDate(report.period.end, locale),
          )}
        </p>
        {(csvHref !== undefined || onCsv !== undefined) && (
          <Action label={text('download_csv')} href={csvHref} onAct={onCsv} />
        )}
      </header>
      {range !== undefined && <RangeForm {...range} />}
      <SetAsideNotice days={report.set_aside} />
      {hasNothing(report) ? (
        <EmptyReport domain={report.domain} {...firstSteps} />
      ) : (
        <>
          <KpiCards report={report} metric={metric} hrefOf={hrefOf} onMetric={onMetric} />
          {hasNegativeNet(report) && <p class="quiet">{text('net_negative')}</p>}
          <div class="card">
            <ReportChart report={report} metric={metric} today={today} />
          </div>
          <div class="report-columns">
            <FunnelView funnel={report.funnel} />
            <RevenueByCurrency report={report} hrefOf={props.currencyHref} />
          </div>
          <SurfaceTable report={report} />
          <SourceSplit report={report} />
        </>
      )}
    </div>
  )
}

/** Anywhere on the page, so that a sum above zero does not leave a surface below it unexplained. */
function hasNegativeNet(report: Report): boolean {
  const { by_surface, by_source, revenue_by_currency, summary } = report
  const rows = [by_surface, by_source, revenue_by_currency].flatMap((each) => Object.values(each))
  return [
    summary.ai_net_revenue_cents,
    ...rows.map(({ net_revenue_cents }) => net_revenue_cents),
  ].some((net = 0) => net < 0)
}

/** Nothing in this period nor in the one before. */
export function hasNothing({ summary, funnel, previous }: Report): boolean {
  const figures = [summary, funnel, previous?.summary ?? {}, previous?.funnel ?? {}]
  return figures.every((each) => Object.values(each).every((figure) => figure === 0))
}
