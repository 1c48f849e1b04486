import type { JSX } from 'preact'
import { expectationOf } from '../../walk/expectations.ts'
import { costOf, type Unmet, type WalkStep } from '../../walk/transcript.ts'
import { Icon } from '../Icon.tsx'
import { useLanguage } from '../language.ts'
import { ExchangeView } from './ExchangeView.tsx'
import { WalkPicture } from './pictures.tsx'
import { failedStep, type LineStop, type StopState, stopStateOf } from './purchase-line.ts'
import { SHAPE_OF_STATE } from './StepLine.tsx'
import { costText, durationText, STATE_NAMES, STEP_WORDS } from './walk-words.ts'

/** More steps than these are folded, if all but the end passed. */
const MOST_BEFORE = 8
/** How many are shown before the one that matters. */
const KEPT_BEFORE = 3

interface StepListProps {
  steps: readonly WalkStep[]
  /** What it did not reach, or not yet. */
  ahead: readonly LineStop[]
  /** The last ones matter: it stopped there, or is there now. */
  isCut: boolean
  /** Requests and answers as well. */
  withExchanges: boolean
}

/** The steps of a purchase as a list that unfolds; the failed one is open. */
export function StepList({ steps, ahead, isCut, withExchanges }: StepListProps): JSX.Element {
  const failed = failedStep({ steps })
  const row = (step: WalkStep) => (
    <StepDetails
      key={step.n}
      step={step}
      state={stopStateOf(step, failed)}
      withExchanges={withExchanges}
    />
  )
  const rest = ahead.map((stop, at) => <StepAhead key={`ahead ${at}`} stop={stop} />)
  const end = failed === null ? steps.length - 1 : steps.indexOf(failed)
  if (!isCut || end < MOST_BEFORE) {
    return (
      <ol class="walk-steps">
        {steps.map(row)}
        {rest}
      </ol>
    )
  }
  const folded = steps.slice(0, end - KEPT_BEFORE)
  return (
    <>
      <details class="walk-folded is-ok">
        <summary>
          <span class="walk-node">
            <Icon shape="check" />
          </span>
          Steps {folded[0]?.n ?? 1} to {folded.at(-1)?.n ?? 1}, all as they should be
        </summary>
        <ol class="walk-steps">{folded.map(row)}</ol>
      </details>
      <ol class="walk-steps">
        {steps.slice(folded.length).map(row)}
        {rest}
      </ol>
    </>
  )
}

const StepAhead = ({ stop: { step, state, count } }: { stop: LineStop }): JSX.Element => {
  return (
    <li class={`walk-ahead is-${state}`}>
      <span class="walk-node">
        <Icon shape={SHAPE_OF_STATE[state]} />
      </span>
      <span>
        {STEP_WORDS[step]}
        {count > 1 && ` ${`${count} times`}`}, <span class="walk-here">{STATE_NAMES[state]}</span>
      </span>
    </li>
  )
}

interface StepDetailsProps {
  step: WalkStep
  state: StopState
  withExchanges: boolean
}

function StepDetails({ step, state, withExchanges }: StepDetailsProps): JSX.Element {
  const language = useLanguage()
  const cost = costOf([step])
  return (
    <li class={`is-${state}`}>
      <details class="walk-step" open={state === 'stopped'}>
        <summary>
          <span class="walk-node">
            <Icon shape={SHAPE_OF_STATE[state]} />
          </span>
          <span class="walk-step-title wild">
            {step.n}. <bdi>{step.title}</bdi>
            <span class={state === 'ok' ? 'sr-only' : 'walk-here'}> {STATE_NAMES[state]}</span>
          </span>
          {cost.requests > 0 && (
            <span class="walk-step-cost">
              {step.exchanges.map(({ answer }) => answer?.status ?? '–').join(', ')}
              {' · '}
              {durationText(cost.ms, language)}
            </span>
          )}
        </summary>
        <div class="walk-step-body">
          {step.failed !== null && <UnmetView unmet={step.failed} />}
          {step.concluded.length > 0 && (
            <>
              <p class="walk-part">What the agent understood</p>
              <ul class="walk-concluded">
                {step.concluded.map(({ text: said, field }, at) => (
                  <li key={at} class="wild">
                    <bdi>{said}</bdi>
                    {field !== null && (
                      <>
                        {' '}
                        <code>{field}</code>
                      </>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
          {step.opened != null && step.opened.picture !== null && (
            <WalkPicture
              path={step.opened.picture}
              alt="The page that the link opens in a fresh browser"
            />
          )}
          {step.held.length > 0 && (
            <details class="walk-held">
              <summary>Checked, and as it should be ({step.held.length})</summary>
              <ul>
                {step.held.map((id) => (
                  <li key={id}>{expectationOf(id).expected}</li>
                ))}
              </ul>
            </details>
          )}
          {cost.requests > 0 && <p class="quiet">{costText(cost, language)}</p>}
          {withExchanges &&
            step.exchanges.map((exchange) => (
              <ExchangeView key={`${exchange.at} ${exchange.request.url}`} exchange={exchange} />
            ))}
        </div>
      </details>
    </li>
  )
}

/** What was expected and what was found, in short: the card above says what to do. */
function UnmetView({ unmet }: { unmet: Unmet }): JSX.Element {
  return (
    <dl class="walk-facts">
      <dt>What should happen</dt>
      <dd class="wild">{unmet.expected}</dd>
      <dt>What happened instead</dt>
      <dd class="wild">
        <bdi>{unmet.found}</bdi> <UnmetField unmet={unmet} />
      </dd>
    </dl>
  )
}

/** Where in the answer it was found. */
export const UnmetField = ({ unmet: { field } }: { unmet: Unmet }): JSX.Element | null =>
  field === null ? null : (
    <span class="quiet">
      (in{' '}
      <bdi>
        <code>{field}</code>
      </bdi>
      )
    </span>
  )
