import type { JSX } from 'preact'
import { GradeBadge } from '../../../../shared/view/audit/GradeBadge.tsx'
import { PointsChange } from '../../../../shared/view/audit/PointsChange.tsx'
import { SeverityBadge } from '../../../../shared/view/audit/Severity.tsx'
import { Icon } from '../../../../shared/view/Icon.tsx'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { ScoreLine } from '../../../../shared/view/watch/ScoreLine.tsx'
import { counted } from '../../../../shared/web/text/english-count.ts'
import { Link, useSite } from '../../site.tsx'
import { ComingMoment } from './ComingMoment.tsx'
import { type Portfolio, type PortfolioEntry, portfolioHref } from './portfolio.ts'
import { Sold } from './Sold.tsx'

interface WatchTableProps {
  portfolio: Portfolio
  now: Date
}

/** The watched domains of a page, each with what is open, its score and what AI brought. */
export function WatchTable({ portfolio, now }: WatchTableProps): JSX.Element {
  const { path } = useSite()
  const { entries, hasRevenue, days } = portfolio
  if (entries.length === 0) {
    return (
      <p class="empty">
        No watch matches these filters. <a href={path('/watches')}>Show all</a>
      </p>
    )
  }
  return (
    <table class="watches">
      <caption class="sr-only">Watched domains</caption>
      <thead>
        <tr>
          <th scope="col">Store</th>
          <th scope="col">What is open</th>
          <th scope="col">Score, 30 days</th>
          {hasRevenue && <th scope="col">AI revenue, 30 days</th>}
          <th scope="col">Last audit</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <WatchRow key={entry.domain} entry={entry} now={now} days={days} />
        ))}
      </tbody>
    </table>
  )
}

interface WatchRowProps {
  entry: PortfolioEntry
  now: Date
  days: Portfolio['days']
}

function WatchRow({ entry, now, days }: WatchRowProps): JSX.Element {
  const { domain, tags, grade, score, scores, change, revenue } = entry
  const { path } = useSite()
  const report = `/report?${new URLSearchParams({
    domain,
    start: days.start,
    end: days.end,
    compare: 'previous',
  })}`
  return (
    <tr>
      <th scope="row">
        <Link to={`/watches/${domain}`} class="watch-name">
          {domain}
        </Link>
        {tags.length > 0 && (
          <ul class="badges">
            {tags.map((tag) => (
              <li key={tag}>
                <a class="tag" href={portfolioHref(path('/watches'), { tag })}>
                  {tag}
                </a>
              </li>
            ))}
          </ul>
        )}
      </th>
      <td data-label="What is open">
        <Open entry={entry} now={now} />
      </td>
      <td data-label="Score, 30 days">
        {score === null ? (
          <span class="quiet">No score yet</span>
        ) : (
          <div class="score-cell">
            <span class="graded">
              <GradeBadge grade={grade} />
              {score}
            </span>
            {change !== null && <PointsChange points={change} />}
            <ScoreLine scores={scores} />
          </div>
        )}
      </td>
      {revenue !== null && (
        <td data-label="AI revenue, 30 days">
          {revenue.length === 0 ? (
            <span class="quiet">No orders reported</span>
          ) : (
            revenue.map((sold) => (
              <Link key={sold.currency} to={report} class="sold">
                <Sold sold={sold} />
              </Link>
            ))
          )}
        </td>
      )}
      <td data-label="Last audit">
        <Checked entry={entry} now={now} />
      </td>
    </tr>
  )
}

/** More than these are only counted. */
const NAMED_INCIDENTS = 2

function Open({ entry, now }: Omit<WatchRowProps, 'days'>): JSX.Element {
  const { domain, status, open, otherGaps, incidents, isBlocked, blocking, outcome, why } = entry
  const named = open.slice(0, NAMED_INCIDENTS)
  const known = isBlocked ? blocking.slice(0, NAMED_INCIDENTS - named.length) : []
  return (
    <>
      {status === 'paused' && <p class="state">Paused: no audits, no alerts</p>}
      {status === 'waiting' && <p class="state">The first audit is still to come</p>}
      {isBlocked && (
        <p class="state is-bad">
          <Icon shape="octagon" /> AI agents cannot buy here
        </p>
      )}
      {status === 'fine' && (
        <p class="state is-good">
          <Icon shape="check" /> Nothing has broken
        </p>
      )}
      {status !== 'paused' && outcome === 'unseen' && (
        <p class="state">Could not be seen{why !== null && <span class="wild">: {why}</span>}</p>
      )}
      {status !== 'paused' && outcome === 'failed' && (
        <p class="state">The last audit failed on our side</p>
      )}
      {named.length + known.length > 0 && (
        <ul class="open-list">
          {[...named, ...known].map(({ id, severity, label, opened_at }, at) => (
            <li key={id}>
              <SeverityBadge severity={severity} />{' '}
              <Link to={`/watches/${domain}/incidents/${id}`}>{label}</Link>{' '}
              <span class="quiet">
                {at < named.length ? (
                  <Moment at={new Date(opened_at).toISOString()} now={now} />
                ) : (
                  'without an alert'
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {(incidents > named.length || otherGaps > known.length) && (
        <p class="quiet">
          {[
            incidents > named.length && `${incidents - named.length} more`,
            otherGaps > known.length &&
              `${counted(otherGaps - known.length, known.length > 0 ? 'other gap' : 'gap')} without an alert`,
          ]
            .filter((part) => part !== false)
            .join(', ')}
        </p>
      )}
    </>
  )
}

function Checked({ entry, now }: Omit<WatchRowProps, 'days'>): JSX.Element {
  const { looked_at, next_at, paused_at, isLate } = entry
  return (
    <span class="looked">
      {looked_at !== null && <Moment at={looked_at.toISOString()} now={now} />}
      <span class="row-about">
        {paused_at !== null ? (
          <>
            Paused <Moment at={paused_at.toISOString()} now={now} />
          </>
        ) : isLate ? (
          'The next audit is late'
        ) : (
          <>
            Next <ComingMoment at={next_at.toISOString()} now={now} />
          </>
        )}
      </span>
    </span>
  )
}
