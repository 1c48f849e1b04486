import type { JSX } from 'preact'
import type { AuditResult } from '../../audit/result/result.ts'
import { CATEGORIES } from '../../audit/score.ts'
import { Bar } from '../Bar.tsx'
import { useLanguage } from '../language.ts'

interface BreakdownProps {
  breakdown: AuditResult['breakdown']
  coverage?: AuditResult['coverage']
}

/** The score of each area. An area without judged rules says so. */
export function Breakdown({ breakdown, coverage }: BreakdownProps): JSX.Element {
  const { text } = useLanguage()
  return (
    <ul class="breakdown" aria-label={text('breakdown')}>
      {CATEGORIES.map((category) => {
        const part = breakdown[category]
        const judged = coverage?.breakdown[category]
        return (
          <li
            key={category}
            class={part === undefined ? 'is-unknown' : undefined}
            title={judged && text('coverage', judged.judged, judged.applicable)}
          >
            <span class="breakdown-name">{text(category)}</span>
            <span class="breakdown-value">{part ?? text('not_judged')}</span>
            <Bar part={(part ?? 0) / 100} tone={toneOf(part ?? 0)} />
          </li>
        )
      })}
    </ul>
  )
}

const toneOf = (part: number) => (part >= 80 ? 'a' : part >= 60 ? 'b' : part >= 40 ? 'c' : 'd')
