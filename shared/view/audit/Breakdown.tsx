import type { JSX } from 'preact'
import type { AuditResult } from '../../audit/result/result.ts'
import { CATEGORIES } from '../../audit/score.ts'
import { capital } from '../../web/text/capital.ts'
import { Bar } from '../Bar.tsx'

interface BreakdownProps {
  breakdown: AuditResult['breakdown']
  coverage?: AuditResult['coverage']
}

/** The score of each area. An area without judged rules says so. */
export function Breakdown({ breakdown, coverage }: BreakdownProps): JSX.Element {
  return (
    <ul class="breakdown" aria-label="Score by area">
      {CATEGORIES.map((category) => {
        const part = breakdown[category]
        const judged = coverage?.breakdown[category]
        return (
          <li
            key={category}
            class={part === undefined ? 'is-unknown' : undefined}
            title={judged && `Judged ${judged.judged} of ${judged.applicable} rules`}
          >
            <span class="breakdown-name">{capital(category)}</span>
            <span class="breakdown-value">{part ?? 'not judged'}</span>
            <Bar part={(part ?? 0) / 100} tone={toneOf(part ?? 0)} />
          </li>
        )
      })}
    </ul>
  )
}

const toneOf = (part: number) => (part >= 80 ? 'a' : part >= 60 ? 'b' : part >= 40 ? 'c' : 'd')
