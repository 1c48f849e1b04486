// What the plugin uses of Medusa 2, as far as it uses it: a shop that installs it has the package.

declare module '@medusajs/framework/utils' {
  interface Property {
    primaryKey(): Property
    nullable(): Property
    default(value: unknown): Property
  }
  export const model: {
    define(name: string, properties: Record<string, Property>): object
    text(): Property
    json(): Property
    number(): Property
  }
  /** A row of `aisle_report`. */
  export interface ReportRow {
    id: string
    event: unknown
    tries: number
    outcome: string | null
    created_at: string | Date
  }
  interface Reports {
    listAisleReports(filters: object, config?: object): Promise<ReportRow[]>
    createAisleReports(row: object): Promise<unknown>
    updateAisleReports(row: object): Promise<unknown>
    deleteAisleReports(ids: readonly string[]): Promise<unknown>
  }
  export function MedusaService(models: object): new (...given: unknown[]) => Reports
  export function Module<Service>(name: string, joined: { service: Service }): { service: Service }
}

declare module '@medusajs/framework/http' {
  import type { MedusaContainer } from '@medusajs/framework/types'

  export interface MedusaRequest {
    scope: MedusaContainer
    body: unknown
    params: Record<string, string>
  }
  export interface MedusaResponse {
    status(code: number): MedusaResponse
    setHeader(name: string, value: string): void
    json(body: unknown): unknown
  }
  export function defineMiddlewares(given: { routes: readonly object[] }): object
}

declare module '@medusajs/framework/types' {
  export interface MedusaContainer {
    resolve<Found>(name: string): Found
  }
  export interface Query {
    graph<Row>(asked: {
      entity: string
      fields: readonly string[]
      filters?: object
      pagination?: { skip?: number; take?: number; order?: Record<string, 'ASC' | 'DESC'> }
    }): Promise<{ data: Row[] }>
  }
}

declare module '@medusajs/framework/mikro-orm/migrations' {
  export class Migration {
    addSql(sql: string): void
  }
}
