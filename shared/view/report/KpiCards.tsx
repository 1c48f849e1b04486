import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { formatChange } from '../format.ts'
import { Icon } from '../Icon.tsx'
import { useLanguage } from '../language.ts'
import {
  type ChartMetric,
  FEWER_IS_BETTER,
  figureFormat,
  figureOf,
  isChartMetric,
  METRICS,
  type Metric,
  relativeChange,
} from './figures.ts'

export interface KpiCardsProps {
  report: Report
  /** The figure that the chart shows. */
  metric: ChartMetric
  /** Where a card leads; without it and without `onMetric` the cards only show. */
  hrefOf?: ((metric: ChartMetric) => string) | undefined
  onMetric?: ((metric: ChartMetric) => void) | undefined
}

/** The figures of the report, each with its change against the period before. */
export function KpiCards({ report, metric, hrefOf, onMetric }: KpiCardsProps): JSX.Element {
  const { text } = useLanguage()
  return (
    <div class="kpi-box">
      <ul class="kpis" aria-label={text('figures')}>
        {METRICS.map((each) => {
          const figure = <Figure report={report} metric={each} />
          const isShown = each === metric
          return (
            <li key={each}>
              {isChartMetric(each) && hrefOf !== undefined ? (
                <a
                  class="kpi"
                  href={hrefOf(each)}
                  aria-current={isShown}
                  {...(onMetric === undefined
                    ? {}
                    : {
                        onClick: (event: Event) => {
                          event.preventDefault()
                          onMetric(each)
                        },
                      })}
                >
                  {figure}
                </a>
              ) : isChartMetric(each) && onMetric !== undefined ? (
                <button
                  type="button"
                  class="kpi"
                  aria-pressed={isShown}
                  onClick={() => onMetric(each)}
                >
                  {figure}
                </button>
              ) : (
                <div class="kpi">{figure}</div>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Figure({ report, metric }: { report: Report; metric: Metric }): JSX.Element {
  const { text, locale } = useLanguage()
  const format = figureFormat(metric, report.currency, locale)
  const now = figureOf(metric, report)
  const { ai_refunded_cents: refunded = 0, ai_net_revenue_cents: net } = report.summary
  return (
    <>
      <span class="kpi-name">{text(metric)}</span>
      <span class="kpi-value">{format(now)}</span>
      {report.previous !== undefined && (
        <Change
          metric={metric}
          now={now}
          before={figureOf(metric, report.previous)}
          {...{ format }}
        />
      )}
      {metric === 'revenue' && net !== undefined && (
        <span class="kpi-change quiet">{text('refunded', format(refunded), format(net))}</span>
      )}
    </>
  )
}

interface ChangeProps {
  metric: Metric
  now: number
  before: number
  format: (value: number) => string
}

function Change({ metric, now, before, format }: ChangeProps): JSX.Element {
  const { text, locale } = useLanguage()
  if (now === before) return <span class="kpi-change quiet">{text('figure_same')}</span>
  const change = relativeChange(now, before)
  const way = now > before ? 'up' : 'down'
  const isGood = now > before !== FEWER_IS_BETTER.has(metric)
  return (
    <span class={`kpi-change change ${isGood ? 'is-good' : 'is-bad'}`}>
      <Icon shape={way} />
      {change === null
        ? text('figure_from_nothing', format(before))
        : text(`figure_${way}`, formatChange(change, locale), format(before))}
    </span>
  )
}
