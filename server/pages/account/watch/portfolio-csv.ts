import { stringify } from 'csv-stringify/sync'
import { exponentOf } from '../../../../shared/commerce/iso.ts'
import type { AiRevenue } from '../../../db/watch/portfolio.ts'
import type { PortfolioEntry } from './portfolio.ts'
import { STATUS_WORDS } from './words.ts'

/** The header of the file; amounts are in whole units of `currency`, such as 49.99. */
const COLUMNS = [
  'domain',
  'state',
  'tags',
  'score',
  'grade',
  'score_change_30_days',
  'open_incidents',
  'worst_severity',
  'worst_incident',
  'other_open_gaps',
  'ai_revenue_30_days',
  'ai_revenue_30_days_before',
  'currency',
  'other_currencies',
  'last_look',
  'next_look',
  'late',
  'why_not_seen',
] as const
type Row = Record<(typeof COLUMNS)[number], string | number>

// Unspecified: in the portfolio's CSV a domain is one row. Its amounts are in the currency of most
// of its orders; sales in others are in a text column.

/**
 * The portfolio as CSV (RFC 4180), with a byte order mark, so that Excel reads it as UTF-8, and
 * with formulas escaped (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export const portfolioCsv = (entries: readonly PortfolioEntry[]): string =>
  stringify(
    [
      [...COLUMNS],
      ...entries.map((entry) => {
        const row = rowOf(entry)
        return COLUMNS.map((column) => row[column])
      }),
    ],
    {
      bom: true,
      escape_formulas: true,
      quoted_match: /[\r\n]/,
      record_delimiter: 'windows',
    },
  )

function rowOf(entry: PortfolioEntry): Row {
  const { domain, status, tags, score, grade, open, revenue, paused_at } = entry
  const [main, ...others] = revenue ?? []
  const [worst] = open
  return {
    domain,
    state: STATUS_WORDS[status],
    tags: tags.join(', '),
    score: score ?? '',
    grade: grade ?? '',
    score_change_30_days: entry.change ?? '',
    open_incidents: entry.incidents,
    worst_severity: worst?.severity ?? '',
    worst_incident: worst?.label ?? '',
    other_open_gaps: entry.otherGaps,
    ai_revenue_30_days: main === undefined ? '' : wholeOf(main.revenue, main),
    ai_revenue_30_days_before: main === undefined ? '' : wholeOf(main.revenue_before, main),
    currency: main?.currency ?? '',
    other_currencies: others
      .map((sold) => `${wholeOf(sold.revenue, sold)} ${sold.currency}`)
      .join('; '),
    last_look: entry.looked_at?.toISOString() ?? '',
    next_look: paused_at === null ? entry.next_at.toISOString() : '',
    late: entry.isLate ? 'yes' : 'no',
    why_not_seen: entry.outcome === 'seen' ? '' : (entry.why ?? ''),
  }
}

const wholeOf = (amount: number, { currency }: Pick<AiRevenue, 'currency'>): number =>
  amount / 10 ** exponentOf(currency)
