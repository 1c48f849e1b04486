import { useEffect, useState } from 'preact/hooks'
import type { Property } from '../../../shared/attribution/property.ts'
import type { Report } from '../../../shared/attribution/report.ts'
import { type RangeFault, rangeFault, rangeOf } from '../../../shared/attribution/report-range.ts'
import type { RangeValues } from '../../../shared/view/form/RangeForm.tsx'
import type { ReportRequest } from '../../api/client.ts'
import { useApp } from '../app/app-state.ts'
import type { Server } from '../app/server.ts'
import { downloadText } from '../export/copy-and-save.ts'
import { newestOf } from '../tasks/task-state.ts'
import { useTask } from '../tasks/use-task.ts'
import { reportDomains } from './report-domains.ts'

const queryOf = (domain: string, { compare, currency, ...days }: RangeValues): ReportRequest => ({
  domain,
  ...days,
  ...(compare && { compare: 'previous' }),
  ...(currency !== null && { currency }),
})

/**
 * The report of one storefront: of which, over which days, and what came of asking. Asks the server
 * by itself only for a domain that belongs to the key.
 */
export function useReport({ api }: Server) {
  const { page } = useApp()
  const open = page.audit?.domain ?? null
  // Not kept: a panel may stay open over midnight.
  const now = new Date()
  const [range, setRange] = useState<RangeValues>(() => ({
    ...rangeOf('last_28', now),
    compare: true,
    currency: null,
  }))
  const [chosen, choose] = useState<string | null>(null)
  const [fault, setFault] = useState<RangeFault | 'no_domain' | null>(null)
  const properties = useTask<Property[]>()
  const report = useTask<Report>()
  const csv = useTask<string>()
  const own = newestOf(properties.task)
  const isKnown = own !== null && (open !== null || !page.isChecking)
  const { options, first, isOwn } = reportDomains(own?.map(({ domain }) => domain) ?? [], open)
  const domain = chosen ?? first

  const load = (domain: string | null, range: RangeValues) => {
    const asked = domain?.trim() ?? ''
    const found = asked === '' ? 'no_domain' : rangeFault(range)
    setRange(range)
    setFault(found)
    csv.forget()
    // The figures of one shop must not stand below the name of another.
    if (asked !== newestOf(report.task)?.domain) report.forget()
    if (found === null) report.start((signal) => api.report(queryOf(asked, range), signal))
  }
  const reload = () => {
    properties.start((signal) => api.properties(signal))
  }
  useEffect(reload, [api])
  useEffect(() => {
    if (isKnown && isOwn && chosen === null) load(first, range)
  }, [isKnown, isOwn, first])

  const saveCsv = () => {
    const shown = newestOf(report.task)
    if (shown === null) return
    const { domain, period } = shown
    csv.start(async (signal) => {
      const answer = await api.reportCsv(queryOf(domain, { ...range, ...period }), signal)
      const name = `aisle-report-${domain}-${period.start}-${period.end}.csv`
      if (answer.ok) downloadText(name, 'text/csv', answer.value)
      return answer.ok ? { ok: true, value: name } : answer
    })
  }
  return {
    now,
    range,
    fault,
    options,
    domain,
    choose: (next: string) => {
      choose(next)
      if (options.includes(next)) load(next, range)
    },
    load: (next: RangeValues) => load(domain, next),
    saveCsv,
    reload,
    properties: properties.task,
    report: report.task,
    csv: csv.task,
  }
}
