import type { JSX } from 'preact'
import { SEVERITIES } from '../../../../shared/audit/vocabulary.ts'
import { formatNumber } from '../../../../shared/view/format.ts'
import { useLanguage } from '../../../../shared/view/language.ts'
import { WATCH_STATUSES } from '../../../../shared/watch/status.ts'
import { capital } from '../../../../shared/web/text/capital.ts'
import { Choice } from '../../Choice.tsx'
import { useSite } from '../../site.tsx'
import {
  PORTFOLIO_SORTS,
  type Portfolio,
  type PortfolioQuery,
  type PortfolioSort,
  portfolioHref,
} from './portfolio.ts'
import { STATUS_WORDS } from './words.ts'

const SORT_WORDS: Record<PortfolioSort, string> = {
  worst: 'Worst first',
  name: 'Name',
  score: 'Lowest score first',
  revenue: 'Most AI revenue first',
  change: 'Largest fall of AI revenue first',
  looked: 'Longest not audited first',
}

/** Which of the watched domains are shown, and their order; all of them as a file. */
export function PortfolioFilters({ portfolio }: { portfolio: Portfolio }): JSX.Element {
  const { path } = useSite()
  const { locale } = useLanguage()
  const { asked, statuses, tags, revenue } = portfolio
  const action = path('/watches')
  const href = (change: Partial<PortfolioQuery>) =>
    portfolioHref(action, { ...asked, page: 1, ...change })
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0)
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
          {WATCH_STATUSES.filter((state) => statuses[state] > 0 || asked.state === state).map(
            (state) => (
              <li key={state}>
                <a href={href({ state })} {...currentIf(asked.state === state)}>
                  {STATUS_WORDS[state]}{' '}
                  <span class="count">{formatNumber(statuses[state], locale)}</span>
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
          all="Any"
          value={asked.severity}
          choices={SEVERITIES.map((each) => [each, capital(each)] as const)}
        />
        {(tags.length > 0 || asked.tag !== undefined) && (
          <Choice
            name="tag"
            label="Tag"
            all="Any"
            value={asked.tag}
            choices={tags.map((tag) => [tag, tag] as const)}
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
