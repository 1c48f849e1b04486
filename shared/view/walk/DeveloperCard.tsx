import type { JSX } from 'preact'
import type { GapLinks } from '../../audit/result/result.ts'
import { expectationOf } from '../../walk/expectations.ts'
import type { Transcript, Unmet } from '../../walk/transcript.ts'
import { gapIdOf, WHEN } from '../../walk/verdict.ts'
import { NEW_TAB } from '../Action.tsx'
import { safeHref } from '../audit/safe-href.ts'
import { CodeBlock } from '../CodeBlock.tsx'
import { Icon } from '../Icon.tsx'
import { purchaseAnchor } from './PurchaseDetails.tsx'
import { intentOf, purchaseLine } from './purchase-line.ts'
import { UnmetField } from './StepDetails.tsx'
import { StepLine } from './StepLine.tsx'
import type { WalkFault } from './walk-summary.ts'

interface DeveloperCardProps {
  fault: WalkFault
  transcript: Transcript
  links: GapLinks
  isLive: boolean
  newTab: boolean
  /** The address of the walk, for the text to forward. */
  address: string | null
  /** Copies the text to forward; without it there is no button. */
  onCopy?: ((text: string) => void) | undefined
}

/** One fault in words that a store owner can pass on. */
export function DeveloperCard(props: DeveloperCardProps): JSX.Element {
  const { fault, transcript, links, isLive, newTab, address, onCopy } = props
  const { unmet, step, purchase, route, purchases, labels } = fault
  const { fix, gaps } = expectationOf(unmet.expectation)
  const gap = gapIdOf(gaps, route.dialect)
  const docs = gap === null ? null : safeHref(links.docs(gap))
  const when = WHEN[step.step]
  const turn = TURNS[unmet.party]
  const others = purchases.length - 1
  const message = messageOf(fault, transcript.domain, docs, address)
  return (
    <section class="card walk-fault">
      <h3>
        <Icon shape="cross" />
        {purchase === null
          ? `No purchase began: it stopped ${when}`
          : `The purchase stopped ${when}`}
      </h3>
      {purchase !== null && (
        <StepLine stops={purchaseLine(purchase, route, transcript.mode, isLive)} />
      )}
      <dl class="walk-facts">
        {purchase !== null && (
          <>
            <dt>What the buyer wanted</dt>
            <dd>
              {intentOf(purchase.intent).name}.{' '}
              <a href={`#${purchaseAnchor(purchase)}`}>See every step</a>
              {others > 0 && (
                <span class="quiet">
                  {' '}
                  {others === 1
                    ? 'One other purchase stopped at the same fault.'
                    : `And ${others} other purchases stopped at the same fault.`}
                </span>
              )}
            </dd>
          </>
        )}
        <dt>What should happen</dt>
        <dd class="wild">{unmet.expected}</dd>
        <dt>What happened instead</dt>
        <dd class="wild">
          <strong>
            <bdi>{unmet.found}</bdi>
          </strong>{' '}
          <UnmetField unmet={unmet} />
        </dd>
        <dt>Whose turn it is</dt>
        <dd>
          <strong>{turn.of}.</strong> {turn.why}
        </dd>
        <dt>What to change</dt>
        <dd>
          <strong>{fix}</strong>{' '}
          {docs !== null && (
            <a href={docs} {...(newTab ? NEW_TAB : {})}>
              Read about this gap
            </a>
          )}
        </dd>
        <dt>The rule</dt>
        <dd class="wild">{unmet.authority}</dd>
        <dt>Seen over</dt>
        <dd class="wild">{labels.join('; ')}</dd>
      </dl>
      <details class="walk-message">
        <summary>All of it as text, to send on</summary>
        <CodeBlock
          label="For your developer"
          code={message}
          onCopy={onCopy === undefined ? undefined : () => onCopy(message)}
        />
      </details>
    </section>
  )
}

const TURNS: Record<Unmet['party'], { of: string; why: string }> = {
  store: { of: 'Your store', why: 'The fault is in your store, and your developer can fix it.' },
  agent: {
    of: 'The agent',
    why: 'Your store did not let this agent in, or could not use what it sent. Other agents may fare better.',
  },
  buyer: { of: 'The buyer', why: 'A person has to act before it goes on.' },
  network: {
    of: 'The network',
    why: 'No answer came in time. It may be your hosting, a firewall, or bad luck.',
  },
}

/** The card as text, with the request that went wrong. */
function messageOf(
  { unmet, step, labels }: WalkFault,
  domain: string,
  docs: string | null,
  address: string | null,
): string {
  const last = step.exchanges.at(-1)
  const field = unmet.field === null ? '' : ` (${`in ${unmet.field}`})`
  const part = (name: string, said: string) => `${name}: ${said}`
  return [
    `A purchase by an AI agent at ${domain} stopped ${WHEN[step.step]}.`,
    '',
    part('What should happen', unmet.expected),
    part('What happened instead', `${unmet.found}${field}`),
    part('What to change', expectationOf(unmet.expectation).fix),
    part('The rule', unmet.authority),
    part('Seen over', labels.join('; ')),
    ...(last === undefined
      ? []
      : [
          `Request: ${last.request.method} ${last.request.url}`,
          last.answer === null ? 'No answer came.' : `Answer: status ${last.answer.status}`,
        ]),
    ...[docs, address].filter((link) => link !== null).map((link) => `More: ${link}`),
  ].join('\n')
}
