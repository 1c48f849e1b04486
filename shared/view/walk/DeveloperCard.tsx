import type { JSX } from 'preact'
import type { GapLinks } from '../../audit/result/result.ts'
import { expectationOf } from '../../walk/expectations.ts'
import type { Transcript } from '../../walk/transcript.ts'
import { NEW_TAB } from '../Action.tsx'
import { safeHref } from '../audit/safe-href.ts'
import { CodeBlock } from '../CodeBlock.tsx'
import { Icon } from '../Icon.tsx'
import { type Language, useLanguage } from '../language.ts'
import { purchaseAnchor } from './PurchaseDetails.tsx'
import { intentOf, purchaseLine } from './purchase-line.ts'
import { UnmetField } from './StepDetails.tsx'
import { StepLine } from './StepLine.tsx'
import { gapIdOf, type WalkFault } from './walk-summary.ts'

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
  const language = useLanguage()
  const { text } = language
  const { unmet, step, purchase, route, purchases, labels } = fault
  const { fix, gaps } = expectationOf(unmet.expectation)
  const gap = gapIdOf(gaps, route.dialect)
  const docs = gap === null ? null : safeHref(links.docs(gap))
  const when = text(`walk_when_${step.step}`)
  const others = purchases.length - 1
  const message = messageOf(fault, transcript.domain, docs, address, language)
  return (
    <section class="card walk-fault">
      <h3>
        <Icon shape="cross" />
        {text(purchase === null ? 'walk_fault_browsing' : 'walk_fault_at', when)}
      </h3>
      {purchase !== null && (
        <StepLine stops={purchaseLine(purchase, route, transcript.mode, isLive)} />
      )}
      <dl class="walk-facts">
        {purchase !== null && (
          <>
            <dt>{text('walk_wanted')}</dt>
            <dd>
              {intentOf(purchase.intent).name}.{' '}
              <a href={`#${purchaseAnchor(purchase)}`}>{text('walk_all_steps')}</a>
              {others > 0 && (
                <span class="quiet">
                  {' '}
                  {others === 1 ? text('walk_fault_more_one') : text('walk_fault_more', others)}
                </span>
              )}
            </dd>
          </>
        )}
        <dt>{text('walk_expected')}</dt>
        <dd class="wild">{unmet.expected}</dd>
        <dt>{text('walk_found')}</dt>
        <dd class="wild">
          <strong>
            <bdi>{unmet.found}</bdi>
          </strong>{' '}
          <UnmetField unmet={unmet} />
        </dd>
        <dt>{text('walk_turn')}</dt>
        <dd>
          <strong>{text(`walk_turn_${unmet.party}`)}.</strong>{' '}
          {text(`walk_turn_${unmet.party}_why`)}
        </dd>
        <dt>{text('walk_change')}</dt>
        <dd>
          <strong>{fix}</strong>{' '}
          {docs !== null && (
            <a href={docs} {...(newTab ? NEW_TAB : {})}>
              {text('gap_docs_link')}
            </a>
          )}
        </dd>
        <dt>{text('walk_rule')}</dt>
        <dd class="wild">{unmet.authority}</dd>
        <dt>{text('walk_over')}</dt>
        <dd class="wild">{labels.join('; ')}</dd>
      </dl>
      <details class="walk-message">
        <summary>{text('walk_message')}</summary>
        <CodeBlock
          label={text('walk_message_label')}
          code={message}
          onCopy={onCopy === undefined ? undefined : () => onCopy(message)}
        />
      </details>
    </section>
  )
}

/** The card as text, with the request that went wrong. */
function messageOf(
  { unmet, step, labels }: WalkFault,
  domain: string,
  docs: string | null,
  address: string | null,
  { text }: Language,
): string {
  const last = step.exchanges.at(-1)
  const field = unmet.field === null ? '' : ` (${text('walk_field', unmet.field)})`
  const part = (name: string, said: string) => `${name}: ${said}`
  return [
    text('walk_message_head', domain, text(`walk_when_${step.step}`)),
    '',
    part(text('walk_expected'), unmet.expected),
    part(text('walk_found'), `${unmet.found}${field}`),
    part(text('walk_change'), expectationOf(unmet.expectation).fix),
    part(text('walk_rule'), unmet.authority),
    part(text('walk_over'), labels.join('; ')),
    ...(last === undefined
      ? []
      : [
          text('walk_message_call', `${last.request.method} ${last.request.url}`),
          last.answer === null
            ? text('walk_no_answer_bare')
            : text('walk_message_status', last.answer.status),
        ]),
    ...[docs, address]
      .filter((link) => link !== null)
      .map((link) => text('walk_message_more', link)),
  ].join('\n')
}
