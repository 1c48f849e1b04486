import type { JSX } from 'preact'
import { Icon, type IconShape } from '../Icon.tsx'
import type { LineStop, StopState } from './purchase-line.ts'
import { STATE_NAMES, STEP_WORDS } from './walk-words.ts'

export const SHAPE_OF_STATE: Record<StopState, IconShape> = {
  ok: 'check',
  stopped: 'cross',
  after: 'level',
  next: 'ring',
  coming: 'level',
  ahead: 'level',
}

/** The whole purchase in a row: colour, shape and words show how far it came. */
export function StepLine({ stops }: { stops: readonly LineStop[] }): JSX.Element {
  return (
    <ol class="walk-line" aria-label="Steps of the purchase">
      {stops.map(({ step, state, count }, at) => (
        <li key={at} class={`is-${state}`}>
          <span class="walk-node">
            <Icon shape={SHAPE_OF_STATE[state]} />
          </span>
          <span>
            {STEP_WORDS[step]}
            {count > 1 && <span class="walk-count"> {count} times</span>}
            <span class={isPlain(state) ? 'sr-only' : 'walk-here'}> {STATE_NAMES[state]}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The same in words, for a tooltip. */
const isPlain = (state: StopState): boolean =>
  state === 'ok' || state === 'ahead' || state === 'coming'

/** The same without words, next to words that give the outcome. */
export const StepDots = ({ stops }: { stops: readonly LineStop[] }): JSX.Element => (
  <span class="walk-dots" aria-hidden="true">
    {stops.map(({ state, count }, at) => (
      <span key={at} class={`is-${state}${count > 1 ? ' is-long' : ''}`} />
    ))}
  </span>
)
