import {
  PRESET_NAMES,
  PRESETS,
  presetOf,
  type RangeFault,
  rangeOf,
} from '../../../shared/attribution/report-range.ts'
import { Action } from '../../../shared/view/Action.tsx'
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
  const { go, server } = useApp()
  const last = useStored(reportRange)
  if (server !== null) {
    // Only the first counts: another window's range is not that of this one.
    return last === null ? null : <ReportOf key={server.id} server={server} last={last} />
  }
  return (
    <Notice
      kind="info"
      title="See what AI brings you"
      action={{ label: 'Connect a server', onAct: () => go('options'), primary: true }}
    >
      <p>
        An Aisle server counts the sessions, orders and revenue that AI assistants and agents bring.
        Connect one under Options.
      </p>
    </Notice>
  )
}

const FAULTS: Record<RangeFault | 'no_domain', string> = {
  no_domain: 'Enter the domain of your store, then choose Show.',
  no_day: 'Enter both dates.',
  out_of_reach: 'Enter dates from 2000 to 2999.',
  reversed: 'The start date is after the end date. Swap them.',
  too_long:
    'This range is too long to be shown like this. Choose week or month, or a shorter range.',
}

/** The report of a server, with its range and its domain. */
function ReportOf({ server, last }: { server: Server; last: KeptRange }) {
  const state = useReport(server, last)
  const { today, range, fault, properties, report, csv, shown } = state
  const currencies = Object.keys(shown?.report.revenue_by_currency ?? {}).toSorted()
  const current = presetOf(range, today)
  const about = encodeURIComponent(shown?.report.domain ?? '')
  return (
    <>
      <DomainField
        options={state.options}
        domain={state.domain ?? ''}
        onChoose={state.choose}
        onType={state.type}
        onEnter={() => state.load(range)}
      />
      {(state.isUnasked || state.options.length === 0) && (
        <div class="actions">
          <Action label="Show" onAct={() => state.load(range)} />
        </div>
      )}
      <RangeForm
        // Reset only for another range: what is typed while a report loads stays.
        key={JSON.stringify(range)}
        {...range}
        currency={range.currency ?? shown?.report.currency ?? null}
        action=""
        currencies={currencies}
        presets={PRESETS.map((preset) => ({
          label: PRESET_NAMES[preset],
          href: '#',
          isCurrent: preset === current,
          onPick: () => state.load({ ...range, ...rangeOf(preset, today) }),
        }))}
        onRange={state.load}
      />
      {state.isUnasked && <p class="quiet">Choose Show to ask for this domain.</p>}
      {fault !== null && <Notice kind="error" title={FAULTS[fault]} />}
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
            ? 'Loading the report…'
            : report.is === 'done'
              ? `Report of ${report.value.report.domain} from ${report.value.report.period.start} to ${report.value.report.period.end}.`
              : ''
        }
        hidden
      />
      <LiveRegion text={csv.is === 'done' ? `Saved ${csv.value}.` : ''} />
      {shown !== null && fault === null && (
        <div aria-busy={report.is === 'running'}>
          <ReportDashboard
            report={shown.report}
            picker={{ choice: shown.choice, onPick: state.pick }}
            today={today}
            onCsv={state.saveCsv}
            newTab
            failuresHref={`${server.url}/audits/${about}`}
            zoneHref={`${server.url}/properties?domain=${about}`}
            totalsHref={`${server.url}/docs/reportTotals`}
            firstSteps={{
              snippetHref: `${server.url}/properties?domain=${about}`,
              eventsHref: `${server.url}/tools/orders?domain=${about}`,
              testHref: `${server.url}/report?domain=${about}#events`,
            }}
          />
        </div>
      )}
    </>
  )
}
