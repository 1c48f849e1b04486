import type { ComponentChildren, JSX } from 'preact'
import { termsIn } from '../../audit/gap/terms.ts'
import { whoText } from '../../audit/gap/ticket.ts'
import type { Remedy } from '../../audit/platforms/remedy.ts'
import type { Gap } from '../../audit/result/result.ts'
import { Action, NEW_TAB } from '../Action.tsx'
import { CodeBlock } from '../CodeBlock.tsx'
import { HeldNote, PointsTag, SeverityBadge } from './Severity.tsx'
import { safeHref } from './safe-href.ts'

export interface GapView extends Gap {
  /** Who found it, if both page and server were audited. */
  origin?: 'page' | 'server' | 'both' | undefined
  /** One more sentence, such as why page and server disagree. */
  note?: string | undefined
  /** What AI brought to the places that it is on, as sentences. */
  worth?: readonly string[] | undefined
  /** See `holdsAt`. */
  holds_at?: number | null | undefined
  onShow?: (() => void) | undefined
  onCopy?: (() => void) | undefined
  /** Whether `onCopy` has just been done. */
  copied?: boolean | undefined
  /** What to do on the platform of this name. */
  remedy?: { name: string; remedy: Remedy } | undefined
  /** The gap as a ticket, in Markdown. */
  ticket?: string | undefined
  onCopyTicket?: (() => void) | undefined
  /** Whether `onCopyTicket` has just been done. */
  ticketCopied?: boolean | undefined
}

interface GapDetailsProps {
  gap: GapView
  newTab: boolean
  anchored: boolean
  /** One of those to close first: open, with its part of the sum, and its evidence folded. */
  step?: { before: number; after: number } | undefined
  /** The words of the trade that it explains. */
  terms: ReturnType<typeof termsIn>
}

const ORIGINS: Record<NonNullable<GapView['origin']>, string> = {
  page: 'Open page',
  server: 'Server',
  both: 'Page and server',
}

/** A gap: what to do, on the store's platform where it is known, and what was found. */
export function GapDetails({ gap, newTab, anchored, step, terms }: GapDetailsProps): JSX.Element {
  const { remedy, worth = [] } = gap
  return (
    <details class="gap" open={step !== undefined}>
      <summary>
        <SeverityBadge severity={gap.severity} />
        <h3 class="gap-label">{gap.label}</h3>
        {step === undefined ? (
          <PointsTag points={gap.points} />
        ) : (
          <span class="tag" title="The score before and after, at least.">
            {step.before} → {step.after}
          </span>
        )}
        {gap.origin !== undefined && <span class="tag">{ORIGINS[gap.origin]}</span>}
      </summary>
      {/* Inside: a link to it opens what it is folded in. */}
      <div class="gap-body" {...(anchored && { id: `gap-${gap.id}` })}>
        {gap.note !== undefined && <p class="gap-note">{gap.note}</p>}
        {step === undefined && <HeldNote {...gap} />}
        {remedy === undefined ? <p>{gap.fix}</p> : <RemedyDetails {...remedy} newTab={newTab} />}
        <Terms terms={terms} />
        {worth.length > 0 && (
          <>
            <p class="gap-part">At stake</p>
            {worth.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </>
        )}
        <GapActions gap={gap} newTab={newTab} />
        <Evidence isFolded={step !== undefined} hasTicket={gap.ticket !== undefined}>
          <p class="evidence">{gap.detail}</p>
          {remedy !== undefined && (
            <>
              <p class="gap-part">On any platform</p>
              <p>{gap.fix}</p>
            </>
          )}
          {gap.ticket !== undefined && (
            <Ticket markdown={gap.ticket} onCopy={gap.onCopyTicket} copied={gap.ticketCopied} />
          )}
        </Evidence>
      </div>
    </details>
  )
}

/** The words of the trade in what a gap says. */
export const termsOf = ({ label, fix }: GapView): ReturnType<typeof termsIn> =>
  termsIn(`${label} ${fix}`)

function Terms({ terms }: Pick<GapDetailsProps, 'terms'>): JSX.Element | null {
  if (terms.length === 0) return null
  return (
    <ul class="terms" aria-label="Words">
      {terms.map(({ word, means }) => (
        <li key={word}>
          <strong>{word}</strong>: {means}.
        </li>
      ))}
    </ul>
  )
}

interface EvidenceProps {
  isFolded: boolean
  hasTicket: boolean
  children: ComponentChildren
}

function Evidence({ isFolded, hasTicket, children }: EvidenceProps): JSX.Element {
  if (isFolded) {
    return (
      <details class="found">
        <summary>What was found{hasTicket && ', and a ticket'}</summary>
        {children}
      </details>
    )
  }
  return (
    <>
      <p class="gap-part">What was found</p>
      {children}
    </>
  )
}

/** What to do on one platform, by whom and in what time. With `level`, its name is a heading. */
export function RemedyDetails({
  name,
  remedy,
  level,
  newTab = false,
}: NonNullable<GapView['remedy']> & { level?: 3; newTab?: boolean }): JSX.Element {
  const { steps, source } = remedy
  return (
    <>
      {level === undefined ? (
        <p class="gap-part">What to do on {name}</p>
      ) : (
        <h3>What to do on {name}</h3>
      )}
      <p>
        {steps}{' '}
        <a href={source} {...(newTab ? NEW_TAB : {})}>
          Read more at {new URL(source).hostname}
        </a>
      </p>
      <p class="quiet">{whoText(remedy)}</p>
    </>
  )
}

interface TicketProps {
  markdown: string
  onCopy?: (() => void) | undefined
  /** Whether `onCopy` has just been done. */
  copied?: boolean | undefined
}

/** A text to copy into a tracker; without `onCopy`, a script may add a button. */
export function Ticket({ markdown, onCopy, copied = false }: TicketProps): JSX.Element {
  return (
    <div class="ticket no-print">
      {onCopy !== undefined && (
        <Action label={copied ? 'Copied' : 'Copy as Markdown'} onAct={onCopy} />
      )}
      <details>
        <summary>Ticket as Markdown</summary>
        <CodeBlock label="Markdown" code={markdown} />
      </details>
    </div>
  )
}

function GapActions({ gap, newTab }: { gap: GapView; newTab: boolean }): JSX.Element {
  const fix = safeHref(gap.fix_url)
  const docs = safeHref(gap.docs_url)
  return (
    <div class="actions">
      {fix !== null && <Action label="Fix it" href={fix} newTab={newTab} primary />}
      {gap.onShow !== undefined && <Action label="Show on page" onAct={gap.onShow} />}
      {gap.onCopy !== undefined && (
        <Action label={gap.copied ? 'Copied' : 'Copy the fix'} onAct={gap.onCopy} />
      )}
      {docs !== null && (
        <a class="gap-docs" href={docs} {...(newTab ? NEW_TAB : {})}>
          Read about this gap<span class="sr-only">: {gap.label}</span>
        </a>
      )}
    </div>
  )
}
