import { readFileSync } from 'node:fs'

export interface Rule {
  alert: string
  expr: string
  /** All of it, without comments. */
  text: string
}

/** The rules of alerts.yml, whose form is strict enough to be read by lines. */
export function readRules(): Rule[] {
  const file = readFileSync(new URL('../alerts.yml', import.meta.url), 'utf8')
  if (file.includes('\t') || !/^(#.*\n)*groups:\n {2}- name: \S+\n {4}rules:\n/.test(file)) {
    throw new Error('alerts.yml does not have the form that is read here.')
  }
  return file
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((rule) => {
      const text = rule.replaceAll(/^ *#.*\n/gm, '')
      const [, block, line] = /^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/m.exec(text) ?? []
      const expr = (block ?? line ?? '').replaceAll(/\s+/g, ' ').trim()
      return { alert: text.split('\n')[0] ?? '', expr, text }
    })
}

/** What `/metrics` said at one moment: values by series, such as `name{label="value"}`. */
export type Scrape = ReadonlyMap<string, number>

export const readScrape = (exported: string): Scrape =>
  new Map(
    exported
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ')
        return [line.slice(0, end), Number(line.slice(end + 1))]
      }),
  )

/** The series of a scrape that a selector with at most one label selects. */
export function select(scrape: Scrape, selector: string): [series: string, value: number][] {
  const [, name, label, operator = '', value = ''] =
    /^(\w+)(?:\{(\w+)(=~|!~|=|!=)"([^"]+)"\})?$/.exec(selector) ?? []
  return [...scrape].filter(([series]) => {
    if (series.split('{')[0] !== name) return false
    if (label === undefined) return true
    const found = labelOf(series, label)
    const isEqual = operator.endsWith('~')
      ? new RegExp(`^(?:${value})$`).test(found)
      : found === value
    return isEqual === operator.startsWith('=')
  })
}

const labelOf = (series: string, label: string): string =>
  new RegExp(`[{,]${label}="([^"]*)"`).exec(series)?.[1] ?? ''

const SELECTOR = String.raw`([\w]+(?:\{[^}]*\})?)`
const RANGE = String.raw`\[\d+[mh]\]`
const call = (form: string) =>
  new RegExp(
    form
      .replaceAll(/[()]/g, '\\$&')
      .replace('SELECTOR', SELECTOR)
      .replace('RANGE', RANGE)
      .replace('NUMBER', String.raw`([\d.]+)`),
    'g',
  )

/**
 * Whether an expression holds, of one replica with these two scrapes: PromQL's own meaning of the few
 * forms that the file uses, and an error for any other. As in PromQL, a sum of no series is empty and
 * nothing holds of it. A rate is the plain difference, which makes the same ratios.
 */
export function holds({ alert, expr }: Rule, before: Scrape, now: Scrape): boolean {
  const grown = (selector: string) =>
    select(now, selector).flatMap(([series, value]): [string, number][] =>
      // The first sample of a series shows no growth.
      before.has(series) ? [[series, value - (before.get(series) ?? 0)]] : [],
    )
  const sum = (series: [string, number][]) =>
    series.length === 0 ? Number.NaN : series.reduce((total, [, value]) => total + value, 0)
  const max = (series: [string, number][]) =>
    series.length === 0 ? Number.NaN : Math.max(...series.map(([, value]) => value))

  const [, left = '', comparison, threshold] = /^(.+) ([<>]) ([\d.]+)$/.exec(expr) ?? []
  const numbers = left
    .replace(
      call('histogram_quantile(NUMBER, sum by (le) (rate(SELECTORRANGE)))'),
      (_, share, selector) => String(quantile(Number(share), grown(selector))),
    )
    .replaceAll(call('sum(max without (instance, pod) (SELECTOR))'), (_, selector) =>
      String(sum(select(now, selector))),
    )
    .replaceAll(call('sum(rate(SELECTORRANGE))'), (_, selector) => String(sum(grown(selector))))
    .replaceAll(call('sum(increase(SELECTORRANGE))'), (_, selector) => String(sum(grown(selector))))
    .replaceAll(call('max(delta(SELECTORRANGE))'), (_, selector) => String(max(grown(selector))))
    .replaceAll(call('max(SELECTOR)'), (_, selector) => String(max(select(now, selector))))
  if (!/^[\d. ()+\-eNaN]+(\/[\d. ()+\-eNaN]+)?$/.test(numbers)) {
    throw new Error(`${alert}: this form cannot be evaluated here: ${numbers}`)
  }
  const [over = Number.NaN, under = 1] = numbers.split('/').map((side) =>
    side
      .replaceAll(/[()]/g, '')
      .split(' + ')
      .reduce((total, text) => total + Number(text), 0),
  )
  const value = over / under
  return comparison === '<' ? value < Number(threshold) : value > Number(threshold)
}

/**
 * PromQL's histogram_quantile of the growth of buckets: linear within a bucket, and the last finite
 * bound where the rank falls beyond it (https://prometheus.io/docs/prometheus/latest/querying/functions/).
 */
function quantile(share: number, series: [string, number][]): number {
  const counts = new Map<number, number>()
  for (const [name, value] of series) {
    const bound = Number(labelOf(name, 'le').replace('+Inf', 'Infinity'))
    counts.set(bound, (counts.get(bound) ?? 0) + value)
  }
  const buckets = [...counts].sort(([one], [other]) => one - other)
  const rank = share * (buckets.at(-1)?.[1] ?? Number.NaN)
  const at = buckets.findIndex(([, count]) => count >= rank)
  const [bound, count] = buckets[at] ?? [Number.NaN, Number.NaN]
  const [lower, under] = buckets[at - 1] ?? [0, 0]
  if (count === 0) return Number.NaN
  return bound === Number.POSITIVE_INFINITY
    ? lower
    : lower + ((bound - lower) * (rank - under)) / (count - under)
}
