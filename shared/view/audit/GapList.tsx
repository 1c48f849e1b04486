import type { JSX } from 'preact'
import type { Remedy } from '../../audit/platforms/remedy.ts'
import type { Gap } from '../../audit/result/result.ts'
import { worstFirst } from '../../audit/vocabulary.ts'
import { Action, NEW_TAB } from '../Action.tsx'
import { CodeBlock } from '../CodeBlock.tsx'
import { useLanguage } from '../language.ts'
import { HeldNote, PointsTag, SeverityBadge } from './Severity.tsx'
import { safeHref } from './safe-href.ts'

export interface GapView extends Gap {
  /** Who found it, if both page and server were audited. */
  origin?: 'page' | 'server' | 'both' | undefined
  /** One more sentence, such as why page and server disagree. */
  note?: string | undefined
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

interface GapListProps {
  gaps: readonly GapView[]
  /** The text for an empty list. */
  empty?: string | undefined
  newTab?: boolean | undefined
  /** Each is a link target, as `#gap-<id>`. */
  anchored?: boolean | undefined
}

/**
 * Gaps worst first, each with its evidence, what to do and where. Those of the worst severity are
 * open at first.
 */
export function GapList({
  gaps,
  empty,
  newTab = false,
  anchored = false,
}: GapListProps): JSX.Element {
  const { text } = useLanguage()
  const sorted = gaps.toSorted(worstFirst)
  const worst = sorted[0]?.severity
  if (sorted.length === 0) return <p class="empty">{empty ?? text('gaps_none')}</p>
  return (
    <ol class="gaps">
      {sorted.map((gap) => (
        <li key={`${gap.id} ${gap.origin ?? ''}`} {...(anchored && { id: `gap-${gap.id}` })}>
          <GapDetails gap={gap} open={gap.severity === worst} newTab={newTab} />
        </li>
      ))}
    </ol>
  )
}

interface GapDetailsProps {
  gap: GapView
  open: boolean
  newTab: boolean
}

function GapDetails({ gap, open, newTab }: GapDetailsProps): JSX.Element {
  const { text } = useLanguage()
  return (
    <details class="gap" open={open}>
      <summary>
        <SeverityBadge severity={gap.severity} />
        <h3 class="gap-label">{gap.label}</h3>
        <PointsTag points={gap.points} />
        {gap.origin !== undefined && <span class="tag">{text(`origin_${gap.origin}`)}</span>}
      </summary>
      <div class="gap-body">
        {gap.note !== undefined && <p class="gap-note">{gap.note}</p>}
        <HeldNote {...gap} />
        {gap.remedy !== undefined && <RemedyDetails {...gap.remedy} newTab={newTab} />}
        <p class="gap-part">{text(gap.remedy === undefined ? 'gap_fix' : 'gap_fix_anywhere')}</p>
        <p>{gap.fix}</p>
        <p class="gap-part">{text('gap_evidence')}</p>
        <p class="evidence">{gap.detail}</p>
        <GapActions gap={gap} newTab={newTab} />
        {gap.ticket !== undefined && (
          <Ticket markdown={gap.ticket} onCopy={gap.onCopyTicket} copied={gap.ticketCopied} />
        )}
      </div>
    </details>
  )
}

/** What to do on one platform, by whom and in what time. With `level`, its name is a heading. */
export function RemedyDetails({
  name,
  remedy,
  level,
  newTab = false,
}: NonNullable<GapView['remedy']> & { level?: 3; newTab?: boolean }): JSX.Element {
  const { text } = useLanguage()
  const { steps, who, effort, source } = remedy
  return (
    <>
      {level === undefined ? (
        <p class="gap-part">{text('gap_fix_on', name)}</p>
      ) : (
        <h3>{text('gap_fix_on', name)}</h3>
      )}
      <p>
        {steps}{' '}
        <a href={source} {...(newTab ? NEW_TAB : {})}>
          {text('gap_fix_source', new URL(source).hostname)}
        </a>
      </p>
      <p class="quiet">{text('gap_who', text(`who_${who}`), text(`effort_${effort}`))}</p>
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
  const { text } = useLanguage()
  return (
    <div class="ticket no-print">
      {onCopy !== undefined && (
        <Action label={text(copied ? 'copied' : 'gap_ticket_copy')} onAct={onCopy} />
      )}
      <details>
        <summary>{text('gap_ticket')}</summary>
        <CodeBlock label="Markdown" code={markdown} />
      </details>
    </div>
  )
}

function GapActions({ gap, newTab }: { gap: GapView; newTab: boolean }): JSX.Element {
  const { text } = useLanguage()
  const fix = safeHref(gap.fix_url)
  const docs = safeHref(gap.docs_url)
  return (
    <div class="actions">
      {fix !== null && <Action label={text('gap_fix_link')} href={fix} newTab={newTab} primary />}
      {gap.onShow !== undefined && <Action label={text('gap_show')} onAct={gap.onShow} />}
      {gap.onCopy !== undefined && (
        <Action label={text(gap.copied ? 'copied' : 'gap_copy')} onAct={gap.onCopy} />
      )}
      {docs !== null && (
        <a class="gap-docs" href={docs} {...(newTab ? NEW_TAB : {})}>
          {text('gap_docs_link')}
        </a>
      )}
    </div>
  )
}
