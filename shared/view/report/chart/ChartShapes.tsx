import type { JSX } from 'preact'
import { areaPath, linePath, rounded, xOf, yOf } from '../../scale.ts'
import type { ChartModel } from './model.ts'

/**
 * The values of this period in a box of 100 by 100: bars, or a line. Parts of periods are lighter.
 */
export const ChartShapes = ({ model }: { model: ChartModel }): JSX.Element =>
  model.kind === 'bars' ? <Bars model={model} /> : <Line model={model} />

function Bars({ model }: { model: ChartModel }): JSX.Element {
  const count = model.points.length
  const width = rounded(Math.min(8, 70 / count))
  return (
    <>
      {model.current.map((value, at) =>
        value === null || value <= 0 ? null : (
          <rect
            key={model.points[at]?.date}
            class={model.partial[at] ? 'chart-bar is-partial' : 'chart-bar'}
            x={rounded(xOf(at, count) - width / 2)}
            width={width}
            y={yOf(value, model.top)}
            height={rounded(100 - yOf(value, model.top))}
          />
        ),
      )}
    </>
  )
}

/** The first and the last period may be partial: the line to them is dotted. */
function Line({ model: { current, top, partial } }: { model: ChartModel }): JSX.Element {
  const last = current.findLastIndex((value) => value !== null)
  const from = partial[0] ? 1 : 0
  const to = last > from && partial[last] ? last - 1 : last
  return (
    <>
      <path class="chart-area" d={areaPath(current, top)} />
      {from > 0 && <path class="chart-line is-partial" d={linePath(current, top, 0, from)} />}
      <path class="chart-line" d={linePath(current, top, from, to)} />
      {to < last && <path class="chart-line is-partial" d={linePath(current, top, to, last)} />}
    </>
  )
}
