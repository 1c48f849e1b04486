import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { ChartModel } from './model.ts'

/**
 * The values of each period, over the chart: at a pointer, at a tap and, as one Tab stop, with the
 * arrow keys. Radio buttons do all of this without a script.
 */
export function ChartReadings({ model, title }: { model: ChartModel; title: string }): JSX.Element {
  const name = useId()
  return (
    <div class="chart-readings" role="radiogroup" aria-label={title}>
      {model.points.map(({ date, label, isPartial, value, before }) => {
        const period = isPartial ? `${label} (part)` : label
        return (
          <label key={date} class="chart-reading">
            <input type="radio" name={`reading-${name}`} />
            <span class="chart-tip">
              {before === null ? `${period}: ${value}` : `${period}: ${value} (before: ${before})`}
            </span>
          </label>
        )
      })}
    </div>
  )
}
