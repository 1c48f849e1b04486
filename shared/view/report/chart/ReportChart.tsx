import type { JSX } from 'preact'
import type { Report } from '../../../attribution/report.ts'
import { METRIC_NAMES } from '../../../attribution/report-words.ts'
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
  const { locale, dates } = useLanguage()
  const model = chartModel(report, metric, { locale, dates }, today)
  const figure = `${METRIC_NAMES[metric]} by ${report.granularity}`
  const title = of === undefined ? figure : `${of}: ${figure}`
  const start = formatDate(report.period.start, dates)
  const end = formatDate(report.period.end, dates)
  const about =
    model.peak === null
      ? `${title}, from ${start} to ${end}. Nothing was recorded.`
      : `${title}, from ${start} to ${end}. Highest: ${model.peak.value}, ${model.peak.label}.`
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
  const isPartial = model.partial.includes(true)
  if (model.previous === null && !isPartial) return null
  return (
    <span class="chart-legend">
      <span class="legend-current">This period</span>
      {isPartial && <span class="legend-incomplete">Part of a period</span>}
      {model.previous !== null && <span class="legend-previous">Previous period</span>}
    </span>
  )
}

interface NumbersProps {
  model: ChartModel
  title: string
  metric: ChartMetric
}

function Numbers({ model, title, metric }: NumbersProps): JSX.Element {
  return (
    <details class="chart-data">
      <summary>Show the numbers</summary>
      <table>
        <caption class="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col" class="number">
              {METRIC_NAMES[metric]}
            </th>
            {model.previous !== null && (
              <th scope="col" class="number">
                Previous period
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {model.points.map(({ date, label, isPartial, value, before }) => (
            <tr key={date}>
              <th scope="row">{isPartial ? `${label} (part)` : label}</th>
              <td class="number">{value}</td>
              {before !== null && <td class="number">{before}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
