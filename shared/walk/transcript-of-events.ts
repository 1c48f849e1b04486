import { beginPages, withPagesStep } from './pages/pages-kept.ts'
import type { Purchase, RouteWalk, Transcript, WalkEvent, WalkStep } from './transcript.ts'

/** The transcript of a walk before its first event. */
export const beginTranscript = (
  about: Pick<Transcript, 'id' | 'domain' | 'mode' | 'started_at'>,
): Transcript => ({
  version: 1,
  id: about.id,
  domain: about.domain,
  mode: about.mode,
  started_at: about.started_at,
  ended_at: null,
  stopped: null,
  nothing: null,
  routes: [],
  elsewhere: [],
  missing: [],
})

/**
 * The transcript with one more event; the given one is not changed. Ignored: an event that comes
 * again, as after a lost connection, one after the end, and one of an unknown route.
 */
export function foldEvent(transcript: Transcript, event: WalkEvent): Transcript {
  if (transcript.ended_at !== null) return transcript
  switch (event.event) {
    case 'ended':
      return event.transcript
    case 'route': {
      const isKnown = transcript.routes.some(({ dialect }) => dialect === event.route.dialect)
      if (isKnown) return transcript
      const route = { ...event.route, browsing: [], purchases: [] }
      return { ...transcript, routes: [...transcript.routes, route] }
    }
    case 'pages':
      return { ...transcript, pages: event.pages }
    case 'page':
      return {
        ...transcript,
        pages: withPagesStep(transcript.pages ?? beginPages(null), event.step),
      }
    case 'browsed':
      return inRoute(transcript, event.dialect, (route) => ({
        ...route,
        browsing: withStep(route.browsing, event.step),
      }))
    case 'purchase':
      return inRoute(transcript, event.dialect, (route) => changePurchase(route, event, asIs))
    case 'step':
      return inRoute(transcript, event.dialect, (route) =>
        changePurchase(route, event, (purchase) =>
          purchase.outcome === 'under_way'
            ? { ...purchase, steps: withStep(purchase.steps, event.step) }
            : purchase,
        ),
      )
    case 'purchased': {
      const { purchase } = event
      return inRoute(transcript, purchase.dialect, (route) =>
        changePurchase(route, purchase, () => purchase),
      )
    }
  }
}

const asIs = (purchase: Purchase): Purchase => purchase

const inRoute = (
  transcript: Transcript,
  dialect: RouteWalk['dialect'],
  change: (route: RouteWalk) => RouteWalk,
): Transcript => ({
  ...transcript,
  routes: transcript.routes.map((route) => (route.dialect === dialect ? change(route) : route)),
})

/** The first event of a purchase begins it. */
function changePurchase(
  route: RouteWalk,
  { dialect, intent }: Pick<Purchase, 'dialect' | 'intent'>,
  change: (purchase: Purchase) => Purchase,
): RouteWalk {
  const isIt = (purchase: Purchase) => purchase.intent === intent
  const { purchases } = route
  if (purchases.some(isIt)) {
    return { ...route, purchases: purchases.map((each) => (isIt(each) ? change(each) : each)) }
  }
  const begun: Purchase = {
    intent,
    dialect,
    outcome: 'under_way',
    why: null,
    charge: null,
    steps: [],
    orders: [],
    left_open: [],
  }
  return { ...route, purchases: [...purchases, change(begun)] }
}

/** Steps are identified by their numbers. */
const withStep = (steps: WalkStep[], step: WalkStep): WalkStep[] =>
  steps.some(({ n }) => n === step.n) ? steps : [...steps, step]

/** A walk before its first event. */
export type TranscriptHead = Omit<
  Transcript,
  'routes' | 'elsewhere' | 'missing' | 'version' | 'nothing'
>

/**
 * The transcript of these events, in the order in which they came; that of an `ended` event is the
 * result. With `broken`, the walk has ended without one: running purchases have failed if their
 * last step failed, otherwise they count as not walked, for that reason.
 */
export function transcriptOf(
  head: TranscriptHead,
  events: Iterable<WalkEvent>,
  broken: string | null,
): Transcript {
  let transcript = beginTranscript(head)
  for (const event of events) {
    if (event.event === 'ended') return event.transcript
    transcript = foldEvent(transcript, event)
  }
  const whole = { ...transcript, ...head }
  if (broken === null) return whole
  const { pages } = whole
  return {
    ...whole,
    ...(pages && { pages: pages.ended === null ? { ...pages, unseen: broken } : pages }),
    routes: whole.routes.map((route) => ({
      ...route,
      purchases: route.purchases.map((purchase) => brokenOff(purchase, broken)),
    })),
  }
}

function brokenOff(purchase: Purchase, why: string): Purchase {
  if (purchase.outcome !== 'under_way') return purchase
  const failed = purchase.steps.at(-1)?.failed ?? null
  return failed === null
    ? { ...purchase, outcome: 'not_walked', why }
    : { ...purchase, outcome: 'failed', why: failed.found }
}
