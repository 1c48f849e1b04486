import {
  type ConfigService,
  type EventBus,
  type JobQueue,
  type JobQueueService,
  Logger,
  Order,
  OrderPlacedEvent,
  OrderStateTransitionEvent,
  PaymentStateTransitionEvent,
  Refund,
  RefundStateTransitionEvent,
  type TransactionalConnection,
} from '@vendure/core'
import { IsNull, LessThan, MoreThanOrEqual, Not } from 'typeorm'
import { addOnce } from '../reporting/add-once.ts'
import { failedReport, orderReports, type ShopReport } from '../reporting/reports.ts'
import { createReportSender, type ReportTable } from '../reporting/sender.ts'
import { noteOfVisit, vendureOrder } from './orders.ts'
import { AisleReportEntity } from './report-entity.ts'

const DAY_MS = 24 * 3_600_000
const SWEPT_FIRST_MS = 2 * DAY_MS
const KEPT_MS = 7 * DAY_MS
/** What was being written when the last look began. */
const OVERLAP_MS = 300_000

/** Of payments that came to nothing, in Aisle's words. */
const REASONS: Record<string, string> = {
  Declined: 'payment_declined',
  Error: 'payment_error',
}

const WAITING = { outcome: IsNull() }

interface ConnectorOptions {
  url: string
  key: string
  domain: string
}

export const warn = (message: string) => Logger.warn(message, 'Aisle')

/** Notes what becomes of orders in the server, and sends it in the worker. */
export class Connector {
  readonly #connection: TransactionalConnection
  readonly #precision: number
  readonly #start: () => Promise<void>
  readonly #sender: ReturnType<typeof createReportSender> | null = null
  #queue: JobQueue | null = null
  /** From when on the next look for orders has to go. */
  #seenUntil = 0

  constructor(
    options: ConnectorOptions,
    connection: TransactionalConnection,
    events: EventBus,
    jobs: JobQueueService,
    config: ConfigService,
  ) {
    this.#connection = connection
    this.#precision = config.entityOptions.moneyStrategy?.precision ?? 2
    try {
      const plugin = 'aisle-vendure'
      this.#sender = createReportSender({ ...options, plugin, table: this.#table(), warn })
    } catch (error) {
      // Unspecified: a shop without a key starts, and its orders wait until it has one.
      warn(messageOf(error))
    }
    this.#start = async () => {
      this.#queue = await jobs.createQueue({
        name: 'aisle-reports',
        process: async () => this.#sender?.send(),
      })
      const look = ({ order }: { order: { id: string | number } }) => {
        this.#quietly(() => this.#noteOrders({ id: order.id }))
      }
      events.ofType(OrderPlacedEvent).subscribe(look)
      events.ofType(OrderStateTransitionEvent).subscribe((event) => {
        if (event.toState === 'Cancelled') look(event)
      })
      events.ofType(RefundStateTransitionEvent).subscribe((event) => {
        if (event.toState === 'Settled') look(event)
      })
      events.ofType(PaymentStateTransitionEvent).subscribe(({ toState, order }) => {
        const reason = REASONS[toState]
        if (reason !== undefined) this.#quietly(() => this.#noteFailure(order.id, reason))
      })
    }
  }

  /** Called by Nest. */
  onApplicationBootstrap(): Promise<void> {
    return this.#start()
  }

  /**
   * Once a minute: notes what no event reported, as a process may have ended between an order and
   * its event, and has the worker send what waits.
   */
  async catchUp(): Promise<void> {
    const started = Date.now()
    const since = MoreThanOrEqual(new Date(this.#seenUntil || started - SWEPT_FIRST_MS))
    await this.#noteOrders({ updatedAt: since, customFields: { aisleVisit: Not(IsNull()) } })
    const refunds = await this.#connection.rawConnection.getRepository(Refund).find({
      where: { updatedAt: since, state: 'Settled' },
      relations: { payment: { order: true } },
    })
    const ids = new Set(refunds.map(({ payment }) => payment.order.id))
    for (const id of ids) await this.#noteOrders({ id })
    this.#seenUntil = started - OVERLAP_MS
    await this.#reports.delete({ createdAt: LessThan(new Date(started - KEPT_MS)) })
    if ((await this.#reports.count({ where: WAITING })) > 0) await this.#queue?.add({})
  }

  get #reports() {
    return this.#connection.rawConnection.getRepository(AisleReportEntity)
  }

  /** No buyer waits for it; what fails here is found by the next look. */
  #quietly(work: () => Promise<void>): void {
    work().catch((error) => warn(messageOf(error)))
  }

  async #noteOrders(where: object): Promise<void> {
    const orders = await this.#connection.rawConnection
      .getRepository(Order)
      .find({ where, relations: { payments: { refunds: true } } })
    for (const order of orders) {
      const placed = vendureOrder(order, this.#precision)
      if (placed !== null) await this.#note(orderReports(placed, Date.now()))
    }
  }

  async #noteFailure(id: string | number, reason: string): Promise<void> {
    const [order] = await this.#connection.rawConnection
      .getRepository(Order)
      .find({ where: { id } })
    if (order === undefined) return
    const report = failedReport({ cart: order.code, visit: noteOfVisit(order), reason }, Date.now())
    if (report !== null) await this.#note([report])
  }

  /** Adds reports that are not there yet, and has the worker send them. */
  async #note(reports: readonly ShopReport[]): Promise<void> {
    let isNew = false
    for (const { id, event } of reports) {
      const isAdded = await addOnce(
        async () => (await this.#reports.count({ where: { id } })) > 0,
        () => this.#reports.insert({ id, event: JSON.stringify(event) }),
      )
      isNew ||= isAdded
    }
    if (isNew) await this.#queue?.add({})
  }

  #table(): ReportTable {
    return {
      waiting: async (most) => {
        const order = { tries: 'ASC', createdAt: 'ASC' }
        const rows = await this.#reports.find({ where: WAITING, take: most, order })
        return rows.map(({ id, event }) => ({ id, event: JSON.parse(event) }))
      },
      settle: async (id, refused) => {
        await this.#reports.update({ id }, { outcome: refused ?? 'sent' })
      },
      keep: async (id) => {
        await this.#reports.increment({ id }, 'tries', 1)
      },
    }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
