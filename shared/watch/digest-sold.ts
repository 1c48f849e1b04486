import { surfaceName } from '../attribution/surfaces.ts'
import { formatMoney } from '../commerce/product.ts'
import { counted } from '../web/text/english-count.ts'
import type { DigestSold } from './digest.ts'
import type { NoticeItem } from './notice.ts'

// Unspecified: a digest names five surfaces, two pages and three products, as many as are read at a
// glance.
const MOST = { surfaces: 5, pages: 2, products: 3 }

interface Sold {
  orders: number
  revenue_cents: number
}

/** The tables of a report that a digest shows. */
interface SoldTables {
  currency: string | null
  by_surface: Readonly<Record<string, Sold>>
  by_landing: { rows: readonly (Sold & { landing: string })[] } | null
  by_product: { rows: readonly (Sold & { product_id: string; name: string | null })[] } | null
}

/**
 * What a digest shows of a report's tables, in their order, each with its link. `reportUrl` is that
 * of the report, with its range.
 */
export function digestSold(report: SoldTables, reportUrl: string): DigestSold {
  const { by_surface, by_landing, by_product, currency } = report
  const row = (name: string, sold: Sold, filter: string, id: string): NoticeItem => ({
    label: name,
    text: soldText(sold, currency),
    url: `${reportUrl}&${filter}=${encodeURIComponent(id)}`,
  })
  const first = <R extends Sold>(rows: readonly R[], most: number) =>
    rows
      .filter(({ orders }) => orders > 0)
      .toSorted((a, b) => b.revenue_cents - a.revenue_cents || b.orders - a.orders)
      .slice(0, most)
  const surfaces = Object.entries(by_surface).map(([id, sold]) => ({ id, ...sold }))
  return {
    surfaces: first(surfaces, MOST.surfaces).map(({ id, ...sold }) =>
      row(surfaceName(id), sold, 'surface', id),
    ),
    converts: [
      ...first(by_landing?.rows ?? [], MOST.pages).map(({ landing, ...sold }) =>
        row(landing, sold, 'landing', landing),
      ),
      ...first(by_product?.rows ?? [], MOST.products).map(({ product_id, name, ...sold }) =>
        row(name ?? product_id, sold, 'product_id', product_id),
      ),
    ],
  }
}

function soldText({ orders, revenue_cents: amount }: Sold, currency: string | null): string {
  const money = currency === null || amount === 0 ? '' : `, ${formatMoney({ amount, currency })}`
  return `${counted(orders, 'order')}${money}`
}
