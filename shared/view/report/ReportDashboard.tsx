import type { ComponentChildren, JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { QUESTIONS } from '../../attribution/report-words.ts'
import { surfaceName } from '../../attribution/surfaces.ts'
import { Action, NEW_TAB } from '../Action.tsx'
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
import { SurfaceTable } from './SurfaceTable.tsx'
import { SurfaceTrends } from './SurfaceTrends.tsx'
import { UnattributedNotice } from './UnattributedNotice.tsx'

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
  /** The page that shows why checkouts fail. */
  failuresHref?: string | undefined
  newTab?: boolean | undefined
  /** Links for the first steps, shown if there is nothing to report. */
  firstSteps?: Omit<EmptyReportProps, 'domain'> | undefined
}

/**
 * The whole dashboard, as answers to three questions: whether it grows, which AI brings money, and
 * what converts; the rest is folded. An empty period shows the first steps instead.
 */
export function ReportDashboard(props: ReportDashboardProps): JSX.Element {
  const { report, picker, today, range, csvHref, onCsv, zoneHref, firstSteps } = props
  const { newTab = false } = props
  const { dates } = useLanguage()
  const isFiltered = FILTERS.some((filter) => picker.choice[filter] !== undefined)
  const { surface } = picker.choice
  return (
    <div class="report">
      <header class="report-head">
        <div>
          <p class="report-period">
            {formatDate(report.period.start, dates)} to {formatDate(report.period.end, dates)}
          </p>
          <p class="quiet">
            Days are counted in the time zone {report.time_zone}. Weeks start on Monday.
            {zoneHref !== undefined && (
              <>
                {' '}
                <a class="no-print" href={zoneHref} {...(newTab ? NEW_TAB : {})}>
                  Change the time zone
                </a>
              </>
            )}
          </p>
        </div>
        {(csvHref !== undefined || onCsv !== undefined) && (
          <Action label="Download CSV" href={csvHref} onAct={onCsv} />
        )}
      </header>
      {range !== undefined && <RangeForm {...range} />}
      <ActiveFilters picker={picker} />
      <SetAsideNotice days={report.set_aside} />
      <UnattributedNotice report={report} />
      {hasNothing(report) ? (
        isFiltered ? (
          <p class="card empty">
            There is nothing in this period with these filters. Remove one to see more.
          </p>
        ) : (
          <EmptyReport domain={report.domain} newTab={newTab} {...firstSteps} />
        )
      ) : (
        <>
          <KpiCards
            report={report}
            picker={picker}
            failuresHref={props.failuresHref}
            newTab={newTab}
          />
          {firstSteps?.eventsHref !== undefined && report.summary.ai_orders === 0 && (
            <p>
              No order came in this period. If the store had some, they are not reported yet:{' '}
              <a href={firstSteps.eventsHref} {...(newTab ? NEW_TAB : {})}>
                join your orders to visits
              </a>
              .
            </p>
          )}
          {hasNegativeNet(report) && (
            <p class="quiet">
              Where more was refunded than sold, net revenue is below zero. Refunds count on the day
              they are made, even for older orders.
            </p>
          )}
          <nav aria-label="On this page">
            <ul class="questions">
              {Object.entries(QUESTIONS).map(([id, question]) => (
                <li key={id}>
                  <a href={`#question-${id}`}>{question}</a>
                </li>
              ))}
            </ul>
          </nav>
          <Question id="growth">
            <div class="card">
              <ReportChart
                report={report}
                metric={picker.choice.metric}
                of={surface === undefined ? undefined : surfaceName(surface)}
                today={today}
              />
            </div>
          </Question>
          <Question id="money">
            <SurfaceTable report={report} picker={picker} />
          </Question>
          <Question id="converts">
            <LandingTable report={report} picker={picker} />
            <ProductTable report={report} picker={picker} />
          </Question>
          <details class="question" open={picker.choice.kind !== undefined}>
            <summary>
              Each currency, how they came, how far they got, and each surface over time
            </summary>
            <RevenueByCurrency report={report} picker={picker} />
            {!isFiltered && (
              <AiShareView report={report} totalsHref={props.totalsHref} newTab={newTab} />
            )}
            <KindTable report={report} picker={picker} />
            <div class="report-columns">
              <FunnelView funnel={report.funnel} />
              <CustomerTable report={report} picker={picker} />
            </div>
            <SourceTable report={report} picker={picker} />
            <SurfaceTrends report={report} picker={picker} today={today} />
          </details>
        </>
      )}
    </div>
  )
}

interface QuestionProps {
  id: keyof typeof QUESTIONS
  children: ComponentChildren
}

/** One of a merchant's questions, and the answer. */
function Question({ id, children }: QuestionProps): JSX.Element {
  return (
    <section class="question" aria-labelledby={`question-${id}`}>
      <h2 id={`question-${id}`}>{QUESTIONS[id]}</h2>
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
