import { stringify } from 'csv-stringify/sync'
import {
  isForAPerson,
  type PageRow,
  priceSeenAt,
} from '../../../shared/attribution/fetches/report.ts'
import type { FetchReport } from '../../../shared/audit/fetch-report.ts'
import { readNamedDaySums } from '../../db/attribution/day-sums.ts'
import { readProductPages } from '../../db/attribution/product-titles.ts'
import type { Db } from '../../db/connect.ts'
import { readRollupBySurface } from '../../db/events/rollups.ts'
import {
  type FetchRange,
  readAgents,
  readFetchDays,
  readGonePages,
  readLastCrawls,
  readOver,
  readPages,
  readRefused,
  readWalls,
} from '../../db/fetches/report.ts'
import { gapsMet } from './gaps-met.ts'

/** What agents read of a store, what came of it, and what they met. */
export async function loadFetchReport(db: Db, range: FetchRange, now: Date): Promise<FetchReport> {
  const { domain, start, end } = range
  const [agents, days, walls, refused, products, over, pages, sold] = await Promise.all([
    readAgents(db, range),
    readFetchDays(db, range),
    readWalls(db, range),
    readRefused(db, range),
    readGonePages(db, range),
    readOver(db, range),
    loadPages(db, range, now),
    readRollupBySurface(db, {
      ...{ domain, from: start, start, end, compared: null, granularity: 'month' as const },
    }),
  ])
  const surfaces = new Set([
    ...agents.filter(isForAPerson).map(({ surface }) => surface),
    ...sold.map(({ surface }) => surface),
  ])
  return {
    ...range,
    ...{ agents, days, walls, over, pages, gaps: gapsMet({ agents, refused, products, walls }) },
    surfaces: [...surfaces]
      .map((surface) => {
        const own = sold.filter((row) => row.surface === surface)
        const reads = agents.filter((row) => row.surface === surface && isForAPerson(row))
        return {
          surface,
          answers: total(reads, ({ read }) => read),
          sessions: total(own, ({ sessions }) => sessions),
          orders: total(own, ({ completed }) => completed),
        }
      })
      .sort(
        (a, b) => b.orders - a.orders || b.answers - a.answers || (a.surface < b.surface ? -1 : 1),
      ),
  }
}

async function loadPages(db: Db, range: FetchRange, now: Date): Promise<PageRow[]> {
  const { domain, start, end } = range
  const [read, products] = await Promise.all([readPages(db, range), readProductPages(db, domain)])
  const paths = read.map(({ path }) => path)
  const onPage = Map.groupBy(products, ({ path }) => path)
  const ids = paths.flatMap((path) => onPage.get(path)?.map(({ product_id }) => product_id) ?? [])
  const days = { from: start, to: end }
  const [crawls, landed, sold] = await Promise.all([
    readLastCrawls(db, range, paths),
    readNamedDaySums(db, domain, days, { dimension: 'landing', names: paths }),
    readNamedDaySums(db, domain, days, { dimension: 'product', names: ids }),
  ])
  return read.map((page) => {
    const own = onPage.get(page.path) ?? []
    // A product is called less than its variants.
    const [first] = own.toSorted((a, b) => a.title.length - b.title.length)
    const clicks = landed.rows.filter(({ name }) => name === page.path)
    const product_ids = own.map(({ product_id }) => product_id)
    const orders = sold.rows.filter(({ name }) => product_ids.includes(name))
    const isClicked = landed.counted.has(page.path)
    const isSold = product_ids.every((id) => sold.counted.has(id))
    return {
      ...page,
      ...{ name: first?.title ?? null, product_ids },
      clicked: isClicked ? total(clicks, ({ sessions }) => sessions) : null,
      bought:
        own.length > 0
          ? isSold
            ? total(orders, (row) => row.orders)
            : null
          : isClicked
            ? total(clicks, (row) => row.orders)
            : null,
      seen: crawls
        .filter(({ path }) => path === page.path)
        .map(({ operator, last_at }) => ({
          operator,
          last_at: last_at.toISOString(),
          ...priceSeenAt(last_at, first, now),
        })),
    }
  })
}

const total = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0)

/** The pages of a report for a spreadsheet, with formulas escaped. */
export const fetchCsv = ({ pages }: FetchReport): string =>
  stringify(
    [
      ['path', 'product', 'product_ids', 'read_for_answers', 'crawled', 'clicked', 'bought'],
      ...pages.map(({ path, name, product_ids, answers, crawls, clicked, bought }) => [
        ...[path, name ?? '', product_ids.join(' '), answers, crawls, clicked ?? '', bought ?? ''],
      ]),
    ],
    { bom: true, escape_formulas: true, quoted_match: /[\r\n]/, record_delimiter: 'windows' },
  )
