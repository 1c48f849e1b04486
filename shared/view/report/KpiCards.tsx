import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { METRIC_NAMES } from '../../attribution/report-words.ts'
import { NEW_TAB } from '../Action.tsx'
import { formatDate, formatNumber, moneyFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { Change } from './Change.tsx'
import { Choose } from './Choose.tsx'
import type { Picker } from './choice.ts'
import {
  FEWER_IS_BETTER,
  figureFormat,
  figureOf,
  isChartMetric,
  METRICS,
  type Metric,
  ordersInCurrency,
  relativeChange,
} from './figures.ts'

interface KpiCardsProps {
  report: Report
  /** The cards link to the chart of their figure. */
  picker: Picker
  /** The page that shows why checkouts fail. */
  failuresHref?: string | undefined
  newTab?: boolean | undefined
}

/** The figures of the report, each with its change against the period before. */
export function KpiCards({
  report,
  picker,
  failuresHref,
  newTab = false,
}: KpiCardsProps): JSX.Element {
  const canPick = picker.hrefOf !== undefined || picker.onPick !== undefined
  return (
    <div class="kpi-box">
      <ul class="kpis" aria-label="Figures">
        {METRICS.map((metric) => {
          const figure = <Figure report={report} metric={metric} />
          return (
            <li key={metric}>
              {isChartMetric(metric) && canPick ? (
                <Choose
                  picker={picker}
                  change={{ metric }}
                  class="kpi"
                  isCurrent={metric === picker.choice.metric}
                >
                  {figure}
                </Choose>
              ) : (
                <div class="kpi">
                  {figure}
                  {metric === 'failed' && report.funnel.failed > 0 && failuresHref && (
                    <a href={failuresHref} {...(newTab ? NEW_TAB : {})}>
                      What may stop them
                    </a>
                  )}
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <Compared report={report} />
    </div>
  )
}

function Figure({ report, metric }: { report: Report; metric: Metric }): JSX.Element {
  const { locale } = useLanguage()
  const format = figureFormat(metric, report.currency, locale)
  const compared = comparedFigures(report, metric)
  const value = figureOf(metric, report)
  const inCurrency = ordersInCurrency(report)
  const {
    ai_orders: orders,
    ai_refunded_cents: refunded = 0,
    ai_net_revenue_cents: net,
  } = report.summary
  return (
    <>
      <span class="kpi-name">{METRIC_NAMES[metric]}</span>
      <span class="kpi-value">{format(value)}</span>
      {compared !== null && (
        <Change
          change={changeFor(value, compared)}
          was={format(compared.before)}
          fewerIsBetter={FEWER_IS_BETTER.has(metric)}
        />
      )}
      {metric === 'failed' && compared === null && report.previous !== undefined && (
        <span class="kpi-change quiet">
          {format(report.previous.funnel.failed)} in the period before
        </span>
      )}
      {(metric === 'revenue' || metric === 'order_value') && inCurrency < orders && (
        <span class="kpi-change quiet">
          of {formatNumber(inCurrency, locale)} of {formatNumber(orders, locale)} orders, those in{' '}
          {report.currency}
        </span>
      )}
      {metric === 'revenue' && <OtherMoney report={report} />}
      {metric === 'revenue' && net !== undefined && (
        <span class="kpi-change quiet">
          {format(refunded)} refunded, {format(net)} net
        </span>
      )}
    </>
  )
}

/** The revenue in the other currencies, which is never added to that of the report. */
function OtherMoney({ report }: { report: Report }): JSX.Element | null {
  const { locale } = useLanguage()
  const others = Object.entries(report.revenue_by_currency)
    .filter(([code, { revenue_cents }]) => code !== report.currency && revenue_cents !== 0)
    .map(([code, { revenue_cents }]) => moneyFormat(code, locale)(revenue_cents))
  if (others.length === 0) return null
  return <span class="kpi-change quiet">and {others.join(', ')}</span>
}

/** What came only today has no change: it is in neither of the compared ranges. */
const changeFor = (value: number, { now, before }: { now: number; before: number }) =>
  value !== 0 && now === 0 && before === 0 ? null : relativeChange(now, before)

/** One figure over the compared days; null if it is only known for the whole period. */
function comparedFigures({ previous, period, funnel }: Report, metric: Metric) {
  const compared = previous?.compared
  if (previous === undefined || !compared) return null
  // Failed checkouts are counted for the whole of either period.
  if (metric === 'failed' && compared.current.end !== period.end) return null
  return {
    now: figureOf(metric, { summary: compared.summary, funnel }),
    before: figureOf(metric, { summary: compared.previous_summary, funnel: previous.funnel }),
  }
}

/** The days that every change compares. */
function Compared({ report: { previous, period } }: { report: Report }): JSX.Element | null {
  const { dates } = useLanguage()
  if (previous === undefined) return null
  const { compared } = previous
  if (compared === null)
    return <p class="compared quiet">No day of this period is over yet, so nothing is compared.</p>
  const { current, previous: before } = compared
  const days = ({ start, end }: typeof current) =>
    `${formatDate(start, dates)} to ${formatDate(end, dates)}`
  return (
    <p class="compared quiet">
      Changes compare {days(current)} with {days(before)}
      {current.end === period.end ? '.' : ': days that are not over yet are left out.'}
    </p>
  )
}
