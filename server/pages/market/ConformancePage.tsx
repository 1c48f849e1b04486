import type { JSX } from 'preact'
import { gapWords } from '../../../shared/audit/words.ts'
import { EXPECTATIONS } from '../../../shared/walk/expectations.ts'
import { Link } from '../site.tsx'
import { MUSTS, type Must, NOT_LISTED, versionsOfMust } from './musts.ts'

/** What the specifications demand of a store, each with what covers it, or why nothing does. */
export function ConformancePage(): JSX.Element {
  const byRule = MUSTS.filter(({ rules }) => rules.length > 0).length
  const byWalk = MUSTS.filter(({ rules, steps }) => rules.length === 0 && steps.length > 0).length
  return (
    <article>
      <h1>What UCP and ACP demand of a store</h1>
      <p class="lead">
        {MUSTS.length} demands: {byRule} are judged by an audit, {byWalk} by a walk, and for{' '}
        {MUSTS.length - byRule - byWalk} the table says why neither judges them.
      </p>
      <p>
        In our words, from the documents on the profile, catalog, cart, checkout, delivery,
        discounts and orders of UCP, and on discovery, checkout, capabilities and carts of ACP. Not
        in the table yet: {NOT_LISTED.join('; ')}. Where the specifications are silent:{' '}
        <Link to="/decisions">Decisions</Link>.
      </p>
      {[...Map.groupBy(MUSTS, (must) => `${versionsOfMust(must)}: ${must.part}`)].map(
        ([title, musts]) => (
          <section key={title} class="gap-section">
            <h2>
              {title} ({musts.length})
            </h2>
            <MustTable title={title} musts={musts} />
          </section>
        ),
      )}
    </article>
  )
}

const MustTable = ({ title, musts }: { title: string; musts: readonly Must[] }): JSX.Element => (
  <table class="rules even">
    <caption class="sr-only">{title}</caption>
    <thead>
      <tr>
        <th scope="col">A store must</th>
        <th scope="col">Covered by</th>
      </tr>
    </thead>
    <tbody>
      {musts.map(({ id, must, rules, steps, reason }) => (
        <tr key={id} id={id}>
          <th scope="row">{must}</th>
          <td data-label="Covered by">
            {rules.map((rule) => (
              <span key={rule} class="row-about">
                Audit: <Link to={`/gaps/${rule}`}>{gapWords(rule).label}</Link>
              </span>
            ))}
            {steps.map((step) => (
              <span key={step} class="row-about">
                Walk: {EXPECTATIONS.find((each) => each.id === step)?.expected}
              </span>
            ))}
            {reason}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
