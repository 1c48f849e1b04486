import type { JSX } from 'preact'
import { linePath, lonePlaces, type Series, xOf, yOf } from '../../scale.ts'
import { ChartReadings } from './ChartReadings.tsx'
import { ChartShapes } from './ChartShapes.tsx'
import type { ChartModel } from './model.ts'

/** Pixels: the box of the values, and the space above and below it. */
const BOX = { top: 10, height: 190, foot: 26 }
const AXIS_WIDTH = 60

const yInPixels = (y: number) => BOX.top + (y / 100) * BOX.height

interface ChartPlotProps {
  model: ChartModel
  title: string
  /** What the chart shows, in a sentence. */
  about: string
}

/**
 * Positions are in percent, so that the drawing fills any width while its text keeps its size: only
 * the box of the values, which has no text, is stretched.
 */
export function ChartPlot({ model, title, about }: ChartPlotProps): JSX.Element {
  const count = model.points.length
  const previous = linePath(model.previous ?? [], model.top)
  const height = BOX.top + BOX.height + BOX.foot
  return (
    <div class="chart-plot">
      <svg class="chart-axis" width={AXIS_WIDTH} height={height} aria-hidden="true">
        {model.yLabels.map(({ y, label }) => (
          <text key={y} x={AXIS_WIDTH - 8} y={yInPixels(y) + 4} text-anchor="end">
            {label}
          </text>
        ))}
      </svg>
      <div class="chart-frame">
        <svg class="chart-box" width="100%" height={height} role="img" aria-label={about}>
          <title>{about}</title>
          {model.yLabels.map(({ y }) => (
            <line
              key={y}
              class={y === 100 ? 'chart-base' : 'chart-grid'}
              x1="0"
              x2="100%"
              y1={yInPixels(y)}
              y2={yInPixels(y)}
            />
          ))}
          <svg
            y={BOX.top}
            width="100%"
            height={BOX.height}
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            overflow="visible"
            aria-hidden="true"
          >
            {model.kind === 'bars' ? (
              <>
                <ChartShapes model={model} />
                <path class="chart-halo" d={previous} />
                <path class="chart-previous" d={previous} />
              </>
            ) : (
              <>
                <path class="chart-previous" d={previous} />
                <ChartShapes model={model} />
              </>
            )}
          </svg>
          {model.kind === 'line' && <Dots series={model.current} top={model.top} kind="dot" />}
          {model.previous !== null && (
            <Dots series={model.previous} top={model.top} kind="previous-dot" />
          )}
          {model.xLabels.map(({ at, label, width }) => (
            <text
              key={at}
              class={`chart-label-${width}`}
              {...labelPlace(xOf(at, count))}
              y={height - 6}
            >
              {label}
            </text>
          ))}
        </svg>
        <ChartReadings model={model} title={title} />
      </div>
    </div>
  )
}

/** A label in the middle of its period, but never over the edge. */
function labelPlace(x: number): { x: string; 'text-anchor': 'start' | 'middle' | 'end' } {
  if (x < 5) return { x: '0', 'text-anchor': 'start' }
  if (x > 95) return { x: '100%', 'text-anchor': 'end' }
  return { x: `${x}%`, 'text-anchor': 'middle' }
}

interface DotsProps {
  series: Series
  top: number
  kind: 'dot' | 'previous-dot'
}

const Dots = ({ series, top, kind }: DotsProps): JSX.Element => (
  <>
    {lonePlaces(series).map((at) => (
      <circle
        key={at}
        class={`chart-${kind}`}
        cx={`${xOf(at, series.length)}%`}
        cy={yInPixels(yOf(series[at] ?? 0, top))}
        r="4"
      />
    ))}
  </>
)
