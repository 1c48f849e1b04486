import type { JSX } from 'preact'
import type { Report } from '../../../../shared/attribution/report.ts'
import {
  PRESET_NAMES,
  PRESETS,
  presetOf,
  rangeOf,
} from '../../../../shared/attribution/report-range.ts'
import type { AuditResult } from '../../../../shared/audit/result/result.ts'
import type { RangeFormProps } from '../../../../shared/view/form/RangeForm.tsx'
import { formatNumber } from '../../../../shared/view/format.ts'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { FILTERS } from '../../../../shared/view/report/choice.ts'
import { hasNothing, ReportDashboard } from '../../../../shared/view/report/ReportDashboard.tsx'
import { dayIn } from '../../../../shared/web/moment.ts'
import { Link, useSite } from '../../site.tsx'
import { DomainForm, type DomainFormProps } from '../DomainForm.tsx'
import { SharePanel, type SharePanelProps } from '../share/SharePanel.tsx'
import { AuditStrip } from './AuditStrip.tsx'
import { keptOf, type ReadReportQuery, type ReportAsked, reportHref } from './query.ts'
import { RecentEvents, type RecentEventsProps } from './RecentEvents.tsx'

interface ReportPageProps extends Pick<ReadReportQuery, 'asked' | 'problem'> {
  report: Report
  now: Date
  /** The path of this page, without a query. */
  action: string
  /** Shown only to the holder of a key. */
  own?:
    | {
        choice: Pick<DomainFormProps, 'domains' | 'canType'>
        /** Left out if the key may not see it; null if there is none. */
        audit?: AuditResult | null | undefined
        events: Pick<RecentEventsProps, 'events' | 'canTest' | 'isOpen'>
        /** How often agents read pages for people. */
        answers: number
        share: Pick<SharePanelProps, 'shares'>
      }
    | undefined
}

/** The dashboard, signed in or, with less on it, behind a share link. */
export function ReportPage(props: ReportPageProps): JSX.Element {
  const { report, asked, problem, now, action, own } = props
  const { path } = useSite()
  const { domain } = report
  const isFiltered = FILTERS.some((filter) => asked[filter] !== undefined)
  const href = (change: Partial<ReportAsked>) => reportHref(action, { ...asked, ...change })
  return (
    <>
      <h1>AI commerce on {domain}</h1>
      {own !== undefined && <DomainForm action={action} domain={domain} {...own.choice} />}
      {problem !== null && (
        <Notice kind="warning" title="That period cannot be shown. These are the last 28 days">
          <p>{problem}</p>
        </Notice>
      )}
      <ReportDashboard
        report={report}
        picker={{
          choice: asked,
          hrefOf: (change, place) => href(change) + (place === undefined ? '' : `#${place}`),
        }}
        today={todayOf(props)}
        range={rangeForm(props)}
        csvHref={reportHref(action, asked, 'csv')}
        {...(own && {
          ...(own.audit != null && { failuresHref: path(`/audits/${domain}`) }),
          zoneHref: path(`/properties?domain=${domain}`),
          totalsHref: path('/docs/reportTotals'),
        })}
        firstSteps={
          own && {
            snippetHref: path(`/properties?domain=${domain}`),
            eventsHref: path(`/tools/orders?domain=${domain}`),
            ...(own.events.canTest && { testHref: '#events' }),
          }
        }
      />
      {own !== undefined && (
        <>
          {own.audit !== undefined && <AuditStrip domain={domain} audit={own.audit} />}
          <p class="strip no-print">
            <span>
              {own.answers === 0
                ? 'No log shows what agents read here: they run no script.'
                : `Agents read pages ${formatNumber(own.answers)} times for answers.`}
            </span>
            <Link to={`/fetches?domain=${domain}&start=${asked.start}&end=${asked.end}`}>
              See what they read
            </Link>
          </p>
          <RecentEvents
            domain={domain}
            now={now}
            {...own.events}
            isOpen={own.events.isOpen || (hasNothing(report) && !isFiltered)}
          />
          <SharePanel domain={domain} view="report" {...own.share} />
        </>
      )}
    </>
  )
}

/** Today in the store's time zone. */
const todayOf = ({ report, now }: ReportPageProps): string => dayIn(now.getTime(), report.time_zone)

function rangeForm(props: ReportPageProps): RangeFormProps {
  const { report, asked, action } = props
  const { start, end, granularity, compare } = asked
  const today = todayOf(props)
  const current = presetOf({ start, end }, today)
  return {
    action,
    start,
    end,
    granularity,
    compare,
    currency: report.currency,
    currencies: Object.keys(report.revenue_by_currency),
    ...((report.lookback_days > 1 || report.touch === 'first') && { touch: report.touch }),
    hidden: keptOf(asked),
    presets: PRESETS.map((preset) => ({
      label: PRESET_NAMES[preset],
      href: reportHref(action, { ...asked, ...rangeOf(preset, today) }),
      isCurrent: preset === current,
    })),
  }
}
