import type { JSX } from 'preact'
import { costOf, type Purchase, type RouteWalk, type Transcript } from '../../walk/transcript.ts'
import { NEW_TAB } from '../Action.tsx'
import { Icon, type IconShape } from '../Icon.tsx'
import { useLanguage } from '../language.ts'
import { failedStep, intentOf, purchaseLine, type StopState } from './purchase-line.ts'
import { StepList } from './StepDetails.tsx'
import { StepDots } from './StepLine.tsx'
import { costText, durationText } from './walk-words.ts'

interface PurchaseDetailsProps {
  purchase: Purchase
  route: RouteWalk
  mode: Transcript['mode']
  /** The walk is still running. */
  isLive: boolean
  open: boolean
  withExchanges: boolean
  /** The page of its requests and answers, if they are not shown here. */
  aloneHref: string | undefined
  newTab: boolean
  /** Level of the heading. */
  level: 3 | 4
}

/** The anchor of a purchase in its page. */
export const purchaseAnchor = ({ dialect, intent }: Purchase): string =>
  `${dialect}-${intent}`.replaceAll('_', '-')

/** One purchase: a row with its outcome and, unfolded, its steps. */
export function PurchaseDetails(props: PurchaseDetailsProps): JSX.Element {
  const { purchase, route, mode, isLive, open, withExchanges, aloneHref, newTab, level } = props
  const language = useLanguage()
  const { outcome, why, steps } = purchase
  const Heading = `h${level}` as const
  const stops = purchaseLine(purchase, route, mode, isLive)
  const cost = costOf(steps)
  return (
    <details class="walk-purchase" id={purchaseAnchor(purchase)} open={open}>
      <summary>
        <Heading class="walk-purchase-name">{intentOf(purchase.intent).name}</Heading>
        <StepDots stops={stops} />
        <OutcomeBadge purchase={purchase} isLive={isLive} />
      </summary>
      <div class="walk-purchase-body">
        {outcome === 'handed_over' && (
          <p>A person finishes this purchase in your store, as the protocol has it.</p>
        )}
        {why !== null && <p class="wild">{why}</p>}
        {steps.length > 0 && (
          <>
            <p class="quiet">
              {costText(cost, language)}, {durationText(cost.ms, language)}
            </p>
            <StepList
              steps={steps}
              ahead={stops.filter(({ state }) => AHEAD.includes(state))}
              isCut={outcome === 'failed' || outcome === 'under_way'}
              withExchanges={withExchanges}
            />
          </>
        )}
        {!withExchanges && aloneHref !== undefined && (
          <p>
            <a href={aloneHref} {...(newTab ? NEW_TAB : {})}>
              Show the requests and answers of this purchase
            </a>
          </p>
        )}
      </div>
    </details>
  )
}

const AHEAD: readonly StopState[] = ['next', 'coming', 'ahead']

interface OutcomeBadgeProps {
  purchase: Purchase
  isLive: boolean
}

const OUTCOMES: Record<Purchase['outcome'], { shape: IconShape; words: string }> = {
  passed: { shape: 'check', words: 'As it should be' },
  failed: { shape: 'cross', words: 'Not as it should be' },
  handed_over: { shape: 'info', words: 'Continues with the buyer' },
  not_walked: { shape: 'level', words: 'Not tried' },
  under_way: { shape: 'ring', words: 'Under way' },
}

/** Colour, shape and words. */
function OutcomeBadge({ purchase, isLive }: OutcomeBadgeProps): JSX.Element {
  const { outcome, steps } = purchase
  const failed = outcome === 'failed' ? failedStep(purchase) : null
  const isBroken = outcome === 'under_way' && !isLive
  return (
    <span class={`badge walk-outcome is-${isBroken ? 'not_walked' : outcome}`}>
      <Icon shape={OUTCOMES[isBroken ? 'not_walked' : outcome].shape} />
      {isBroken
        ? 'Interrupted'
        : failed !== null
          ? `Stopped at step ${failed.n} of ${steps.length}`
          : OUTCOMES[outcome].words}
    </span>
  )
}
