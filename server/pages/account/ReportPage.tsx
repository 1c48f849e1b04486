import type { JSX } from 'preact'
import type { Report } from '../../../shared/report.ts'
import { PRESETS, type Preset, presetOf, rangeOf } from '../../../shared/report-range.ts'
import { useLanguage } from '../../../shared/view/language.ts'
import type { RangeFormProps } from '../../../shared/view/RangeForm.tsx'
import { ReportView } from '../../../shared/view/ReportView.tsx'
import { useSite } from '../site.tsx'
import { DomainForm } from './DomainForm.tsx'
import { RecentEvents, type RecentEventsProps } from './RecentEvents.tsx'
import { type ReportAsked, reportHref } from './report-query.ts'
import { SharePanel, type SharePanelProps } from './SharePanel.tsx'

const PRESET_NAMES: Record<Preset, string> = {
  last_7: 'Last 7 days',
  last_28: 'Last 28 days',
  last_90: 'Last 90 days',
  month: 'This month',
  year: 'This year',
}

export interface ReportPageProps {
  report: Report
  asked: ReportAsked
  now: Date
  /** The path of this page, without a query. */
  action: string
  /** What only the holder of a key sees. */
  own?:
    | {
        domains: readonly string[]
        events: Pick<RecentEventsProps, 'events' | 'canTest'>
        share: Pick<SharePanelProps, 'shares'>
      }
    | undefined
}

/** The dashboard: the signed-in one, and with less beside it the one behind a link. */
export function ReportPage({ report, asked, now, action, own }: ReportPageProps): JSX.Element {
  const { path } = useSite()
  const { domain } = report
  const href = (change: Partial<ReportAsked>) => reportHref(action, { ...asked, ...change })
  return (
    <>
      <h1>AI commerce of {domain}</h1>
      {own !== undefined && own.domains.length > 1 && (
        <DomainForm action={action} domain={domain} domains={own.domains} />
      )}
      <ReportView
        report={report}
        metric={asked.metric}
        hrefOf={(metric) => href({ metric })}
        today={now.toISOString().slice(0, 10)}
        range={rangeForm({ report, asked, now, action, isOwn: own !== undefined })}
        csvHref={href({ format: 'csv' })}
        currencyHref={(currency) => href({ currency })}
        firstSteps={
          own && {
            snippetHref: path(`/tools/snippet?domain=${domain}`),
            eventsHref: path('/help#report'),
            testHref: '#events',
          }
        }
      />
      {own !== undefined && (
        <>
          <RecentEvents domain={domain} now={now} {...own.events} />
          <SharePanel domain={domain} view="report" {...own.share} />
        </>
      )}
    </>
  )
}

function rangeForm({
  report,
  asked,
  now,
  action,
  isOwn,
}: Omit<ReportPageProps, 'own'> & { isOwn: boolean }): RangeFormProps {
  const { start, end, granularity } = asked
  const current = presetOf({ start, end, granularity, compare: asked.compare }, now)
  return {
    action,
    start,
    end,
    granularity,
    compare: asked.compare,
    currency: report.currency,
    currencies: Object.keys(report.revenue_by_currency),
    hidden: { metric: asked.metric, ...(isOwn && { domain: report.domain }) },
    presets: PRESETS.map((preset) => ({
      label: PRESET_NAMES[preset],
      href: reportHref(action, { ...asked, ...rangeOf(preset, now) }),
      isCurrent: preset === current,
    })),
  }
}

/** Instead of a report: the key covers no domain that is known here. */
export function NoDomains(): JSX.Element {
  const { text } = useLanguage()
  const { path } = useSite()
  return (
    <>
      <h1>{text('empty_title')}</h1>
      <p>
        No storefront has reported anything yet. Name a domain to see its report, or{' '}
        <a href={path('/tools/snippet')}>begin with the snippet</a>.
      </p>
      <DomainForm action={path('/report')} domain="" domains={[]} />
    </>
  )
}
