import { useEffect, useState } from 'preact/hooks'
import type { Property } from '../../../shared/attribution/property.ts'
import type { Report } from '../../../shared/attribution/report.ts'
import {
  type Preset,
  presetOf,
  type RangeFault,
  rangeFault,
  rangeOf,
} from '../../../shared/attribution/report-range.ts'
import type { RangeValues } from '../../../shared/view/form/RangeForm.tsx'
import {
  choiceQuery,
  FILTERS,
  type ReportChoice,
  USUAL_CHOICE,
} from '../../../shared/view/report/choice.ts'
import { pastedDomain } from '../../../shared/web/address/domain.ts'
import { dayIn } from '../../../shared/web/moment.ts'
import type { ReportRequest } from '../../api/client.ts'
import { type KeptRange, reportRange } from '../../stored/storage.ts'
import { useApp } from '../app/app-state.ts'
import type { Server } from '../app/server.ts'
import { downloadText } from '../export/copy-and-save.ts'
import { newestOf } from '../tasks/task-state.ts'
import { useTask } from '../tasks/use-task.ts'
import { reportDomains } from './report-domains.ts'

/** The request: a range, and the view of it. */
interface Wanted {
  range: RangeValues
  /** The preset that `range` was made of, so that another store gets its own days. */
  preset: Preset | null
  choice: ReportChoice
}

/** The outcome. */
interface Shown {
  report: Report
  wanted: Wanted
}

function queryOf(domain: string, { range, choice }: Omit<Wanted, 'preset'>): ReportRequest {
  const { compare, currency, ...days } = range
  const { limit, ...rest } = choiceQuery(choice)
  return {
    domain,
    ...days,
    ...rest,
    limit: String(limit),
    ...(compare && { compare: 'previous' }),
    ...(currency !== null && { money_in: currency }),
  }
}

function firstWanted({ preset, range }: KeptRange): Wanted {
  const { start, end, granularity } = rangeOf(preset ?? 'last_28', dayIn(Date.now(), undefined))
  const usual = { start, end, granularity, compare: true, currency: null }
  return {
    range: range === null ? usual : preset === null ? range : { ...range, start, end },
    preset,
    choice: USUAL_CHOICE,
  }
}

const NO_FILTERS = Object.fromEntries(FILTERS.map((filter) => [filter, undefined]))

/**
 * The report of one storefront: the domain, the days, and the outcome. Requested without a click
 * only for a domain that belongs to the key. It starts with the range of the last time.
 */
export function useReport({ api }: Server, last: KeptRange) {
  const { page } = useApp()
  const open = page.domain
  const [wanted, setWanted] = useState<Wanted>(() => firstWanted(last))
  /** The value of the field if there is nothing to choose from. */
  const [typed, type] = useState('')
  const [chosen, choose] = useState<string | null>(null)
  const [fault, setFault] = useState<RangeFault | 'no_domain' | null>(null)
  const properties = useTask<Property[]>()
  // Stored together: figures must not appear under other filters than theirs.
  const report = useTask<Shown>()
  const csv = useTask<string>()
  const shown = newestOf(report.task)
  const own = newestOf(properties.task)
  const isKnown = own !== null && (open !== null || !page.isChecking)
  const { options, domain, isOwn } = reportDomains(
    own?.map(({ domain }) => domain) ?? [],
    open,
    chosen,
  )
  /** Today in the store's time zone; in UTC until that is known. */
  const todayAt = (shop: string | null) => {
    const known = [...(shown === null ? [] : [shown.report]), ...(own ?? [])]
    const zone = known.find(({ domain }) => domain === shop)?.time_zone
    // Not cached: a panel may stay open over midnight.
    return dayIn(Date.now(), zone)
  }

  const load = (shop: string | null, { range, preset, choice }: Wanted) => {
    // In the report's form: a pasted address, or capitals, mean the same domain.
    const asked = pastedDomain(shop?.trim() ?? '')
    const isOther = asked !== shown?.report.domain
    const next = isOther
      ? // A page, a product or a currency of one store does not exist in another.
        { range: { ...range, currency: null }, preset, choice: { ...choice, ...NO_FILTERS } }
      : { range, preset, choice }
    const found = asked === '' ? 'no_domain' : rangeFault(range)
    setWanted(next)
    setFault(found)
    type(asked)
    const isKeys = own?.some(({ domain }) => domain === asked) ?? false
    // The report of a storefront is replaced by that of the next one that is opened; others stay.
    if (asked !== '' && !isKeys) choose(asked)
    csv.forget()
    // The figures of one store must not appear below the name of another.
    if (isOther) report.forget()
    if (found !== null) return
    // The currency is of one store. Storage may refuse: the report is shown all the same.
    void reportRange.setValue({ preset, range: { ...range, currency: null } }).catch(() => {})
    report.start(async (signal) => {
      const answer = await api.report(queryOf(asked, next), signal)
      return answer.ok ? { ok: true, value: { report: answer.value, wanted: next } } : answer
    })
  }
  /** The days of a preset end with the store's own today. */
  const turnTo = (shop: string | null) => {
    const { preset, range } = wanted
    const { start, end } = preset === null ? range : rangeOf(preset, todayAt(shop))
    load(shop, { ...wanted, range: { ...range, start, end } })
  }
  const reload = () => {
    properties.start((signal) => api.properties(signal))
  }
  useEffect(reload, [api])
  useEffect(() => {
    if (isKnown && isOwn && chosen === null) turnTo(domain)
  }, [isKnown, isOwn, domain])

  const saveCsv = () => {
    if (shown === null) return
    const { range, choice } = shown.wanted
    const { domain, period } = shown.report
    csv.start(async (signal) => {
      const answer = await api.reportCsv(
        queryOf(domain, { choice, range: { ...range, ...period } }),
        signal,
      )
      const name = `aisle-report-${domain}-${period.start}-${period.end}.csv`
      if (answer.ok) downloadText(name, 'text/csv', answer.value)
      return answer.ok ? { ok: true, value: name } : answer
    })
  }
  const { metric, sort } = wanted.choice
  const today = todayAt(domain)
  return {
    today,
    range: wanted.range,
    fault,
    options,
    domain: options.length === 0 ? typed : domain,
    /** The only domain is that of the open page, which is not sent to the server unasked. */
    isUnasked: isKnown && options.length > 0 && !isOwn && report.task.is === 'idle',
    choose: (next: string) => {
      choose(next)
      turnTo(next)
    },
    type,
    load: (range: RangeValues) =>
      load(options.length === 0 ? typed : domain, {
        ...wanted,
        range,
        preset: presetOf(range, today),
      }),
    /** The failure is shown even while another domain is being typed. */
    retry: () => load(domain, wanted),
    pick: ({ currency, ...change }: Partial<ReportChoice>) => {
      const choice = { ...wanted.choice, ...change }
      const range = currency === undefined ? wanted.range : { ...wanted.range, currency }
      const next = { ...wanted, range, choice }
      const isSame =
        JSON.stringify(choiceQuery(choice)) === JSON.stringify(choiceQuery(wanted.choice))
      // Another figure is drawn from the same answer.
      if (isSame && currency === undefined) setWanted(next)
      else load(shown?.report.domain ?? domain, next)
    },
    saveCsv,
    reload,
    properties: properties.task,
    report: report.task,
    /**
     * The newest report, and the choice that it is of; its charts and sorting change at a click.
     */
    shown: shown && { report: shown.report, choice: { ...shown.wanted.choice, metric, sort } },
    csv: csv.task,
  }
}
