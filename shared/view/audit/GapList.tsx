import type { ComponentChildren, JSX } from 'preact'
import { firstSteps } from '../../audit/gap/first-steps.ts'
import { NO_PROTOCOL, splitNoProtocol } from '../../audit/gap/no-protocol.ts'
import type { AuditResult } from '../../audit/result/result.ts'
import { type CheckName, worstFirst } from '../../audit/vocabulary.ts'
import { GapDetails, type GapView, RemedyDetails, termsOf } from './GapDetails.tsx'
import { SeverityBadge, SeverityCounts } from './Severity.tsx'
import { SUBJECTS } from './subjects.ts'

interface GapListProps {
  result: Pick<AuditResult, 'score' | 'first_steps' | 'platform'>
  /** Those of the result, and perhaps more. */
  gaps: readonly GapView[]
  /** The text for an empty list. */
  empty?: string | undefined
  newTab?: boolean | undefined
  /** Each is a link target, as `#gap-<id>`. */
  anchored?: boolean | undefined
  /** Below the title. */
  children?: ComponentChildren
}

/**
 * What to fix first and what that brings, then the rest by what it is about, worst first and
 * folded. What a store without an agent protocol lacks stands together.
 */
export function GapList({
  result,
  gaps,
  empty,
  newTab = false,
  anchored = false,
  children,
}: GapListProps): JSX.Element {
  const { platform } = result
  const split = splitNoProtocol(gaps)
  const apart = split?.rest ?? gaps
  const steps = firstSteps(result, apart)
  const rest = apart.filter((gap) => !steps.some((step) => step.gap === gap)).toSorted(worstFirst)
  // Steps stand open one below the other: a word is explained once.
  const explained = new Set<string>()
  const item = (gap: GapView, step?: { before: number; after: number }) => {
    const terms = termsOf(gap).filter(({ word }) => !explained.has(word))
    if (step !== undefined) for (const { word } of terms) explained.add(word)
    return (
      <li key={`${gap.id} ${gap.origin ?? ''}`}>
        <GapDetails
          {...{ gap, newTab, anchored, step }}
          terms={step === undefined ? termsOf(gap) : terms}
        />
      </li>
    )
  }
  const [first, last] = [steps[0], steps.at(-1)]
  return (
    <>
      <h2>
        {first === undefined || last === undefined
          ? 'To fix'
          : `Fix first: ${first.before} → ${last.after}`}
      </h2>
      {platform !== undefined && (
        <p class="quiet">
          This store runs on {platform.name}, recognised by {platform.seen_by.join(', ')}.
        </p>
      )}
      {children}
      {gaps.length === 0 && <p class="empty">{empty ?? 'No gaps found.'}</p>}
      {steps.length > 0 && <ol class="gaps">{steps.map(({ gap, ...step }) => item(gap, step))}</ol>}
      {(split !== null || rest.length > 0) && (
        <>
          {steps.length > 0 && <h2>Then, by what it is about</h2>}
          <ol class="gaps">
            {split !== null && (
              <li>
                <NoProtocol gaps={split.cause} newTab={newTab}>
                  {split.cause.map((gap) => item(gap))}
                </NoProtocol>
              </li>
            )}
            {[...Map.groupBy(rest, ({ check }) => check)].map(([check, about]) => (
              <li key={check}>
                <SubjectGaps check={check} gaps={about}>
                  {about.map((gap) => item(gap))}
                </SubjectGaps>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}

interface SubjectGapsProps {
  check: CheckName
  gaps: readonly GapView[]
  /** Each of the gaps. */
  children: ComponentChildren
}

function SubjectGaps({ check, gaps, children }: SubjectGapsProps): JSX.Element {
  const { name, about } = SUBJECTS[check]
  return (
    <details class="gap">
      <summary>
        <h3 class="gap-label">{name}</h3>
        <SeverityCounts gaps={gaps} />
      </summary>
      <div class="gap-body">
        <p>{about}</p>
        <ol class="gaps">{children}</ol>
      </div>
    </details>
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
        <h3 class="gap-label">{NO_PROTOCOL.title}</h3>
        <span class="tag">{gaps.length} gaps</span>
      </summary>
      <div class="gap-body">
        <p>{NO_PROTOCOL.about}</p>
        {remedy !== undefined && <RemedyDetails {...remedy} newTab={newTab} />}
        <ol class="gaps">{children}</ol>
      </div>
    </details>
  )
}
