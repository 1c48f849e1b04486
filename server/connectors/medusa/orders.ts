import type { MedusaContainer, Query } from '@medusajs/framework/types'
import { failedReport, orderReports, type ShopOrder } from '../reporting/reports.ts'
import type { AisleModuleService } from './service.ts'

/** An order as the query answers it, with these fields. */
const FIELDS = [
  'id',
  'created_at',
  'canceled_at',
  'currency_code',
  'metadata',
  'summary.*',
  'cart.id',
  'payment_collections.payments.refunds.*',
]

interface OrderRow {
  id: string
  created_at: string | Date
  canceled_at: string | Date | null
  currency_code: string
  metadata: Record<string, unknown> | null
  summary: { original_order_total: number | string; paid_total: number | string }
  cart?: { id: string } | null
  payment_collections?: ({ payments?: ({ refunds?: RefundRow[] } | null)[] } | null)[] | null
}

interface RefundRow {
  id: string
  amount: number | string
  created_at: string | Date
}

const PAGE = 200
const SECOND_MS = 1000
const SWEPT_FIRST_MS = 2 * 24 * 3600 * SECOND_MS
/** What was being written when the last look began. */
const OVERLAP_MS = 300 * SECOND_MS

/** The module of a shop that has the plugin. */
export const aisleOf = (container: MedusaContainer) =>
  container.resolve<AisleModuleService>('aisle')

/** Notes what became of these orders. */
export async function noteOrders(container: MedusaContainer, filters: object): Promise<void> {
  const query = container.resolve<Query>('query')
  const aisle = aisleOf(container)
  for (let skip = 0; ; skip += PAGE) {
    const pagination = { skip, take: PAGE, order: { id: 'ASC' as const } }
    const asked = { entity: 'order', fields: FIELDS, filters, pagination }
    const { data } = await query.graph<OrderRow>(asked)
    for (const row of data) await aisle.note(orderReports(medusaOrder(row), Date.now()))
    if (data.length < PAGE) return
  }
}

/** Notes the refunds that match, with the orders that they are of. */
export async function noteRefunds(container: MedusaContainer, filters: object): Promise<void> {
  const query = container.resolve<Query>('query')
  for (let skip = 0; ; skip += PAGE) {
    const { data } = await query.graph<{
      payment?: { payment_collection?: { order?: { id: string } | null } | null } | null
    }>({
      entity: 'refund',
      fields: ['id', 'payment.payment_collection.order.id'],
      filters,
      pagination: { skip, take: PAGE, order: { id: 'ASC' } },
    })
    const ids = data.flatMap(({ payment }) => payment?.payment_collection?.order?.id ?? [])
    if (ids.length > 0) await noteOrders(container, { id: [...new Set(ids)] })
    if (data.length < PAGE) return
  }
}

/** Notes what no event reported: the process may have ended between an order and its event. */
export async function noteMissed(container: MedusaContainer): Promise<void> {
  const aisle = aisleOf(container)
  const started = Date.now()
  const $gte = new Date(aisle.seenUntil || started - SWEPT_FIRST_MS)
  await noteOrders(container, { updated_at: { $gte } })
  await noteRefunds(container, { created_at: { $gte } })
  aisle.seenUntil = started - OVERLAP_MS
}

export async function noteFailure(
  container: MedusaContainer,
  cart: string,
  reason: string,
): Promise<void> {
  const { data } = await container.resolve<Query>('query').graph<{ metadata: object | null }>({
    entity: 'cart',
    fields: ['id', 'metadata'],
    filters: { id: cart },
  })
  const visit = Object(data[0]?.metadata).aisle_visit
  const report = failedReport({ cart, visit, reason }, Date.now())
  if (report !== null) await aisleOf(container).note([report])
}

export function medusaOrder(row: OrderRow): ShopOrder {
  const payments = (row.payment_collections ?? []).flatMap((each) => each?.payments ?? [])
  return {
    id: row.id,
    cart: row.cart?.id ?? row.id,
    visit: row.metadata?.aisle_visit,
    total: row.summary.original_order_total,
    paid: row.summary.paid_total,
    currency: row.currency_code,
    placed: new Date(row.created_at),
    cancelled: row.canceled_at === null ? null : new Date(row.canceled_at),
    refunds: payments
      .flatMap((payment) => payment?.refunds ?? [])
      .map(({ id, amount, created_at }) => ({ id, total: amount, made: new Date(created_at) })),
  }
}
