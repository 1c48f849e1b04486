import type { ComponentChildren, JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { Action } from '../Action.tsx'
import { RangeForm, type RangeFormProps } from '../form/RangeForm.tsx'
import { formatDate } from '../format.ts'
import { useLanguage } from '../language.ts'
import { ActiveFilters } from './ActiveFilters.tsx'
import { AiShareView } from './AiShareView.tsx'
import {
  CustomerTable,
  KindTable,
  LandingTable,
  ProductTable,
  SourceTable,
} from './ConvertsView.tsx'
import { ReportChart } from './chart/ReportChart.tsx'
import { FILTERS, type Picker } from './choice.ts'
import { EmptyReport, type EmptyReportProps } from './EmptyReport.tsx'
import { FunnelView } from './FunnelView.tsx'
import { KpiCards } from './KpiCards.tsx'
import { RevenueByCurrency } from './RevenueByCurrency.tsx'
import { SetAsideNotice } from './SetAsideNotice.tsx'
import { SurfaceTable, surfaceName } from './SurfaceTable.tsx'
import { SurfaceTrends } from './SurfaceTrends.tsx'

interface ReportDashboardProps {
  report: Report
  /** The current view of the report, and how to change it. */
  picker: Picker
  /** Today in the report's time zone. */
  today?: string | undefined
  range?: RangeFormProps | undefined
  csvHref?: string | undefined
  onCsv?: (() => void) | undefined
  /** The page that sets the time zone. */
  zoneHref?: string | undefined
  /** The page about reporting a store's totals. */
  totalsHref?: string | undefined
  /** Links for the first steps, shown if there is nothing to report. */
  firstSteps?: Omit<EmptyReportProps, 'domain'> | undefined
}

/**
 * The whole dashboard, as answers to three questions: which AI brings money, whether it grows, and
 * what converts. An empty period shows the first steps instead.
 */
export function ReportDashboard(props: ReportDashboardProps): JSX.Element {
  const { report, picker, today, range, csvHref, onCsv, zoneHref, firstSteps } = props
  const { text, dates } = useLanguage()
  const isFiltered = FILTERS.some((filter) => picker.choice[filter] !== undefined)
  const { surface } = picker.choice
  return (
    <div class="report">
      <header class="report-head">
        <div>
          <p class="report-period">
            {text(
              'period',
              formatDate(report.period.start, dates),
              formatDate(report.period.end, dates),
            )}
          </p>
          <p class="quiet">
            {text('time_zone', report.time_zone)}
            {zoneHref !== undefined && (
              <>
                {' '}
                <a class="no-print" href={zoneHref}>
                  {text('time_zone_change')}
                </a>
              </>
            )}
          </p>
        </div>
        {(csvHref !== undefined || onCsv !== undefined) && (
          <Action label={text('download_csv')} href={csvHref} onAct={onCsv} />
        )}
      </header>
      {range !== undefined && <RangeForm {...range} />}
      <ActiveFilters picker={picker} />
      <SetAsideNotice days={report.set_aside} />
      {hasNothing(report) ? (
        isFiltered ? (
          <p class="card empty">{text('filters_nothing')}</p>
        ) : (
          <EmptyReport domain={report.domain} {...firstSteps} />
        )
      ) : (
        <>
          <KpiCards report={report} picker={picker} />
          {hasNegativeNet(report) && <p class="quiet">{text('net_negative')}</p>}
          <nav aria-label={text('questions')}>
            <ul class="questions">
              {QUESTIONS.map((id) => (
                <li key={id}>
                  <a href={`#question-${id}`}>{text(`question_${id}`)}</a>
                </li>
              ))}
            </ul>
          </nav>
          <Question id="money">
            {!isFiltered && <AiShareView report={report} totalsHref={props.totalsHref} />}
            <SurfaceTable report={report} picker={picker} />
            <RevenueByCurrency report={report} picker={picker} />
          </Question>
          <Question id="growth">
            <div class="card">
              <ReportChart
                report={report}
                metric={picker.choice.metric}
                of={surface === undefined ? undefined : surfaceName(surface, text)}
                today={today}
              />
            </div>
            <SurfaceTrends report={report} picker={picker} today={today} />
          </Question>
          <Question id="converts">
            <LandingTable report={report} picker={picker} />
            <ProductTable report={report} picker={picker} />
            <KindTable report={report} picker={picker} />
            <div class="report-columns">
              <FunnelView funnel={report.funnel} />
              <CustomerTable report={report} picker={picker} />
            </div>
            <SourceTable report={report} picker={picker} />
          </Question>
        </>
      )}
    </div>
  )
}

const QUESTIONS = ['money', 'growth', 'converts'] as const

interface QuestionProps {
  id: (typeof QUESTIONS)[number]
  children: ComponentChildren
}

/** One of a merchant's questions, and the answer. */
function Question({ id, children }: QuestionProps): JSX.Element {
  const { text } = useLanguage()
  return (
    <section class="question" aria-labelledby={`question-${id}`}>
      <h2 id={`question-${id}`}>{text(`question_${id}`)}</h2>
      {children}
    </section>
  )
}

/** Checks every amount on the page: a surface may be below zero while the sum is not. */
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
