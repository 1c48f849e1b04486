import type { JSX } from 'preact'
import { type FixChange, fixLines } from '../../../../shared/attribution/worth/words.ts'

/** What changed after the latest fixes, each number with its interval. */
export const FixesPanel = ({ fixes }: { fixes: readonly FixChange[] }): JSX.Element => (
  <section class="card">
    <h2>After a fix</h2>
    {fixes.map((fix) => {
      const [what, ...changes] = fixLines(fix)
      return (
        <div key={`${fix.gone} ${fix.labels[0]}`}>
          <h3>{what}</h3>
          {changes.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )
    })}
  </section>
)
