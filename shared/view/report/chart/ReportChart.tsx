import type { JSX } from 'preact'
import type { Report } from '../../../attribution/report.ts'
import { formatDate } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import type { ChartMetric } from '../figures.ts'
import { ChartPlot } from './ChartPlot.tsx'
import { type ChartModel, chartModel } from './model.ts'

interface ReportChartProps {
  report: Report
  metric: ChartMetric
  /** The surface of the report, if it is filtered by one. */
  of?: string | undefined
  /** Today in the report's time zone: later periods have no value yet. */
  today?: string | undefined
}

/** One figure over time with the period before, and the same numbers as a table. */
export function ReportChart({ report, metric, of, today }: ReportChartProps): JSX.Element {
  const { text, locale, dates } = useLanguage()
  const model = chartModel(report, metric, { locale, dates }, today)
  const figure = text(`chart_by_${report.granularity}`, text(metric))
  const title = of === undefined ? figure : text('chart_of', of, figure)
  const start = formatDate(report.period.start, dates)
  const end = formatDate(report.period.end, dates)
  const about =
    model.peak === null
      ? text('chart_nothing', title, start, end)
      : text('chart_about', title, start, end, model.peak.value, model.peak.label)
  return (
    <figure class={`chart chart-of-${model.kind}`}>
      <figcaption class="chart-head">
        <span class="chart-title">{title}</span>
        <Legend model={model} />
      </figcaption>
      <ChartPlot model={model} title={title} about={about} />
      <Numbers model={model} title={title} metric={metric} />
    </figure>
  )
}

function Legend({ model }: { model: ChartModel }): JSX.Element | null {
  const { text } = useLanguage()
  const isPartial = model.partial.includes(true)
  if (model.previous === null && !isPartial) return null
  return (
    <span class="chart-legend">
      <span class="legend-current">{text('chart_current')}</span>
      {isPartial && <span class="legend-incomplete">{text('chart_incomplete')}</span>}
      {model.previous !== null && <span class="legend-previous">{text('chart_previous')}</span>}
    </span>
  )
}

interface NumbersProps {
  model: ChartModel
  title: string
  metric: ChartMetric
}

function Numbers({ model, title, metric }: NumbersProps): JSX.Element {
  const { text } = useLanguage()
  return (
    <details class="chart-data">
      <summary>{text('chart_table')}</summary>
      <table>
        <caption class="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{text('date')}</th>
            <th scope="col" class="number">
              {text(metric)}
            </th>
            {model.previous !== null && (
              <th scope="col" class="number">
                {text('chart_previous')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {model.points.map(({ date, label, isPartial, value, before }) => (
            <tr key={date}>
              <th scope="row">{isPartial ? text('chart_partial', label) : label}</th>
              <td class="number">{value}</td>
              {before !== null && <td class="number">{before}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
