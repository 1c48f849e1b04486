import type { ComponentChildren, JSX } from 'preact'
import { CHALLENGED } from '../../../../shared/attribution/fetches/kept.ts'
import {
  type AgentSums,
  isForAPerson,
  type PageRow,
  type PriceSeen,
  type Wall,
} from '../../../../shared/attribution/fetches/report.ts'
import {
  PRESET_NAMES,
  PRESETS,
  presetOf,
  rangeOf,
} from '../../../../shared/attribution/report-range.ts'
import { type FetchPurpose, surfaceName } from '../../../../shared/attribution/surfaces.ts'
import type { FetchReport } from '../../../../shared/audit/fetch-report.ts'
import { SeverityBadge } from '../../../../shared/view/audit/Severity.tsx'
import { formatDate, formatNumber } from '../../../../shared/view/format.ts'
import { useLanguage } from '../../../../shared/view/language.ts'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { ScrollTable } from '../../../../shared/view/ScrollTable.tsx'
import { shiftDay } from '../../../../shared/web/moment.ts'
import { Link } from '../../site.tsx'
import { DomainForm, type DomainFormProps } from '../DomainForm.tsx'

const PURPOSES: Record<FetchPurpose, string> = {
  training: 'training a model',
  search: 'the search index',
  answer: 'an answer for a person',
  action: 'acting for a person',
}

interface FetchesPageProps {
  report: FetchReport
  today: string
  now: Date
  action: string
  csvHref: string
  choice: Pick<DomainFormProps, 'domains' | 'canType'>
  /** What a log is sent to; null: the key may not send any. */
  sending: { address: string; keyId: string; secret: string } | null
}

/** What agents that run no script read, and what came of it. */
export function FetchesPage(props: FetchesPageProps): JSX.Element {
  const { report, today, now, action, csvHref, choice, sending } = props
  const { domain, start, end, pages, agents, over } = report
  const hrefOf = (range: { start: string; end: string }) =>
    `${action}?${new URLSearchParams({ domain, start: range.start, end: range.end })}`
  const current = presetOf({ start, end }, today)
  return (
    <>
      <h1>What AI agents read on {domain}</h1>
      <DomainForm action={action} domain={domain} {...choice} />
      <nav aria-label="Preset periods" class="range">
        <ul class="presets">
          {PRESETS.map((preset) => (
            <li key={preset}>
              <a
                href={hrefOf(rangeOf(preset, today))}
                {...(preset === current && { 'aria-current': 'true' as const })}
              >
                {PRESET_NAMES[preset]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {agents.length === 0 ? (
        <p class="empty">
          No log of {domain} shows an agent in this period. Agents run no script, so the tag does
          not see them: send the log of your server.
        </p>
      ) : (
        <>
          <p>
            <FetchSentence report={report} />
          </p>
          <Surfaces report={report} />
          <Pages pages={pages} now={now} csvHref={csvHref} />
          <Gaps gaps={report.gaps} />
          <Walls walls={report.walls} now={now} />
          <Agents agents={agents} now={now} />
          <Weeks report={report} />
          {over > 0 && (
            <p class="quiet">
              {formatNumber(over)} lines or more were not counted: their hours had as many requests
              of agents as are counted.
            </p>
          )}
        </>
      )}
      {sending !== null && <Sending domain={domain} {...sending} />}
    </>
  )
}

/** What was read for answers, clicked and bought, in one sentence. */
function FetchSentence({ report }: { report: FetchReport }): JSX.Element {
  const { locale } = useLanguage()
  const sum = (of: 'answers' | 'sessions' | 'orders') =>
    formatNumber(
      report.surfaces.reduce((total, row) => total + row[of], 0),
      locale,
    )
  return (
    <>
      Agents read pages {sum('answers')} times for answers. AI brought {sum('sessions')} visits and{' '}
      {sum('orders')} orders in the same days.
    </>
  )
}

function Surfaces({ report }: { report: FetchReport }): JSX.Element {
  return (
    <Table
      title="AI surfaces"
      heads={['Surface']}
      figures={['Read for answers', 'Visits', 'Orders']}
      rows={report.surfaces.map(({ surface, answers, sessions, orders }) => ({
        key: surface,
        cells: [surfaceName(surface)],
        figures: [answers, sessions, orders],
      }))}
    />
  )
}

function Pages({
  pages,
  now,
  csvHref,
}: Pick<FetchesPageProps, 'now' | 'csvHref'> & { pages: readonly PageRow[] }): JSX.Element {
  return (
    <Table
      title="Products and pages"
      heads={['Product or page', 'Crawlers, and the price that they saw last']}
      figures={['Read for answers', 'Clicked', 'Bought']}
      rows={pages.slice(0, SHOWN).map(({ path, name, answers, clicked, bought, seen }) => ({
        key: path,
        cells: [
          <>
            {name !== null && <>{name} </>}
            <code>{path}</code>
          </>,
          seen.length === 0 ? (
            '–'
          ) : (
            <ul class="plain">
              {seen.map((each) => (
                <li key={each.operator}>
                  {each.operator}, <Moment at={each.last_at} now={now} />: {priceText(each)}
                </li>
              ))}
            </ul>
          ),
        ],
        figures: [answers, clicked, bought],
      }))}
    >
      <p class="quiet">
        Clicked: visits from AI that began on the page. Bought: orders from AI of the product, or of
        these visits where no audit knows a product of the page. – stands where the report does not
        count a page or product by its name.{' '}
        {pages.length > SHOWN && `${pages.length} rows are in the file. `}
        <a href={csvHref} download>
          Download as CSV
        </a>
      </p>
    </Table>
  )
}

/** Rows of a list on the page; the file has all. */
const SHOWN = 30

function priceText({ price, days }: PriceSeen): string {
  if (price === 'unknown' || days === null) return 'price unknown'
  const age = days === 1 ? '1 day' : `${days} days`
  return price === 'current'
    ? `the price of today, then ${age} old`
    : `an earlier price, changed ${age} ago or more`
}

function Gaps({ gaps }: Pick<FetchReport, 'gaps'>): JSX.Element | null {
  if (gaps.length === 0) return null
  return (
    <section class="card">
      <h2>What verified agents met</h2>
      {gaps.map(({ id, severity, label, detail, fix }) => (
        <article key={id}>
          <h3>
            <SeverityBadge severity={severity} /> <Link to={`/gaps/${id}`}>{label}</Link>
          </h3>
          <p>{detail}</p>
          <p>Fix: {fix}</p>
        </article>
      ))}
    </section>
  )
}

const statusName = (status: number): string =>
  status === 0 ? 'no answer' : status === CHALLENGED ? 'a challenge' : String(status)

/** The requests of verified agents that brought no page. */
const Walls = ({ walls, now }: { walls: readonly Wall[]; now: Date }): JSX.Element => (
  <Table
    title="What brought no page"
    heads={['Page', 'Agent', 'Status', 'Last']}
    figures={['Times']}
    rows={walls.slice(0, SHOWN).map(({ agent, path, status, fetches, last_at }) => ({
      key: `${agent} ${path} ${status}`,
      cells: [<code>{path}</code>, agent, statusName(status), <Moment at={last_at} now={now} />],
      figures: [fetches],
    }))}
  />
)

const PROOFS: Record<AgentSums['verified'], string> = {
  verified: 'verified',
  claimed: 'claimed',
  forged: 'forged: the address is not its operator’s',
}

function Agents({ agents, now }: { agents: readonly AgentSums[]; now: Date }): JSX.Element {
  return (
    <Table
      title="Agents"
      heads={['Agent', 'For', 'Who it was', 'Last']}
      figures={['Requests', 'Read', 'Refused', 'Missing', 'Failed']}
      rows={agents.map((each) => ({
        key: `${each.agent} ${each.verified}`,
        cells: [
          `${each.agent} (${each.operator})`,
          PURPOSES[each.purpose],
          PROOFS[each.verified],
          <Moment at={each.last_at} now={now} />,
        ],
        figures: [each.fetches, each.read, each.refused, each.missing, each.failed],
      }))}
    />
  )
}

/** Weeks back from the last day, so that all have as many days. */
function Weeks({ report }: { report: FetchReport }): JSX.Element | null {
  const { locale } = useLanguage()
  const { start, end, days } = report
  const weeks: { from: string; to: string }[] = []
  for (let to = end; to >= start && weeks.length < 13; to = shiftDay(to, -7)) {
    const from = shiftDay(to, -6)
    weeks.push({ from: from < start ? start : from, to })
  }
  if (weeks.length < 2) return null
  return (
    <Table
      title="Week by week"
      heads={['Days']}
      figures={['For people', 'Search index', 'Training']}
      rows={weeks.map(({ from, to }) => {
        const own = days.filter(({ day }) => day >= from && day <= to)
        const sum = (is: (row: { purpose: FetchPurpose }) => boolean) =>
          own.filter(is).reduce((total, row) => total + row.fetches, 0)
        return {
          key: to,
          cells: [`${formatDate(from, locale)} – ${formatDate(to, locale)}`],
          figures: [
            sum(isForAPerson),
            sum(({ purpose }) => purpose === 'search'),
            sum(({ purpose }) => purpose === 'training'),
          ],
        }
      })}
    />
  )
}

interface TableProps {
  title: string
  heads: readonly string[]
  figures: readonly string[]
  rows: readonly {
    key: string
    cells: readonly ComponentChildren[]
    /** Null: it is not known. */
    figures: readonly (number | null)[]
  }[]
  children?: ComponentChildren
}

function Table({ title, heads, figures, rows, children }: TableProps): JSX.Element | null {
  const { locale } = useLanguage()
  if (rows.length === 0) return null
  return (
    <section class="card">
      <h2>{title}</h2>
      <ScrollTable label={title}>
        <table>
          <thead>
            <tr>
              {heads.slice(0, 1).map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
              {figures.map((head) => (
                <th scope="col" class="number" key={head}>
                  {head}
                </th>
              ))}
              {heads.slice(1).map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">{row.cells[0]}</th>
                {row.figures.map((figure, n) => (
                  <td class="number" key={figures[n]}>
                    {figure === null ? '–' : formatNumber(figure, locale)}
                  </td>
                ))}
                {row.cells.slice(1).map((cell, n) => (
                  <td key={heads[n + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollTable>
      {children}
    </section>
  )
}

type SendingProps = NonNullable<FetchesPageProps['sending']> & { domain: string }

/** How a log gets here. */
function Sending({ domain, address, keyId, secret }: SendingProps): JSX.Element {
  const to = `${address}?domain=${domain}`
  return (
    <details class="card no-print">
      <summary>
        <h2 class="folded-title">Send the log of your server</h2>
      </summary>
      <p>
        <Link to={`/tools/collectors?domain=${domain}`}>Choose your server</Link>: nginx, Caddy,
        Node, Cloudflare, Vercel and Netlify have their own code. Or send one request a line as JSON
        to <code>{to}</code>, with a key that may report:
      </p>
      <pre>
        <code>{`curl -X POST '${to}' \\
  -H "Authorization: Bearer $AISLE_KEY" -H 'Content-Type: application/x-ndjson' \\
  --data-binary @requests.ndjson`}</code>
      </pre>
      <p>
        People’s lines and addresses are not stored. A line that comes again counts once. A drain of
        Vercel sends to <code>{`${to}&key=${keyId}`}</code> and signs with this secret, which ends
        with the key that you are signed in with:
      </p>
      <p>
        <code>{secret}</code>
      </p>
    </details>
  )
}
