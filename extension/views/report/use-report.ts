import { useEffect, useState } from 'preact/hooks'
import type { Property } from '../../../shared/attribution/property.ts'
import { MAIN_CURRENCY, type Report } from '../../../shared/attribution/report.ts'
import { type RangeFault, rangeFault, rangeOf } from '../../../shared/attribution/report-range.ts'
import type { RangeValues } from '../../../shared/view/form/RangeForm.tsx'
import {
  choiceQuery,
  FILTERS,
  type ReportChoice,
  USUAL_CHOICE,
} from '../../../shared/view/report/choice.ts'
import { pastedDomain } from '../../../shared/web/domain.ts'
import { dayIn } from '../../../shared/web/moment.ts'
import type { ReportRequest } from '../../api/client.ts'
import { useApp } from '../app/app-state.ts'
import type { Server } from '../app/server.ts'
import { downloadText } from '../export/copy-and-save.ts'
import { newestOf } from '../tasks/task-state.ts'
import { useTask } from '../tasks/use-task.ts'
import { reportDomains } from './report-domains.ts'

/** What is asked for: a range, and what is shown of it. */
interface Wanted {
  range: RangeValues
  choice: ReportChoice
}

/** What came of it. */
interface Shown {
  report: Report
  choice: ReportChoice
}

function queryOf(domain: string, { range, choice }: Wanted): ReportRequest {
  const { compare, currency, ...days } = range
  const { limit, ...rest } = choiceQuery(choice)
  return {
    domain,
    ...days,
    ...rest,
    limit: String(limit),
    ...(compare && { compare: 'previous' }),
    // All figures of a view are of one currency.
    currency: currency ?? MAIN_CURRENCY,
  }
}

const NO_FILTERS = Object.fromEntries(FILTERS.map((filter) => [filter, undefined]))

/**
 * The report of one storefront: of which, over which days, and what came of asking. Asks the server
 * by itself only for a domain that belongs to the key.
 */
export function useReport({ api }: Server) {
  const { page } = useApp()
  const open = page.domain
  // Not kept: a panel may stay open over midnight.
  const now = new Date()
  const [wanted, setWanted] = useState<Wanted>(() => ({
    range: {
      ...rangeOf('last_28', dayIn(now.getTime(), undefined)),
      compare: true,
      currency: null,
    },
    choice: USUAL_CHOICE,
  }))
  const [chosen, choose] = useState<string | null>(null)
  const [fault, setFault] = useState<RangeFault | 'no_domain' | null>(null)
  const properties = useTask<Property[]>()
  // Kept together: figures must not stand under filters that they were not asked for with.
  const report = useTask<Shown>()
  const csv = useTask<string>()
  const own = newestOf(properties.task)
  const isKnown = own !== null && (open !== null || !page.isChecking)
  const { options, first, isOwn } = reportDomains(own?.map(({ domain }) => domain) ?? [], open)
  const domain = chosen ?? first

  const load = (domain: string | null, { range, choice }: Wanted) => {
    // In the form that the report has it: an address that was pasted, or capitals, mean the same
    // domain.
    const asked = pastedDomain(domain?.trim() ?? '')
    const isOther = asked !== newestOf(report.task)?.report.domain
    // A page or a product of one shop is none of another's.
    const next = { range, choice: isOther ? { ...choice, ...NO_FILTERS } : choice }
    const found = asked === '' ? 'no_domain' : rangeFault(range)
    setWanted(next)
    setFault(found)
    csv.forget()
    // The figures of one shop must not stand below the name of another.
    if (isOther) report.forget()
    if (found !== null) return
    report.start(async (signal) => {
      const answer = await api.report(queryOf(asked, next), signal)
      return answer.ok ? { ok: true, value: { report: answer.value, choice: next.choice } } : answer
    })
  }
  const reload = () => {
    properties.start((signal) => api.properties(signal))
  }
  useEffect(reload, [api])
  useEffect(() => {
    if (isKnown && isOwn && chosen === null) load(first, wanted)
  }, [isKnown, isOwn, first])

  const saveCsv = () => {
    const shown = newestOf(report.task)
    if (shown === null) return
    const { domain, period } = shown.report
    csv.start(async (signal) => {
      const answer = await api.reportCsv(
        queryOf(domain, { choice: shown.choice, range: { ...wanted.range, ...period } }),
        signal,
      )
      const name = `aisle-report-${domain}-${period.start}-${period.end}.csv`
      if (answer.ok) downloadText(name, 'text/csv', answer.value)
      return answer.ok ? { ok: true, value: name } : answer
    })
  }
  const shown = newestOf(report.task)
  const { metric, sort } = wanted.choice
  return {
    /** The day that it is in the shop's zone, as soon as that is known. */
    today: dayIn(now.getTime(), shown?.report.time_zone),
    range: wanted.range,
    fault,
    options,
    domain,
    /** The only domain is that of the open page, which is not told to the server unasked. */
    isUnasked: isKnown && first !== null && !isOwn && report.task.is === 'idle',
    choose: (next: string) => {
      choose(next)
      if (options.includes(next)) load(next, wanted)
    },
    load: (range: RangeValues) => load(domain, { ...wanted, range }),
    pick: ({ currency, ...change }: Partial<ReportChoice>) => {
      const choice = { ...wanted.choice, ...change }
      const range = currency === undefined ? wanted.range : { ...wanted.range, currency }
      const isSame =
        JSON.stringify(choiceQuery(choice)) === JSON.stringify(choiceQuery(wanted.choice))
      // Another figure is drawn from the same answer.
      if (isSame && currency === undefined) setWanted({ range, choice })
      else load(shown?.report.domain ?? domain, { range, choice })
    },
    saveCsv,
    reload,
    properties: properties.task,
    report: report.task,
    /**
     * The newest report, and the choice that it is of; its charts and sorting follow at a click.
     */
    shown: shown && { report: shown.report, choice: { ...shown.choice, metric, sort } },
    csv: csv.task,
  }
}
