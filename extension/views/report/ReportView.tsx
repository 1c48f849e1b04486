import { PRESETS, presetOf, rangeOf } from '../../../shared/attribution/report-range.ts'
import { RangeForm } from '../../../shared/view/form/RangeForm.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import { ReportDashboard } from '../../../shared/view/report/ReportDashboard.tsx'
import { type KeptRange, reportRange } from '../../stored/storage.ts'
import { useStored } from '../../stored/use-stored.ts'
import { useApp } from '../app/app-state.ts'
import { LiveRegion } from '../app/LiveRegion.tsx'
import type { Server } from '../app/server.ts'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { DomainField } from './DomainField.tsx'
import { useReport } from './use-report.ts'

/** What AI surfaces brought to a storefront. */
export function ReportView() {
  const { text, go, server } = useApp()
  const last = useStored(reportRange)
  if (server !== null) {
    // Only the first counts: another window's range is not that of this one.
    return last === null ? null : <ReportOf key={server.id} server={server} last={last} />
  }
  return (
    <Notice
      kind="info"
      title={text('report_connect_title')}
      action={{ label: text('store_connect'), onAct: () => go('options'), primary: true }}
    >
      <p>{text('report_connect_text')}</p>
    </Notice>
  )
}

/** The report of a server, with its range and its domain. */
function ReportOf({ server, last }: { server: Server; last: KeptRange }) {
  const { text } = useApp()
  const state = useReport(server, last)
  const { today, range, fault, properties, report, csv, shown } = state
  const currencies = Object.keys(shown?.report.revenue_by_currency ?? {}).toSorted()
  const current = presetOf(range, today)
  return (
    <>
      <DomainField
        options={state.options}
        domain={state.domain ?? ''}
        onChoose={state.choose}
        onType={state.type}
        onEnter={() => state.load(range)}
      />
      <RangeForm
        // Reset only for another range: what is typed while a report loads stays.
        key={JSON.stringify(range)}
        {...range}
        currency={range.currency ?? shown?.report.currency ?? null}
        action=""
        currencies={currencies}
        presets={PRESETS.map((preset) => ({
          label: text(`preset_${preset}`),
          href: '#',
          isCurrent: preset === current,
          onPick: () => state.load({ ...range, ...rangeOf(preset, today) }),
        }))}
        onRange={state.load}
      />
      {state.isUnasked && <p class="quiet">{text('report_not_asked')}</p>}
      {fault !== null && <Notice kind="error" title={text(`report_${fault}`)} />}
      {properties.is === 'failed' && report.is === 'idle' && (
        <FailureNotice failure={properties.failure} at={properties.at} onRetry={state.reload} />
      )}
      {report.is === 'failed' && fault === null && (
        <FailureNotice failure={report.failure} at={report.at} onRetry={state.retry} />
      )}
      {csv.is === 'failed' && (
        <FailureNotice failure={csv.failure} at={csv.at} onRetry={state.saveCsv} />
      )}
      <LiveRegion
        text={
          report.is === 'running'
            ? text('report_loading')
            : report.is === 'done'
              ? text(
                  'report_loaded',
                  report.value.report.domain,
                  report.value.report.period.start,
                  report.value.report.period.end,
                )
              : ''
        }
        hidden
      />
      <LiveRegion text={csv.is === 'done' ? text('saved', csv.value) : ''} />
      {shown !== null && fault === null && (
        <div aria-busy={report.is === 'running'}>
          <ReportDashboard
            report={shown.report}
            picker={{ choice: shown.choice, onPick: state.pick }}
            today={today}
            onCsv={state.saveCsv}
            firstSteps={{
              snippetHref: `${server.url}/tools/snippet?domain=${encodeURIComponent(shown.report.domain)}`,
              eventsHref: `${server.url}/help#report`,
              testHref: `${server.url}/report?domain=${encodeURIComponent(shown.report.domain)}#events`,
              newTab: true,
            }}
          />
        </div>
      )}
    </>
  )
}
