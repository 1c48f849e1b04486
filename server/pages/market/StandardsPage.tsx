import type { JSX } from 'preact'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import { Link } from '../site.tsx'
import { STANDARDS, type Standard, standardSeen } from './standards.ts'

const NEEDS: Record<Standard['need'], string> = {
  yes: 'Yes',
  'one route': 'For one route',
  no: 'No',
}

/** Which of the standards that scanners count a shop needs; with an audit, what it saw of each. */
export function StandardsPage({ result = null }: { result?: AuditResult | null }): JSX.Element {
  return (
    <article>
      {result !== null && (
        <p class="crumbs">
          <Link to={`/audits/${result.domain}`}>Audit of {result.domain}</Link>
        </p>
      )}
      <h1>Which standards does a shop need?</h1>
      <p class="lead">
        Scanners count many standards. {STANDARDS.filter(({ need }) => need === 'yes').length} sell,
        some open one <Link to="/routes">route to market</Link>, and the rest are for other kinds of
        sites: a low number elsewhere may mean nothing for a shop. What UCP and ACP demand, and what
        covers it: <Link to="/conformance">Conformance</Link>.
      </p>
      <table class="rules even">
        <caption class="sr-only">Standards</caption>
        <thead>
          <tr>
            <th scope="col">Standard</th>
            <th scope="col">Does a shop need it?</th>
            <th scope="col">Who reads it today</th>
            {result !== null && <th scope="col">What the audit saw</th>}
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {STANDARDS.map((standard) => (
            <tr key={standard.name}>
              <th scope="row">
                {standard.name}
                <span class="row-about">{standard.purpose}</span>
              </th>
              <td data-label="Does a shop need it?">
                <strong>{NEEDS[standard.need]}.</strong> {standard.advice}
              </td>
              <td data-label="Who reads it today">{standard.readers}</td>
              {result !== null && (
                <td data-label="What the audit saw">{standardSeen(standard, result)}</td>
              )}
              <td data-label="Source" class="source">
                <a href={standard.source}>{new URL(standard.source).hostname}</a>
                {standard.read !== null && <span class="row-about">read {standard.read}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  )
}
