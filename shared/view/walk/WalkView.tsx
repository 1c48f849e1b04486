import type { ComponentChildren, JSX } from 'preact'
import type { GapLinks } from '../../audit/result/result.ts'
import {
  costOf,
  type Exchange,
  type Purchase,
  type RouteWalk,
  type Transcript,
} from '../../walk/transcript.ts'
import { type Buys, isOrdinary, missingText, verdictsOf, verdictText } from '../../walk/verdict.ts'
import { signedAsText } from '../../web/signed-as.ts'
import { seenWithText } from '../../web/site-access.ts'
import { Icon, type IconShape } from '../Icon.tsx'
import { useLanguage } from '../language.ts'
import { Moment } from '../Moment.tsx'
import { Notice } from '../Notice.tsx'
import { DeveloperCard } from './DeveloperCard.tsx'
import { Leftovers } from './Leftovers.tsx'
import { PagesWalkView } from './PagesWalkView.tsx'
import { PurchaseDetails } from './PurchaseDetails.tsx'
import { PicturesContext } from './pictures.tsx'
import { prettyJson } from './pretty-json.ts'
import { intentOf } from './purchase-line.ts'
import { StepList } from './StepDetails.tsx'
import { summariseWalk, type WalkSummaryFacts } from './walk-summary.ts'
import { costText, countText, durationText } from './walk-words.ts'

/**
 * How many characters of requests and answers are shown, failed purchases first: a walk in five
 * dialects has more than a browser shows easily, and a store decides how much.
 */
const MOST_CHARACTERS = 1_000_000

export interface WalkViewProps {
  transcript: Transcript
  /** The pages about gaps. */
  links: GapLinks
  /** Level of the heading; 1 by default. */
  level?: 1 | 2 | undefined
  newTab?: boolean | undefined
  /**
   * Whether it is still running; by default if it has not ended. A walk may have been broken off.
   */
  isLive?: boolean | undefined
  /** The page of the walk, for a text to forward. */
  address?: string | null | undefined
  /** The page of a single purchase. */
  aloneHref?: ((purchase: Purchase) => string) | undefined
  /** The address of a picture of a page that it opened; without it none is shown. */
  pictureHref?: ((path: string) => string) | undefined
  onCopy?: ((text: string) => void) | undefined
  /** Buttons and text below the summary. */
  children?: ComponentChildren
}

/** A walk for the owner of the store, and below it for their developer. */
export function WalkView(props: WalkViewProps): JSX.Element {
  const { transcript, links, level = 1, newTab = false, address = null, onCopy, children } = props
  const { isLive = transcript.ended_at === null, aloneHref, pictureHref } = props
  const facts = summariseWalk(transcript)
  const shown = withinBudget(transcript)
  const view = (
    <div class="walk">
      {/* Always there, so that screen readers announce changes: each purchase, and the end. */}
      <p class="sr-only wild" role="status">
        {isLive ? nowText(transcript) : `The walk of ${transcript.domain} is done.`}
      </p>
      <WalkSummary transcript={transcript} facts={facts} level={level} isLive={isLive}>
        {children}
      </WalkSummary>
      {transcript.stopped !== null && (
        <Notice kind="warning" title="The walk ended early">
          <p class="wild">{transcript.stopped}</p>
        </Notice>
      )}
      {transcript.seen_with && <p class="wild">{seenWithText(transcript.seen_with)}</p>}
      <Leftovers transcript={transcript} />
      {facts.faults.length > 0 && (
        <section>
          <h2>What to tell your developer</h2>
          {facts.faults.map((fault) => (
            <DeveloperCard
              key={`${fault.unmet.expectation} ${fault.route.dialect} ${fault.unmet.field}`}
              {...{ fault, transcript, links, isLive, newTab, address, onCopy }}
            />
          ))}
        </section>
      )}
      {transcript.pages !== undefined && (
        <PagesWalkView pages={transcript.pages} {...{ links, newTab }} />
      )}
      {transcript.routes.map((route) => (
        <RouteSection
          key={route.dialect}
          {...{ route, isLive, aloneHref, newTab, shown }}
          mode={transcript.mode}
        />
      ))}
    </div>
  )
  return <PicturesContext.Provider value={pictureHref}>{view}</PicturesContext.Provider>
}

interface WalkSummaryProps {
  transcript: Transcript
  facts: WalkSummaryFacts
  level: 1 | 2
  isLive: boolean
  children: ComponentChildren
}

function WalkSummary(props: WalkSummaryProps): JSX.Element {
  const { transcript, facts, level, isLive, children } = props
  const language = useLanguage()
  const Heading = `h${level}` as const
  const verdicts = verdictsOf(transcript)
  const sentences = verdictText(transcript)
  const steps = transcript.routes.flatMap(({ browsing, purchases }) => [
    ...browsing,
    ...purchases.flatMap((purchase) => purchase.steps),
  ])
  const cost = costOf(steps)
  const whole = wholePurchase(transcript)
  const counted = countText(facts, language).join(' ')
  return (
    <section class="card walk-summary">
      <Heading class="wild">Purchases at {transcript.domain}</Heading>
      {isLive && <Live transcript={transcript} />}
      <ul class="walk-verdicts">
        {verdicts.map(({ buys }, at) => {
          const look = LOOK_OF[buys]
          const said = sentences[at]
          return (
            <li key={said} class={look.class}>
              <Icon shape={look.shape} />
              <span class="wild">{said}</span>
            </li>
          )
        })}
      </ul>
      {transcript.nothing !== null && (
        <Notice kind="warning" title="No purchase could be tried.">
          <p class="wild">{transcript.nothing}</p>
        </Notice>
      )}
      {transcript.elsewhere.map(({ label, endpoint, why }) => (
        <Notice key={endpoint} kind="warning" title={`Not walked: ${label}`}>
          <p class="wild">{why}</p>
        </Notice>
      ))}
      {missingText(transcript).map((said) => (
        <p key={said} class="quiet wild">
          {said}
        </p>
      ))}
      {counted !== '' && <p>{isLive ? `So far: ${counted}` : counted}</p>}
      {verdicts.length > 0 && (
        <p class="quiet">
          {transcript.mode === 'look'
            ? 'Nothing is paid, and each checkout that is opened is cancelled.'
            : 'Paid with the test token of your payment provider.'}{' '}
          UCP and ACP are the protocols through which AI assistants buy.
        </p>
      )}
      <dl class="walk-facts">
        <dt>Started</dt>
        <dd>
          <Moment at={transcript.started_at} />
        </dd>
        {transcript.ended_at !== null && (
          <>
            <dt>Took</dt>
            <dd>{durationText(tookOf(transcript), language)}</dd>
          </>
        )}
        {whole !== undefined && (
          <>
            <dt>A purchase costs an agent</dt>
            <dd>{costText(costOf(whole.steps), language)}</dd>
          </>
        )}
        {cost.requests > 0 && (
          <>
            <dt>In all</dt>
            <dd>{costText(cost, language)}</dd>
          </>
        )}
      </dl>
      {children}
    </section>
  )
}

const LOOK_OF: Record<Buys, { class: string; shape: IconShape }> = {
  yes: { class: 'is-good', shape: 'check' },
  partly: { class: 'is-partly', shape: 'triangle' },
  buyer: { class: 'is-good', shape: 'check' },
  agent: { class: 'is-partly', shape: 'triangle' },
  silent: { class: 'is-partly', shape: 'triangle' },
  no: { class: 'is-bad', shape: 'cross' },
}

/** The purchase whose cost is shown. */
const wholePurchase = ({ routes }: Transcript): Purchase | undefined =>
  routes
    .flatMap(({ purchases }) => purchases)
    .find((purchase) => purchase.outcome === 'passed' && isOrdinary(purchase))

const tookOf = ({ started_at, ended_at }: Transcript): number => {
  const took = Date.parse(ended_at ?? started_at) - Date.parse(started_at)
  return Number.isNaN(took) ? 0 : Math.max(0, took)
}

/** The purchase that is being made. */
function Live({ transcript }: { transcript: Transcript }): JSX.Element {
  return (
    <div class="notice notice-info walk-live">
      <Icon shape="ring" />
      <div class="notice-body">
        <p class="notice-title">The walk is under way</p>
        <p class="wild">{nowText(transcript)}</p>
      </div>
    </div>
  )
}

/** The current step, as a sentence. */
function nowText(transcript: Transcript): string {
  const route = transcript.routes.findLast(({ purchases }) => purchases.length > 0)
  const last = route?.purchases.findLast(({ outcome }) => outcome === 'under_way')
  if (route !== undefined && last !== undefined) {
    return `${intentOf(last.intent).name} (${route.label}).`
  }
  const page = transcript.pages?.steps.at(-1)
  if (transcript.pages?.ended === null) {
    return `Through the pages: ${page?.does ?? 'a browser opens the first one'}.`
  }
  const newest = transcript.routes.at(-1)
  return newest === undefined
    ? 'Finding out what the store speaks.'
    : `Looking for something to buy (${newest.label}).`
}

interface RouteSectionProps {
  route: RouteWalk
  mode: Transcript['mode']
  isLive: boolean
  shown: ReadonlySet<Part>
  aloneHref: WalkViewProps['aloneHref']
  newTab: boolean
}

function RouteSection(props: RouteSectionProps): JSX.Element {
  const { route, mode, isLive, shown, aloneHref, newTab } = props
  const { browsing, purchases, label, endpoint } = route
  const isOnly = purchases.length === 1
  return (
    <section class="walk-route">
      <h2 class="wild">{label}</h2>
      <p class="quiet wild">The purchases one by one, made at {endpoint}</p>
      {route.signature && <p class="quiet wild">{signedAsText(route.signature)}</p>}
      {browsing.length > 0 && (
        <details
          class="walk-purchase walk-browsing"
          open={browsing.some(({ failed }) => failed !== null)}
        >
          <summary>
            <h3 class="walk-purchase-name">Looking for something to buy</h3>
          </summary>
          <div class="walk-purchase-body">
            <StepList steps={browsing} ahead={[]} isCut={false} withExchanges={shown.has(route)} />
          </div>
        </details>
      )}
      {purchases.map((purchase) => (
        <PurchaseDetails
          key={purchase.intent}
          {...{ purchase, route, mode, isLive, newTab }}
          open={isOnly || purchase.outcome === 'failed' || (isLive && isUnderWay(purchase))}
          withExchanges={shown.has(purchase)}
          aloneHref={aloneHref?.(purchase)}
          level={3}
        />
      ))}
    </section>
  )
}

const isUnderWay = ({ outcome }: Purchase): boolean => outcome === 'under_way'

/**
 * A part that is shown with or without its requests and answers: a purchase, or the browsing of a
 * route.
 */
type Part = Purchase | RouteWalk

const sizeOf = (part: Part): number =>
  ('steps' in part ? part.steps : part.browsing)
    .flatMap(({ exchanges }) => exchanges)
    .reduce((sum, { request, answer }) => sum + writtenSize(request) + writtenSize(answer), 0)

function writtenSize(sent: Exchange['request'] | Exchange['answer']): number {
  if (sent === null) return 0
  const headers = Object.entries(sent.headers).flat().join('').length
  return headers + prettyJson(sent.body ?? '').length + ('url' in sent ? sent.url.length : 0)
}

/** The parts whose requests and answers are shown; at least one purchase is, however long. */
function withinBudget({ routes }: Transcript): ReadonlySet<Part> {
  const all = routes.flatMap(({ purchases }) => purchases)
  const failed = all.filter(({ outcome }) => outcome === 'failed')
  const others = all.filter(({ outcome }) => outcome !== 'failed')
  const first = failed[0] ?? others[0]
  let left = MOST_CHARACTERS
  const isWithin = (part: Part) => {
    // Beyond the limit, nothing needs to be measured.
    if (left >= 0) left -= sizeOf(part)
    return left >= 0
  }
  return new Set(
    [...failed, ...routes, ...others].filter((part) => isWithin(part) || part === first),
  )
}
