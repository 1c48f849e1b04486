// What the plugin uses of Vendure 3, as far as it uses it: a shop that installs it has the packages.

declare module '@vendure/core' {
  type ID = string | number

  export interface Injector {
    get<Found>(token: string): Found
  }
  export class EventBus {
    ofType<Event>(type: new (...given: never[]) => Event): {
      subscribe(next: (event: Event) => void): unknown
    }
  }
  export interface Repository<Row> {
    find(asked: object): Promise<Row[]>
    count(asked: object): Promise<number>
    insert(row: object): Promise<unknown>
    update(where: object, change: object): Promise<unknown>
    increment(where: object, column: string, by: number): Promise<unknown>
    delete(where: object): Promise<unknown>
  }
  export class TransactionalConnection {
    rawConnection: { getRepository<Row>(entity: new (...given: never[]) => Row): Repository<Row> }
  }
  export interface JobQueue {
    add(data: object): Promise<unknown>
  }
  export class JobQueueService {
    createQueue(asked: { name: string; process: () => Promise<unknown> }): Promise<JobQueue>
  }
  export class ConfigService {
    entityOptions: { moneyStrategy?: { precision?: number } }
  }
  export class Refund {
    id: ID
    state: string
    total: number
    updatedAt: Date
    payment: Payment
  }
  export class Payment {
    id: ID
    state: string
    amount: number
    refunds: Refund[]
    order: Order
  }
  export class Order {
    id: ID
    code: string
    state: string
    currencyCode: string
    totalWithTax: number
    orderPlacedAt?: Date
    updatedAt: Date
    payments: Payment[]
    customFields: object
  }
  interface OfOrder<State> {
    toState: State
    order: { id: ID }
  }
  export class OrderPlacedEvent implements OfOrder<string> {
    toState: string
    order: { id: ID }
  }
  export class OrderStateTransitionEvent implements OfOrder<string> {
    toState: string
    order: { id: ID }
  }
  export class PaymentStateTransitionEvent implements OfOrder<string> {
    toState: string
    order: { id: ID }
  }
  export class RefundStateTransitionEvent implements OfOrder<string> {
    toState: string
    order: { id: ID }
  }
  export const Logger: { warn(message: string, context: string): void }
  export const PluginCommonModule: object
  export class ScheduledTask {
    constructor(config: {
      id: string
      description: string
      schedule: string
      execute(given: { injector: Injector }): Promise<unknown>
    })
  }
  export interface Answering {
    status(code: number): Answering
    setHeader(name: string, value: string): void
    json(body: unknown): unknown
  }
  export interface VendureConfig {
    customFields: { Order?: object[] }
    schedulerOptions: { tasks?: ScheduledTask[] }
    apiOptions: {
      middleware: {
        route: string
        handler: (req: { body: unknown }, res: Answering) => void
      }[]
    }
  }
  export function VendurePlugin(metadata: {
    imports: object[]
    entities: object[]
    providers: object[]
    compatibility: string
    configuration: (config: VendureConfig) => VendureConfig
  }): (plugin: object) => void
}

declare module 'typeorm' {
  type Property = (target: object, name: string) => void
  export function Entity(name: string): (entity: object) => void
  export function PrimaryColumn(options: object): Property
  export function Column(options: object): Property
  export function CreateDateColumn(): Property
  export function In(values: readonly unknown[]): object
  export function IsNull(): object
  export function Not(condition: object): object
  export function LessThan(value: Date): object
  export function MoreThanOrEqual(value: Date): object
}
