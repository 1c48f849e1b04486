import type { JSX } from 'preact'
import { SEVERITIES } from '../../../../shared/audit/vocabulary.ts'
import { PointsChange } from '../../../../shared/view/audit/PointsChange.tsx'
import { SeverityBadge } from '../../../../shared/view/audit/Severity.tsx'
import { formatAmount, formatNumber } from '../../../../shared/view/format.ts'
import { Icon } from '../../../../shared/view/Icon.tsx'
import { useLanguage } from '../../../../shared/view/language.ts'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { Change } from '../../../../shared/view/report/Change.tsx'
import { relativeChange } from '../../../../shared/view/report/figures.ts'
import { ScoreLine } from '../../../../shared/view/watch/ScoreLine.tsx'
import { STANDINGS } from '../../../../shared/watch/standing.ts'
import { counted } from '../../../../shared/web/english-count.ts'
import type { ChannelRow } from '../../../db/watch/channels.ts'
import type { AiRevenue } from '../../../db/watch/portfolio.ts'
import { Link, useSite } from '../../site.tsx'
import { ComingMoment } from './ComingMoment.tsx'
import {
  PORTFOLIO_SORTS,
  type Portfolio,
  type PortfolioEntry,
  type PortfolioQuery,
  type PortfolioSort,
  portfolioHref,
  scoreChange,
} from './portfolio.ts'
import { WatchForm, type WatchFormProps } from './WatchForm.tsx'
import { STANDING_WORDS } from './words.ts'

export interface WatchesPageProps {
  portfolio: Portfolio
  now: Date
  /** Channels that reach nobody. */
  troubled: readonly Pick<ChannelRow, 'domain' | 'disabled_at'>[]
  add: WatchFormProps
}

/** Every watched domain of a key: what is open, how the score went, and what AI brought. */
export function WatchesPage({ portfolio, now, troubled, add }: WatchesPageProps): JSX.Element {
  const isEmpty = portfolio.watched === 0
  return (
    <>
      <h1>Watches</h1>
      {isEmpty ? (
        <Empty add={add} />
      ) : (
        <>
          <Totals portfolio={portfolio} />
          <Troubles portfolio={portfolio} troubled={troubled} />
          {portfolio.watched > 1 && <Filters portfolio={portfolio} />}
          <WatchTable portfolio={portfolio} now={now} />
          <Pages portfolio={portfolio} />
          <section class="card no-print" id="add">
            <h2>Watch another domain</h2>
            <WatchForm {...add} />
          </section>
        </>
      )}
    </>
  )
}

function Empty({ add }: Pick<WatchesPageProps, 'add'>): JSX.Element {
  return (
    <>
      <p class="lead">
        A watch audits your shop regularly, and tells you when AI agents can no longer buy there:
        what broke, since when, and what to do. You hear nothing while all is well.
      </p>
      <section class="card">
        <h2>Watch your first domain</h2>
        <WatchForm {...add} />
        <p class="quiet">
          The first look is made immediately, then one every hour. You are told only what two looks
          in a row have found. You can change all of this on the next page.
        </p>
      </section>
    </>
  )
}

function Totals({ portfolio }: Pick<WatchesPageProps, 'portfolio'>): JSX.Element {
  const { locale } = useLanguage()
  const { standings, blocked, hasRevenue, revenue } = portfolio
  const all = Object.values(standings).reduce((sum, count) => sum + count, 0)
  const number = (count: number) => formatNumber(count, locale)
  const { broken, unseen } = standings
  const of = all === portfolio.watched ? '' : ' of this choice'
  return (
    <div class="totals">
      <p class="totals-open">
        <Icon shape={broken > 0 || blocked > 0 ? 'octagon' : 'check'} />
        <span>
          <strong>
            {all === 1
              ? broken === 1
                ? 'The shop has an open incident'
                : 'The shop has no open incident'
              : `${broken === 0 ? 'None' : number(broken)} of ${number(all)} shops${of} ${
                  broken === 1 ? 'has' : 'have'
                } an open incident`}
          </strong>
          {blocked > 0 &&
            `. AI agents cannot buy ${all === 1 ? 'there' : `in ${number(blocked)} of them`}`}
          {unseen > 0 && `. ${number(unseen)} could not be seen`}.
        </span>
      </p>
      {hasRevenue && (
        <dl>
          {revenue === null ? (
            <div>
              <dt>AI revenue, last 30 days</dt>
              <dd class="quiet">Choose a tag or a name to have it summed</dd>
            </div>
          ) : revenue.length === 0 ? (
            <div>
              <dt>AI revenue, last 30 days</dt>
              <dd class="quiet">No orders reported yet</dd>
            </div>
          ) : (
            revenue.map((sum) => (
              <div key={sum.currency}>
                <dt>
                  AI revenue in {sum.currency === '' ? 'no currency' : sum.currency}, last 30 days
                </dt>
                <dd>
                  <Sold sold={sum} withBefore />
                </dd>
              </div>
            ))
          )}
        </dl>
      )}
    </div>
  )
}

/** What was sold, and how that compares with the 30 days before. */
function Sold({
  sold: { currency, revenue, revenue_before },
  withBefore = false,
}: {
  sold: Omit<AiRevenue, 'domain'>
  withBefore?: boolean
}): JSX.Element {
  const { locale } = useLanguage()
  const amount = (value: number) => formatAmount(value, currency || null, locale)
  return (
    <>
      <span class="amount">{amount(revenue)}</span>{' '}
      <Change
        change={relativeChange(revenue, revenue_before)}
        {...(withBefore && { was: amount(revenue_before) })}
      />
    </>
  )
}

function Troubles({
  portfolio: { late },
  troubled,
}: Pick<WatchesPageProps, 'portfolio' | 'troubled'>): JSX.Element {
  const domains = [...new Set(troubled.map(({ domain }) => domain))]
  const named = domains.slice(0, 5)
  return (
    <>
      {domains.length > 0 && (
        <Notice kind="warning" title="Alerts of these shops do not arrive">
          <p>
            A channel fails or was switched off. See the channels of{' '}
            {named.map((domain, at) => (
              <>
                {at > 0 && ', '}
                <Link key={domain} to={`/watches/${domain}#channels`}>
                  {domain}
                </Link>
              </>
            ))}
            {domains.length > named.length && ` and ${domains.length - named.length} more`}.
          </p>
        </Notice>
      )}
      {late > 0 && (
        <Notice kind="warning" title={`${late === 1 ? 'One look is' : `${late} looks are`} late`}>
          <p>
            The service is behind. If this lasts for more than a few minutes, tell your operator.
          </p>
        </Notice>
      )}
    </>
  )
}

const SORT_WORDS: Record<PortfolioSort, string> = {
  worst: 'Worst first',
  name: 'Name',
  score: 'Lowest score first',
  revenue: 'Most AI revenue first',
  change: 'Largest fall of AI revenue first',
  looked: 'Longest not looked at first',
}

function Filters({ portfolio }: Pick<WatchesPageProps, 'portfolio'>): JSX.Element {
  const { path } = useSite()
  const { locale } = useLanguage()
  const { asked, standings, tags, revenue } = portfolio
  const action = path('/watches')
  const href = (change: Partial<PortfolioQuery>) =>
    portfolioHref(action, { ...asked, page: 1, ...change })
  const all = Object.values(standings).reduce((sum, count) => sum + count, 0)
  const sorts = PORTFOLIO_SORTS.filter(
    (sort) => revenue !== null || (sort !== 'revenue' && sort !== 'change'),
  )
  return (
    <>
      <nav aria-label="State" class="no-print">
        <ul class="presets states">
          <li>
            <a href={href({ state: undefined })} {...currentIf(asked.state === undefined)}>
              All <span class="count">{formatNumber(all, locale)}</span>
            </a>
          </li>
          {STANDINGS.filter((state) => standings[state] > 0 || asked.state === state).map(
            (state) => (
              <li key={state}>
                <a href={href({ state })} {...currentIf(asked.state === state)}>
                  {STANDING_WORDS[state]}{' '}
                  <span class="count">{formatNumber(standings[state], locale)}</span>
                </a>
              </li>
            ),
          )}
        </ul>
      </nav>
      <form method="get" action={action} class="filters">
        {asked.state !== undefined && <input type="hidden" name="state" value={asked.state} />}
        <div class="field">
          <label for="q">Name or tag</label>
          <input
            id="q"
            name="q"
            type="search"
            value={asked.q ?? ''}
            maxLength={200}
            autocomplete="off"
            spellcheck={false}
          />
        </div>
        <Choice
          name="severity"
          label="Severity at least"
          value={asked.severity ?? ''}
          choices={[['', 'Any'], ...SEVERITIES.map((each) => [each, capital(each)] as const)]}
        />
        {(tags.length > 0 || asked.tag !== undefined) && (
          <Choice
            name="tag"
            label="Tag"
            value={asked.tag ?? ''}
            choices={[['', 'Any'], ...tags.map((tag) => [tag, tag] as const)]}
          />
        )}
        <Choice
          name="sort"
          label="Order"
          value={asked.sort}
          choices={sorts.map((sort) => [sort, SORT_WORDS[sort]] as const)}
        />
        <button type="submit" class="button">
          Show
        </button>
        <a
          class="button button-quiet"
          href={portfolioHref(path('/watches.csv'), { ...asked, page: 1 })}
        >
          CSV
        </a>
      </form>
    </>
  )
}

const currentIf = (isCurrent: boolean) => (isCurrent ? { 'aria-current': 'true' as const } : {})
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

interface ChoiceProps {
  name: string
  label: string
  value: string
  choices: readonly (readonly [value: string, label: string])[]
}

const Choice = ({ name, label, value, choices }: ChoiceProps): JSX.Element => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {choices.map(([each, words]) => (
        <option key={each} value={each} selected={each === value}>
          {words}
        </option>
      ))}
    </select>
  </div>
)

function WatchTable({ portfolio, now }: Pick<WatchesPageProps, 'portfolio' | 'now'>): JSX.Element {
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
          <th scope="col">Shop</th>
          <th scope="col">What is open</th>
          <th scope="col">Score, 30 days</th>
          {hasRevenue && <th scope="col">AI revenue, 30 days</th>}
          <th scope="col">Looked at</th>
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
  const { domain, tags, grade, score, scores, revenue } = entry
  const { path } = useSite()
  const change = scoreChange(entry)
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
              <span class={`grade tone-${(grade ?? '').toLowerCase()}`}>{grade}</span>
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
      <td data-label="Looked at">
        <Looked entry={entry} now={now} />
      </td>
    </tr>
  )
}

/** More than these are counted. */
const NAMED_INCIDENTS = 2

function Open({ entry, now }: Omit<WatchRowProps, 'days'>): JSX.Element {
  const { domain, standing, open, otherGaps, incidents, isBlocked, blocking, outcome, why } = entry
  const named = open.slice(0, NAMED_INCIDENTS)
  const known = isBlocked ? blocking.slice(0, NAMED_INCIDENTS - named.length) : []
  return (
    <>
      {standing === 'paused' && <p class="state">Paused: no looks, no alerts</p>}
      {standing === 'waiting' && <p class="state">The first look is still to come</p>}
      {standing === 'fine' && !isBlocked && (
        <p class="state is-good">
          <Icon shape="check" /> Nothing has broken
        </p>
      )}
      {standing !== 'paused' && outcome === 'unseen' && (
        <p class="state">Could not be seen{why !== null && <span class="wild">: {why}</span>}</p>
      )}
      {standing !== 'paused' && outcome === 'failed' && (
        <p class="state">The last look failed on our side</p>
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

function Looked({ entry, now }: Omit<WatchRowProps, 'days'>): JSX.Element {
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
          'The next look is late'
        ) : (
          <>
            Next <ComingMoment at={next_at.toISOString()} now={now} />
          </>
        )}
      </span>
    </span>
  )
}

function Pages({ portfolio }: Pick<WatchesPageProps, 'portfolio'>): JSX.Element | null {
  const { path } = useSite()
  const { locale } = useLanguage()
  const { asked, pages, found } = portfolio
  if (pages === 1) return null
  const href = (page: number) => portfolioHref(path('/watches'), { ...asked, page })
  return (
    <nav aria-label="Pages" class="pages no-print">
      {asked.page > 1 && (
        <a href={href(asked.page - 1)} rel="prev">
          Previous
        </a>
      )}
      <span>
        Page {asked.page} of {pages}, {formatNumber(found, locale)} domains
      </span>
      {asked.page < pages && (
        <a href={href(asked.page + 1)} rel="next">
          Next
        </a>
      )}
    </nav>
  )
}
