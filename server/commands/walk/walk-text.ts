import { expectationOf } from '../../../shared/walk/expectations.ts'
import { INTENTS, nameOfIntent } from '../../../shared/walk/intents.ts'
import type {
  Purchase,
  RouteWalk,
  Transcript,
  WalkEvent,
  WalkStep,
} from '../../../shared/walk/transcript.ts'
import { missingText, verdictText } from '../../../shared/walk/verdict.ts'
import {
  costWords,
  markOf,
  outcomeCounts,
  PARTY_WORDS,
  stepsIn,
} from '../../../shared/walk/walk-words.ts'
import { signedAsText } from '../../../shared/web/signed-as.ts'
import { seenWithText } from '../../../shared/web/site-access.ts'
import { type Printable, printable, printableLines } from '../../../shared/web/text/printable.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { wrap } from '../terminal/wrap.ts'
import { pageStepText } from './page-text.ts'

const PURCHASE = '  '
const STEP = '    '
const MORE = '      '

/** The terminal's text for an event of a walk, as it arrives; null for nothing. */
export function eventText(event: WalkEvent, paint: Paint, width = 100): Printable | null {
  switch (event.event) {
    case 'route': {
      const { label, endpoint } = event.route
      return printableLines(['', printable`${paint('bold', label)}  ${paint('dim', endpoint)}`])
    }
    case 'browsed':
      return stepText(event.step, paint, width)
    case 'purchase':
      return printable`${PURCHASE}${paint('bold', nameOfIntent(event.intent))}  ${paint('dim', event.intent)}`
    case 'step':
      return stepText(event.step, paint, width)
    case 'purchased':
      return endText(event.purchase, paint, width)
    case 'page':
      return pageStepText(event.step, event.step.n)
    case 'pages':
    case 'ended':
      return null
  }
}

function stepText(step: WalkStep, paint: Paint, width: number): Printable {
  const { title, exchanges, failed, concluded } = step
  const ms = Math.round(exchanges.reduce((sum, exchange) => sum + exchange.ms, 0))
  const took = exchanges.length === 0 ? '' : ` ${ms} ms`
  if (failed === null) {
    const mark = markOf(step)
    const told = mark === '–' ? (concluded.at(-1)?.text ?? '') : ''
    return printableLines([
      printable`${STEP}${paint(mark === '–' ? 'dim' : 'green', mark)} ${title}${paint('dim', took)}`,
      ...(told === '' ? [] : wrap(told, MORE, width)),
    ])
  }
  const { expectation, party, expected, found, field, authority } = failed
  const said = [
    `Expected: ${expected}`,
    `Found: ${found}`,
    ...(field === null ? [] : [`Where: ${field}`]),
    `Turn: ${PARTY_WORDS[party]} (${authority})`,
    `To change: ${expectationOf(expectation).fix}`,
  ]
  return printableLines([
    printable`${STEP}${paint(['bold', 'red'], `✗ ${title}`)}${paint('dim', took)}`,
    ...said.flatMap((line) => wrap(line, MORE, width)),
  ])
}

/** How a purchase ended, if its steps do not say it, and what it leaves in the store. */
function endText(purchase: Purchase, paint: Paint, width: number): Printable | null {
  const { outcome, why, orders, left_open } = purchase
  const ended = why === null ? undefined : ENDED[outcome]
  const lines = [
    ...(ended === undefined ? [] : wrap(`${ended}: ${why}`, STEP, width)),
    ...orders.flatMap(({ id, url, cancelled }) => {
      const placed = `Order ${id} was placed${cancelled ? ', and cancelled again' : ''}`
      return wrap(url === null ? placed : `${placed}: ${url}`, STEP, width)
    }),
    ...left_open.flatMap(({ id, until, why: kept }) => {
      const end = until === null ? '' : ` It ends by itself: ${until}.`
      return wrap(`Checkout ${id} could not be cancelled: ${kept}.${end}`, STEP, width)
    }),
  ]
  return lines.length === 0 ? null : printableLines(lines.map((line) => paint('yellow', line)))
}

const ENDED: Partial<Record<Purchase['outcome'], string>> = {
  handed_over: '→ The buyer goes on in the store',
  not_walked: '– Not tried',
}

/** A walk that is over, like its progress. */
export function transcriptText(
  transcript: Transcript,
  paint: Paint = painter(false),
  width = 100,
): Printable {
  const events = transcript.routes.flatMap(({ browsing, purchases, ...route }): WalkEvent[] => [
    { event: 'route', route },
    ...browsing.map((step) => ({ event: 'browsed' as const, dialect: route.dialect, step })),
    ...purchases.flatMap((purchase): WalkEvent[] => {
      const { dialect, intent, steps } = purchase
      return [
        { event: 'purchase', dialect, intent },
        ...steps.map((step) => ({ event: 'step' as const, dialect, intent, step })),
        { event: 'purchased', purchase },
      ]
    }),
  ])
  return printableLines([
    ...events.flatMap((event) => eventText(event, paint, width) ?? []),
    walkSummary(transcript, paint, width),
  ])
}

/** The result of a walk: a line for each dialect. */
export function walkSummary(transcript: Transcript, paint: Paint, width = 100): Printable {
  const { domain, nothing, stopped, routes, elsewhere, seen_with } = transcript
  return printableLines([
    '',
    ...verdictText(transcript).flatMap((said) => wrap(said, '', width)),
    ...(seen_with ? wrap(seenWithText(seen_with), '', width) : []),
    ...routes.map((route) => routeText(route, paint)),
    ...missingText(transcript).flatMap((said) => wrap(said, '', width)),
    ...elsewhere.flatMap(({ label, why }) => wrap(`${label}: not walked. ${why}`, '', width)),
    ...(nothing === null
      ? []
      : wrap(`Nothing could be walked at ${domain}: ${nothing}`, '', width)),
    ...(stopped === null ? [] : wrap(`The walk ended early: ${stopped}`, '', width)),
  ])
}

function routeText(route: RouteWalk, paint: Paint): Printable {
  const counts = outcomeCounts(route)
  const signature = route.signature ? ` ${signedAsText(route.signature)}` : ''
  const isFine = stepsIn(route).every(({ failed }) => failed === null)
  return printable`${paint('bold', route.label)}: ${paint(isFine ? 'green' : 'red', counts)}. ${costWords(stepsIn(route))}.${signature}`
}

/** Every intent with its name, those that need a token separately. */
export const intentList = (paint: Paint): Printable => {
  const longest = Math.max(...INTENTS.map(({ id }) => id.length))
  return printableLines(
    INTENTS.map(
      ({ id, name, mode }) =>
        printable`${id.padEnd(longest)}  ${name}${mode === 'sandbox' ? paint('dim', ' (--mode sandbox)') : ''}`,
    ),
  )
}
