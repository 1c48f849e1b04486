import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { METRIC_NAMES } from '../../attribution/report-words.ts'
import { surfaceName } from '../../attribution/surfaces.ts'
import { formatDate } from '../format.ts'
import { useLanguage } from '../language.ts'
import { ScrollTable } from '../ScrollTable.tsx'
import { Change } from './Change.tsx'
import { Choose } from './Choose.tsx'
import { ChartShapes } from './chart/ChartShapes.tsx'
import { chartModel } from './chart/model.ts'
import type { Picker } from './choice.ts'
import { changeIn, sortedBy, valueIn } from './FigureTable.tsx'
import { figureFormat } from './figures.ts'

interface SurfaceTrendsProps {
  report: Report
  picker: Picker
  today?: string | undefined
}

/** A small chart for each surface, one figure over time. Nothing if the report has no series. */
export function SurfaceTrends({ report, picker, today }: SurfaceTrendsProps): JSX.Element | null {
  const { locale, dates } = useLanguage()
  const { metric } = picker.choice
  if (report.series === undefined) return null
  const series = Map.groupBy(report.series, ({ surface }) => surface)
  const trends = sortedBy(
    Object.entries(report.by_surface).map(([id, row]) => ({
      id,
      name: surfaceName(id),
      row,
    })),
    metric,
  ).flatMap(({ id, name, row }) => {
    const daily = series.get(id) ?? []
    const { previous: _, ...current } = report
    const model = chartModel({ ...current, daily }, metric, { locale, dates }, today)
    return model.peak === null ? [] : [{ id, name, row, model }]
  })
  if (trends.length === 0) return null
  const title = `${METRIC_NAMES[metric]} by ${report.granularity}`
  const [start, end] = [report.period.start, report.period.end].map((day) => formatDate(day, dates))
  const format = figureFormat(metric, report.currency, locale)
  return (
    <section class="card" id="trends">
      <h3>{title}, for each surface</h3>
      <ul class="trends">
        {trends.map(({ id, name, row, model }) => {
          const { value = '', label = '' } = model.peak ?? {}
          const change = changeIn(row, metric)
          const sum = valueIn(row, metric)
          return (
            <li key={id}>
              <div class="trend-head">
                <Choose picker={picker} change={{ surface: id }} class="wild">
                  {name}
                </Choose>
                <strong>{sum === null ? '–' : format(sum)}</strong>
              </div>
              <svg
                class="trend-plot"
                viewBox="0 0 100 100"
                preserveAspectRatio="none"
                width="100%"
                height="56"
                role="img"
                aria-label={`${name}: ${title}, from ${start ?? ''} to ${end ?? ''}. Highest: ${value}, ${label}.`}
              >
                <line class="chart-base" x1="0" x2="100" y1="100" y2="100" />
                <ChartShapes model={model} />
              </svg>
              <div class="trend-foot quiet">
                {change !== undefined && <Change change={change} />}
                <span>
                  most: {value}, {label}
                </span>
              </div>
            </li>
          )
        })}
      </ul>
      <p class="quiet">Each of these charts has its own scale.</p>
      <TrendNumbers
        title={title}
        columns={trends.map(({ name, model }) => ({
          name,
          values: model.points.map(({ value }) => value),
        }))}
        labels={
          trends[0]?.model.points.map(({ label, isPartial }) =>
            isPartial ? `${label} (part)` : label,
          ) ?? []
        }
      />
    </section>
  )
}

interface TrendNumbersProps {
  title: string
  labels: readonly string[]
  columns: readonly { name: string; values: readonly string[] }[]
}

/** The values of the small charts as a table. */
function TrendNumbers({ title, labels, columns }: TrendNumbersProps): JSX.Element {
  return (
    <details class="chart-data">
      <summary>Show the numbers</summary>
      <ScrollTable label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">Date</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, at) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {columns.map(({ name, values }) => (
                  <td key={name} class="number">
                    {values[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollTable>
    </details>
  )
}
