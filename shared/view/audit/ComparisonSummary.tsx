import type { JSX } from 'preact'
import type { Gap } from '../../audit/result.ts'
import { Icon } from '../Icon.tsx'
import { useLanguage } from '../language.ts'
import { SeverityBadge, worstFirst } from './Severity.tsx'

export type ComparedGap = Pick<Gap, 'id' | 'label' | 'severity'>

export interface ComparisonSummaryProps {
  /** Points won or lost since the audit before; null where the two cannot be compared. */
  change: number | null
  fixed: readonly ComparedGap[]
  /** Gaps that the audit before did not have. */
  fresh: readonly ComparedGap[]
  remaining: readonly ComparedGap[]
}

/** What became of the gaps since the audit before. */
export function ComparisonSummary(props: ComparisonSummaryProps): JSX.Element {
  const { change, fixed, fresh, remaining } = props
  const { text } = useLanguage()
  return (
    <section class="card comparison">
      <h2>{text('compared')}</h2>
      {change !== null && <ScoreChange change={change} />}
      <ComparedList title={text('fresh', fresh.length)} gaps={fresh} open />
      <ComparedList title={text('fixed', fixed.length)} gaps={fixed} open />
      <ComparedList title={text('remaining', remaining.length)} gaps={remaining} />
    </section>
  )
}

function ScoreChange({ change }: { change: number }): JSX.Element {
  const { text } = useLanguage()
  const way = change === 0 ? 'same' : change > 0 ? 'up' : 'down'
  const tone = { up: 'is-good', down: 'is-bad', same: '' }[way]
  return (
    <p class={`change ${tone}`}>
      <Icon shape={way === 'same' ? 'level' : way} />
      {text(`compared_${way}`, Math.abs(change))}
    </p>
  )
}

interface ComparedListProps {
  title: string
  gaps: readonly ComparedGap[]
  open?: boolean
}

function ComparedList({ title, gaps, open = false }: ComparedListProps): JSX.Element | null {
  if (gaps.length === 0) return null
  return (
    <details class="verdicts" open={open}>
      <summary>{title}</summary>
      <ul>
        {worstFirst(gaps).map(({ id, label, severity }) => (
          <li key={id}>
            <SeverityBadge severity={severity} />
            <span>{label}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
