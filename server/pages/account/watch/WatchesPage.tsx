import { Fragment, type JSX } from 'preact'
import { formatNumber } from '../../../../shared/view/format.ts'
import { Icon } from '../../../../shared/view/Icon.tsx'
import { useLanguage } from '../../../../shared/view/language.ts'
import { Notice } from '../../../../shared/view/Notice.tsx'
import type { ChannelRow } from '../../../db/watch/channels.ts'
import { Link, useSite } from '../../site.tsx'
import { PortfolioFilters } from './PortfolioFilters.tsx'
import { type Portfolio, portfolioHref } from './portfolio.ts'
import { Sold } from './Sold.tsx'
import { WatchForm, type WatchFormProps } from './WatchForm.tsx'
import { WatchTable } from './WatchTable.tsx'

interface WatchesPageProps {
  portfolio: Portfolio
  now: Date
  /** Channels through which nothing arrives. */
  troubled: readonly Pick<ChannelRow, 'domain' | 'disabled_at'>[]
  add: WatchFormProps
}

/** Every watched domain of a key: what is open, the trend of the score, and what AI brought. */
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
          {portfolio.watched > 1 && <PortfolioFilters portfolio={portfolio} />}
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
        A watch audits your store regularly, and tells you when AI agents can no longer buy there:
        what broke, since when, and what to do. You hear nothing while all is well.
      </p>
      <section class="card">
        <h2>Watch your first domain</h2>
        <WatchForm {...add} />
        <p class="quiet">
          The first audit runs immediately, then one every hour. You get an alert only when two
          audits in a row find the same. You can change all of this on the next page.
        </p>
      </section>
    </>
  )
}

function Totals({ portfolio }: Pick<WatchesPageProps, 'portfolio'>): JSX.Element {
  const { locale } = useLanguage()
  const { hasRevenue, revenue } = portfolio
  const isWell = portfolio.blocked + portfolio.statuses.broken + portfolio.statuses.unseen === 0
  return (
    <div class="totals">
      <p class="totals-open">
        <Icon shape={isWell ? 'check' : 'octagon'} />
        <span>
          <strong>{totalOf(portfolio, locale)}</strong>
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
              <dd class="quiet">No order with a value reported yet</dd>
            </div>
          ) : (
            revenue.map((sum) => (
              <div key={sum.currency}>
                <dt>AI revenue in {sum.currency}, last 30 days</dt>
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

/** The worst first: what keeps agents from buying, what broke, what could not be seen. */
function totalOf({ statuses, blocked, watched }: Portfolio, locale: string): string {
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const { broken, unseen } = statuses
  const number = (count: number) => formatNumber(count, locale)
  const stores = `${number(all)} stores${all === watched ? '' : ' of this choice'}`
  const parts =
    all === 1
      ? [
          blocked > 0 && 'AI agents cannot buy in the store',
          broken > 0 && 'The store has an open incident',
          unseen > 0 && 'We could not see all of the store',
        ]
      : [
          blocked > 0 && `AI agents cannot buy in ${number(blocked)} of ${stores}`,
          broken > 0 &&
            `${number(broken)} of ${stores} ${broken === 1 ? 'has' : 'have'} an open incident`,
          unseen > 0 &&
            `${number(unseen)} of ${stores} ${unseen === 1 ? 'was' : 'were'} not seen in whole`,
        ]
  const said = parts.filter((part) => part !== false)
  if (said.length > 0) return `${said.join('. ')}.`
  return all === 1 ? 'The store has no open incident.' : `None of ${stores} has an open incident.`
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
        <Notice kind="warning" title="Alerts of these stores do not arrive">
          <p>
            A channel fails or was switched off. See the channels of{' '}
            {named.map((domain, at) => (
              <Fragment key={domain}>
                {at > 0 && ', '}
                <Link to={`/watches/${domain}#channels`}>{domain}</Link>
              </Fragment>
            ))}
            {domains.length > named.length && ` and ${domains.length - named.length} more`}.
          </p>
        </Notice>
      )}
      {late > 0 && (
        <Notice kind="warning" title={`${late === 1 ? 'One audit is' : `${late} audits are`} late`}>
          <p>
            The service is behind. If this lasts for more than a few minutes, tell your operator.
          </p>
        </Notice>
      )}
    </>
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
