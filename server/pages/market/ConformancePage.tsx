import type { JSX } from 'preact'
import { gapWords } from '../../../shared/audit/words.ts'
import { expectationOf } from '../../../shared/walk/expectations.ts'
import { Link } from '../site.tsx'
import type { Must, MustDocument } from './must.ts'
import { countMusts, MUSTS } from './musts.ts'

const ALL = MUSTS.flatMap(({ musts }) => musts)
const VERSIONS = [...new Set(ALL.flatMap(({ versions }) => versions))]
const inVersion = (version: string) => ALL.filter(({ versions }) => versions.includes(version))

/** What the specifications demand of a store, each with what covers it, or why nothing does. */
export function ConformancePage(): JSX.Element {
  const { all, byRule, byWalk, byReason } = countMusts(ALL)
  return (
    <article>
      <h1>What UCP and ACP demand of a store</h1>
      <p class="lead">
        {all} demands: {byRule} are judged by an audit, {byWalk} by a walk, and for {byReason} the
        table says why neither judges them.
      </p>
      <table class="rules even">
        <caption class="sr-only">Demands by version</caption>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Demands</th>
            <th scope="col">By an audit</th>
            <th scope="col">By a walk</th>
            <th scope="col">With a reason</th>
          </tr>
        </thead>
        <tbody>
          {VERSIONS.map((version) => {
            const count = countMusts(inVersion(version))
            return (
              <tr key={version}>
                <th scope="row">{version}</th>
                <td data-label="Demands">{count.all}</td>
                <td data-label="By an audit">{count.byRule}</td>
                <td data-label="By a walk">{count.byWalk}</td>
                <td data-label="With a reason">{count.byReason}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p>
        In our words, each with its section: every MUST of the two versions of UCP and of ACP that
        binds a store. What binds agents alone is left out, and what a text says twice is listed
        once. Where the specifications are silent: <Link to="/decisions">Decisions</Link>.
      </p>
      {MUSTS.map((document) => (
        <DocumentSection key={document.musts[0]?.id} document={document} />
      ))}
    </article>
  )
}

function DocumentSection({ document }: { document: MustDocument }): JSX.Element {
  const { part, pages, musts } = document
  const title = `${musts[0]?.id.startsWith('acp') ? 'ACP' : 'UCP'}: ${part}`
  return (
    // A link to a row opens it: browsers do so.
    <details class="gap-section">
      <summary>
        {title} ({musts.length})
      </summary>
      <p>
        {pages.map(({ version, url }, at) => (
          <>
            {at > 0 && ', '}
            <a href={url}>{version}</a>
          </>
        ))}
      </p>
      <MustTable title={title} musts={musts} />
    </details>
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
      {musts.map(({ id, where, must, versions, rules, steps, reason }) => (
        <tr key={id} id={id}>
          <th scope="row">
            {must}
            <span class="row-about">
              {where}
              {versions.length === 1 && ` (${versions[0]} alone)`}
            </span>
          </th>
          <td data-label="Covered by">
            {rules.map((rule) => (
              <span key={rule} class="row-about">
                Audit: <Link to={`/gaps/${rule}`}>{gapWords(rule).label}</Link>
              </span>
            ))}
            {steps.map((step) => (
              <span key={step} class="row-about">
                Walk: {expectationOf(step).expected}
              </span>
            ))}
            {reason}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
