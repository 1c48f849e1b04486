import { codeBlock, codeSpan, isInertLink, plainMarkdown } from '../../web/text/inert-markdown.ts'
import { expectationOf, type Party } from '../expectations.ts'
import { nameOfIntent } from '../intents.ts'
import type { Exchange, Purchase, RouteWalk, Transcript, WalkStep } from '../transcript.ts'
import { missingText, verdictText } from '../verdict.ts'
import { costWords, markOf, outcomeCounts, PARTY_WORDS, stepsIn, unmetStep } from '../walk-words.ts'

/** Steps that end without a result, and the purchases that they stopped. */
interface Failure {
  route: RouteWalk
  /** Null: in the catalog, before any purchase. */
  purchase: Purchase | null
  steps: readonly WalkStep[]
  failing: NonNullable<ReturnType<typeof unmetStep>>
  /** Other purchases of the same route that the same fault stopped. */
  others: Purchase[]
}

const FIRST: readonly Party[] = ['store', 'agent', 'network', 'buyer']

/** Characters of a body that are quoted as evidence: tickets have a limit. */
const MAX_EVIDENCE = 4_000

/**
 * A walk for a ticket: first what failed, with its steps, who must act, what to change and the
 * evidence; the rest in a line each. The store's own texts are escaped.
 */
export function transcriptMarkdown(transcript: Transcript): string {
  const failures = transcript.routes
    .flatMap(failuresOf)
    .sort((one, other) => rankOf(one) - rankOf(other))
  return [
    `# Purchases by AI agents at ${codeSpan(transcript.domain)}`,
    summary(transcript),
    ...failures.flatMap(failureSection),
    ...leftovers(transcript.routes),
    ...restOf(transcript.routes),
  ]
    .join('\n\n')
    .concat('\n')
}

const rankOf = ({ failing }: Failure): number => FIRST.indexOf(failing.failed.party)

function summary(transcript: Transcript): string {
  const { mode, started_at, stopped, nothing, routes, elsewhere } = transcript
  const paid = mode === 'look' ? 'Nothing was paid.' : 'Paid with a test token.'
  return [
    ...verdictText(transcript).map((said) => `- ${plainMarkdown(said)}`),
    `- Walked ${plainMarkdown(started_at)}. ${paid}`,
    ...(nothing === null ? [] : [`- Nothing could be walked: ${plainMarkdown(nothing)}`]),
    ...(stopped === null ? [] : [`- The walk ended early: ${plainMarkdown(stopped)}`]),
    ...routes.map(
      (route) =>
        `- ${plainMarkdown(route.label)}: ${outcomeCounts(route)}; an agent reads and writes ${costWords(stepsIn(route))}`,
    ),
    ...missingText(transcript).map((said) => `- ${plainMarkdown(said)}`),
    ...elsewhere.map(
      ({ label, why }) => `- ${plainMarkdown(label)}: not walked. ${plainMarkdown(why)}`,
    ),
  ].join('\n')
}

/** Each fault of a route once. */
function failuresOf(route: RouteWalk): Failure[] {
  const failures = new Map<string, Failure>()
  const add = (purchase: Purchase | null, steps: readonly WalkStep[]) => {
    const failing = unmetStep(steps)
    if (failing === null) return
    const { expectation, found, party } = failing.failed
    const key = JSON.stringify([expectation, party, found])
    const known = failures.get(key)
    if (known === undefined) failures.set(key, { route, purchase, steps, failing, others: [] })
    else if (purchase !== null) known.others.push(purchase)
  }
  add(null, route.browsing)
  for (const purchase of route.purchases) add(purchase, purchase.steps)
  return [...failures.values()]
}

function failureSection({ route, purchase, steps, failing, others }: Failure): string[] {
  const { failed } = failing
  const wish = purchase === null ? 'Find something to buy' : nameOfIntent(purchase.intent)
  return [
    `## Failed: ${plainMarkdown(wish)} (${plainMarkdown(route.label)})`,
    [
      `- **Turn:** ${PARTY_WORDS[failed.party]}`,
      `- **Stopped at:** step ${failing.n}, ${plainMarkdown(failing.title)}`,
      `- **Expected:** ${plainMarkdown(failed.expected)}`,
      `- **Found:** ${codeSpan(failed.found)}`,
      ...(failed.field === null ? [] : [`- **Where:** ${codeSpan(failed.field)}`]),
      `- **Rule:** ${plainMarkdown(failed.authority)}`,
      `- **What to change:** ${plainMarkdown(expectationOf(failed.expectation).fix)}`,
      ...(others.length === 0
        ? []
        : [
            `- **The same fault stopped:** ${others.map(({ intent }) => plainMarkdown(nameOfIntent(intent))).join('; ')}`,
          ]),
    ].join('\n'),
    'Steps:',
    steps.map(stepLine).join('\n'),
    ...evidenceOf(steps.filter(({ n }) => n <= failing.n)),
  ]
}

const stepLine = (step: WalkStep): string => {
  const { n, title, exchanges } = step
  const ms = exchanges.reduce((sum, exchange) => sum + exchange.ms, 0)
  return `${n}. ${markOf(step)} ${plainMarkdown(title)}${exchanges.length === 0 ? '' : ` (${Math.round(ms)} ms)`}`
}

/** The last answer before the fault: a step may find one without a request. */
function evidenceOf(steps: readonly WalkStep[]): string[] {
  const exchange: Exchange | undefined = steps.flatMap(({ exchanges }) => exchanges).at(-1)
  if (exchange === undefined) return []
  const { request, answer, failure } = exchange
  return [
    'Request:',
    codeBlock([`${request.method} ${request.url}`, ...bodyLines(request.body, false)].join('\n')),
    ...(answer === null
      ? [`No answer: ${codeSpan(failure ?? 'none came')}`]
      : [
          `Answer: ${answer.status}`,
          ...(answer.body === ''
            ? []
            : [codeBlock(bodyLines(answer.body, answer.cut).slice(1).join('\n'))]),
        ]),
  ]
}

/** An empty line, and the quoted part of the body. */
function bodyLines(body: string | null, isCut: boolean): string[] {
  if (body === null || body === '') return []
  const shown = body.slice(0, MAX_EVIDENCE)
  return ['', shown, ...(isCut || body.length > shown.length ? ['… (cut)'] : [])]
}

/** Orders and checkouts that are still in the store and need attention. */
function leftovers(routes: readonly RouteWalk[]): string[] {
  const purchases = routes.flatMap((route) => route.purchases)
  const lines = [
    ...purchases
      .flatMap(({ orders }) => orders)
      .map(
        ({ id, url, cancelled }) =>
          `- Order ${codeSpan(id)}${isInertLink(url) ? ` <${url}>` : ''}: ${
            cancelled
              ? 'cancelled by the store; check that it is refunded.'
              : 'cancel and refund it.'
          }`,
      ),
    ...purchases
      .flatMap(({ left_open }) => left_open)
      .map(({ id, until, why }) => {
        const end = until === null ? '' : ` It ends by itself: ${plainMarkdown(until)}.`
        return `- Checkout ${codeSpan(id)} could not be cancelled: ${codeSpan(why)}.${end}`
      }),
  ]
  return lines.length === 0 ? [] : ['## Left in the store', lines.join('\n')]
}

function restOf(routes: readonly RouteWalk[]): string[] {
  const lines = routes.flatMap(({ label, purchases }) =>
    purchases
      .filter(({ outcome }) => outcome !== 'failed')
      .map(({ outcome, intent, why }) => {
        const reason = why === null ? '' : `: ${plainMarkdown(why)}`
        return `- ${REST[outcome]}: ${plainMarkdown(nameOfIntent(intent))} (${plainMarkdown(label)})${reason}`
      }),
  )
  return lines.length === 0 ? [] : ['## Everything else', lines.join('\n')]
}

const REST: Record<Purchase['outcome'], string> = {
  passed: 'Passed',
  failed: 'Failed',
  handed_over: 'Handed to the buyer',
  not_walked: 'Not tried',
  under_way: 'Under way',
}
