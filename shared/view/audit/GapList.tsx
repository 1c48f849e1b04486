import type { ComponentChildren, JSX } from 'preact'
import { splitNoProtocol } from '../../audit/gap/no-protocol.ts'
import { whoText } from '../../audit/gap/ticket.ts'
import type { Remedy } from '../../audit/platforms/remedy.ts'
import type { Gap } from '../../audit/result/result.ts'
import { worstFirst } from '../../audit/vocabulary.ts'
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
 * open at first. What a store without an agent protocol lacks stands together.
 */
export function GapList({
  gaps,
  empty,
  newTab = false,
  anchored = false,
}: GapListProps): JSX.Element {
  const sorted = gaps.toSorted(worstFirst)
  if (sorted.length === 0) return <p class="empty">{empty ?? 'No gaps found.'}</p>
  const split = splitNoProtocol(sorted)
  const rest = split?.rest ?? sorted
  const worst = rest[0]?.severity
  const item = (gap: GapView, open: boolean) => (
    <li key={`${gap.id} ${gap.origin ?? ''}`} {...(anchored && { id: `gap-${gap.id}` })}>
      <GapDetails gap={gap} open={open} newTab={newTab} />
    </li>
  )
  return (
    <ol class="gaps">
      {split !== null && (
        <li>
          <NoProtocol gaps={split.cause} newTab={newTab}>
            {split.cause.map((gap) => item(gap, false))}
          </NoProtocol>
        </li>
      )}
      {rest.map((gap) => item(gap, gap.severity === worst))}
    </ol>
  )
}

interface NoProtocolProps {
  gaps: readonly GapView[]
  newTab: boolean
  /** Each of the gaps. */
  children: ComponentChildren
}

/** Three gaps that are one decision, with what it takes on the store's platform. */
function NoProtocol({ gaps, newTab, children }: NoProtocolProps): JSX.Element {
  const remedy = gaps.find((gap) => gap.remedy !== undefined)?.remedy
  return (
    <details class="gap" open>
      <summary>
        <SeverityBadge severity="critical" />
        <h3 class="gap-label">The store speaks no agent protocol</h3>
        <span class="tag">{gaps.length} gaps</span>
      </summary>
      <div class="gap-body">
        <p>
          Agents that search and buy through a protocol, UCP or ACP, find nothing here. This is one
          decision: a manifest, a catalog and a checkout for agents come together, from the
          platform, a plugin or a developer. Most stores have none of them yet, and all else in this
          list can be closed without them.
        </p>
        {remedy !== undefined && <RemedyDetails {...remedy} newTab={newTab} />}
        <ol class="gaps">{children}</ol>
      </div>
    </details>
  )
}

interface GapDetailsProps {
  gap: GapView
  open: boolean
  newTab: boolean
}

const ORIGINS: Record<NonNullable<GapView['origin']>, string> = {
  page: 'Open page',
  server: 'Server',
  both: 'Page and server',
}

function GapDetails({ gap, open, newTab }: GapDetailsProps): JSX.Element {
  return (
    <details class="gap" open={open}>
      <summary>
        <SeverityBadge severity={gap.severity} />
        <h3 class="gap-label">{gap.label}</h3>
        <PointsTag points={gap.points} />
        {gap.origin !== undefined && <span class="tag">{ORIGINS[gap.origin]}</span>}
      </summary>
      <div class="gap-body">
        {gap.note !== undefined && <p class="gap-note">{gap.note}</p>}
        <HeldNote {...gap} />
        {gap.remedy !== undefined && <RemedyDetails {...gap.remedy} newTab={newTab} />}
        <p class="gap-part">{gap.remedy === undefined ? 'What to do' : 'On any platform'}</p>
        <p>{gap.fix}</p>
        <p class="gap-part">What was found</p>
        <p class="evidence">{gap.detail}</p>
        {gap.worth !== undefined && gap.worth.length > 0 && (
          <>
            <p class="gap-part">At stake</p>
            {gap.worth.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </>
        )}
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
          Read about this gap
        </a>
      )}
    </div>
  )
}
