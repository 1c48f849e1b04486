import type { JSX } from 'preact'
import type { WatchedDay } from '../../watch/days.ts'
import { dateFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { ChartPlot } from '../report/chart/ChartPlot.tsx'
import type { ChartModel } from '../report/chart/model.ts'
import { labelPlaces, yOf } from '../scale.ts'

interface ScoreChartProps {
  /** The oldest first. */
  days: readonly WatchedDay[]
}

/** The score of each day as a line, and the same numbers as a table. */
export function ScoreChart({ days }: ScoreChartProps): JSX.Element {
  const { dates } = useLanguage()
  const model = modelOf(days, dates)
  const title = `Score over the last ${days.length} days`
  const known = days.flatMap(({ score }) => (score === null ? [] : [score]))
  const [first, last] = [days[0], days.at(-1)].map((each) =>
    each === undefined ? '' : dateFormat(dates)(each.day),
  )
  const about =
    known.length === 0
      ? `No audit has seen the store from ${first ?? ''} to ${last ?? ''}.`
      : `Score from ${first ?? ''} to ${last ?? ''}: first ${known[0] ?? 0}, lowest ${Math.min(...known)}, last ${known.at(-1) ?? 0}.`
  return (
    <figure class="chart chart-of-line">
      <figcaption class="chart-head">
        <span class="chart-title">{title}</span>
      </figcaption>
      <ChartPlot model={model} title={title} about={about} />
      <details class="chart-data">
        <summary>Show the numbers</summary>
        <table>
          <caption class="sr-only">{title}</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col" class="number">
                Score
              </th>
            </tr>
          </thead>
          <tbody>
            {model.points.toReversed().map(({ date, label, value }) => (
              <tr key={date}>
                <th scope="row">{label}</th>
                <td class="number">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

const TOP = 100
const MOST_LABELS = 8

function modelOf(days: readonly WatchedDay[], dates: string): ChartModel {
  const current = days.map(({ score }) => score)
  const day = dateFormat(dates)
  const axisDay = dateFormat(dates, 'day')
  const points = days.map(({ day: date, score }) => ({
    date,
    label: day(date),
    isPartial: false,
    value: score === null ? '–' : String(score),
    before: null,
  }))
  const places = labelPlaces(
    days.map((_, at) => at),
    MOST_LABELS,
  )
  return {
    kind: 'line',
    current,
    previous: null,
    top: TOP,
    partial: days.map(() => false),
    points,
    yLabels: [0, 25, 50, 75, 100].map((tick) => ({ y: yOf(tick, TOP), label: String(tick) })),
    xLabels: places.map((at, place) => ({
      at,
      label: axisDay(days[at]?.day ?? ''),
      width: place % 4 === 0 ? 0 : place % 2 === 0 ? 1 : 2,
    })),
    peak: null,
  }
}
