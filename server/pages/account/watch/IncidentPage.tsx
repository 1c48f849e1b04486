import type { JSX } from 'preact'
import {
  CERTAINTY,
  cameText,
  expectedText,
  figureText,
  type IncidentCost,
  lossText,
} from '../../../../shared/attribution/worth/words.ts'
import { RemedyDetails, Ticket } from '../../../../shared/view/audit/GapDetails.tsx'
import { SeverityBadge } from '../../../../shared/view/audit/Severity.tsx'
import { safeHref } from '../../../../shared/view/audit/safe-href.ts'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import type { AnswerChange } from '../../../../shared/watch/changes.ts'
import type { Incident } from '../../../../shared/watch/incident.ts'
import { signalReportPath } from '../../../../shared/watch/signals.ts'
import { capital } from '../../../../shared/web/text/capital.ts'
import { daysText } from '../../../../shared/web/text/days-text.ts'
import { Link } from '../../site.tsx'
import type { OpenGap } from './read-watch.ts'
import { INCIDENT_KIND_WORDS, lengthOf } from './words.ts'

interface IncidentPageProps {
  gap: OpenGap
  now: Date
  /** In Markdown. */
  ticket: string
  mayReadReport: boolean
  /** Null for who may not read reports, and for what its own figures opened. */
  cost: IncidentCost | null
}

/** One incident: what happened and when, what it costs, and what to do. */
export function IncidentPage({
  gap,
  now,
  ticket,
  mayReadReport,
  cost,
}: IncidentPageProps): JSX.Element {
  const { incident } = gap
  const { domain, label, severity, kind, detail, changes, steps } = incident
  return (
    <>
      <p class="crumbs">
        <Link to="/watches">Watches</Link> / <Link to={`/watches/${domain}`}>{domain}</Link>
      </p>
      <h1 class="wild">{label}</h1>
      <p class="to-do-about">
        <SeverityBadge severity={severity} />
        <span class="tag">{INCIDENT_KIND_WORDS[kind]}</span>
      </p>
      <State incident={incident} now={now} />
      {cost !== null && <Cost cost={cost} />}
      <WhatToDo gap={gap} ticket={ticket} mayReadReport={mayReadReport} />
      <section class="card">
        <h2>What was found</h2>
        <p class="evidence">{detail}</p>
        <Times incident={incident} now={now} />
      </section>
      {changes.length > 0 && <Changes changes={changes} />}
      {steps.length > 0 && <Steps steps={steps} />}
    </>
  )
}

function State({ incident, now }: Pick<IncidentPageProps, 'now'> & { incident: Incident }) {
  const { known, first_seen_at, closed_at, kind, points, steps } = incident
  const costs = [
    points !== null && points > 0 && `It costs ${points} of the 100 points of the score.`,
    steps.length > 0 &&
      `It breaks ${steps.length === 1 ? 'a step' : `${steps.length} steps`} of a purchase.`,
  ].filter((part) => part !== false)
  if (closed_at !== null) {
    return (
      <Notice
        kind="success"
        title={`This is over. It lasted ${known ? 'at least ' : ''}${lengthOf(first_seen_at, closed_at)}`}
      />
    )
  }
  if (known) {
    return (
      <Notice kind="info" title="This was there at the first audit, so no alert was sent">
        {costs.length > 0 && <p>{costs.join(' ')}</p>}
      </Notice>
    )
  }
  return (
    <Notice
      kind={kind === 'unseen' ? 'warning' : 'error'}
      title={
        kind === 'unseen'
          ? `We have not been able to see this for ${lengthOf(first_seen_at, now)}. That does not prove that it is broken`
          : `This has been open for ${lengthOf(first_seen_at, now)}`
      }
    >
      <p>
        {costs.join(' ')} It closes by itself{' '}
        {kind === 'signal'
          ? 'once orders show that all is well.'
          : 'once two audits in a row no longer find it.'}
      </p>
    </Notice>
  )
}

function WhatToDo({
  gap: { incident, remedy, fixUrl },
  ticket,
  mayReadReport,
}: Omit<IncidentPageProps, 'now' | 'cost'>): JSX.Element {
  const { domain, kind, subject, fix } = incident
  const href = safeHref(fixUrl)
  return (
    <section class="card">
      <h2>What to do</h2>
      {remedy !== null && (
        <>
          <RemedyDetails name={remedy.name} remedy={remedy.remedy} level={3} />
          <h3>On any platform</h3>
        </>
      )}
      <p>{fix}</p>
      <div class="actions">
        {href !== null && (
          <a class="button button-primary" href={href}>
            Fix it
          </a>
        )}
        {kind === 'gap' && (
          <Link to={`/gaps/${encodeURIComponent(subject)}`} class="button">
            Read about this gap
          </Link>
        )}
        {kind === 'signal' && mayReadReport && (
          <Link to={signalReportPath(incident)} class="button">
            See the report
          </Link>
        )}
        {kind !== 'signal' && (
          <Link to={`/audits/${domain}`} class="button">
            See the audit
          </Link>
        )}
      </div>
      <Ticket markdown={ticket} />
    </section>
  )
}

/** What AI brought meanwhile, what was expected, and what that says. */
function Cost({ cost }: { cost: IncidentCost }): JSX.Element {
  if ('unknown' in cost) {
    return (
      <section class="card">
        <h2>What it cost</h2>
        <p>{cost.unknown}</p>
      </section>
    )
  }
  const { span, figures } = cost
  return (
    <section class="card">
      <h2>What it cost</h2>
      <p>
        What AI brought from {daysText(span.from, span.to)}, and what the weeks before led one to
        expect ({CERTAINTY}). Other things may have changed as well.
      </p>
      <table class="changes">
        <caption class="sr-only">What came, what was expected, and the difference</caption>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Came</th>
            <th scope="col">Expected</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => (
            <tr key={figure.name}>
              <th scope="row">{capital(figureText(figure.name))}</th>
              <td data-label="Came">{cameText(figure)}</td>
              <td data-label="Expected">{expectedText(figure)}</td>
              <td data-label="Difference">{lossText(figure)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** In chronological order. */
function Times({ incident, now }: Pick<IncidentPageProps, 'now'> & { incident: Incident }) {
  const { kind, well_at, first_seen_at, opened_at, last_seen_at, closed_at, known } = incident
  const rows: [string, string | null][] = [
    ['Last seen to be well', well_at],
    ['First seen', first_seen_at],
    // Signals from orders need no second audit.
    ['Confirmed by a second audit', known || kind === 'signal' ? null : opened_at],
    ['Last seen', last_seen_at],
    ['Over', closed_at],
  ]
  return (
    <dl class="facts">
      {rows.map(([name, at]) =>
        at === null ? null : (
          <div key={name} class="fact">
            <dt>{name}</dt>
            <dd>
              <Moment at={at} /> (<Moment at={at} now={now} />)
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

const PARTS: Record<AnswerChange['what'], string> = {
  status: 'Status',
  header: 'Header',
  field: 'Field',
  line: 'Line',
}

function Changes({ changes }: Pick<Incident, 'changes'>): JSX.Element {
  return (
    <section class="card">
      <h2>What changed in the answers of the store</h2>
      <table class="changes">
        <caption class="sr-only">
          What each answer said when all was well, and when the incident was seen
        </caption>
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ request, what, name, before, after }) => (
            <tr key={`${request} ${what} ${name}`}>
              <th scope="row">
                <code>{request}</code>
              </th>
              <td data-label="What">
                {PARTS[what]} {name !== null && <code>{name === '' ? 'the whole' : name}</code>}
              </td>
              <td data-label="Before">
                <Said value={before} />
              </td>
              <td data-label="After">
                <Said value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Said = ({ value }: { value: string | null }): JSX.Element =>
  value === null ? <span class="quiet">not there</span> : <code class="wild">{value}</code>

function Steps({ steps }: Pick<Incident, 'steps'>): JSX.Element {
  return (
    <section class="card">
      <h2>Steps of a purchase that no longer work</h2>
      <table class="changes">
        <caption class="sr-only">Each step that failed, and what the store did instead</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Purchase</th>
            <th scope="col">Over</th>
            <th scope="col">What the store did instead</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ dialect, intent, step, found }) => (
            <tr key={`${dialect} ${intent} ${step}`}>
              <th scope="row">{step}</th>
              <td data-label="Purchase">{intent}</td>
              <td data-label="Over">{dialect}</td>
              <td data-label="Instead" class="wild">
                {found}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
