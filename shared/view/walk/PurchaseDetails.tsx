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
  const { text } = language
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
        {outcome === 'handed_over' && <p>{text('walk_handed_over_why')}</p>}
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
              {text('walk_alone')}
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

const SHAPE_OF_OUTCOME: Record<Purchase['outcome'], IconShape> = {
  passed: 'check',
  failed: 'cross',
  handed_over: 'info',
  not_walked: 'level',
  under_way: 'ring',
}

/** Colour, shape and words. */
function OutcomeBadge({ purchase, isLive }: OutcomeBadgeProps): JSX.Element {
  const { text } = useLanguage()
  const { outcome, steps } = purchase
  const failed = outcome === 'failed' ? failedStep(purchase) : null
  const isBroken = outcome === 'under_way' && !isLive
  return (
    <span class={`badge walk-outcome is-${isBroken ? 'not_walked' : outcome}`}>
      <Icon shape={SHAPE_OF_OUTCOME[isBroken ? 'not_walked' : outcome]} />
      {isBroken
        ? text('walk_outcome_broken_off')
        : failed !== null
          ? text('walk_outcome_failed_at', failed.n, steps.length)
          : text(`walk_outcome_${outcome}`)}
    </span>
  )
}
