import type { OfficialSchemas, Shape } from './schemas.ts'

/** A request and its answer; bodies as JSON, undefined where there is none. */
export interface Exchange {
  method: string
  path: string
  headers: Headers
  sent: unknown
  status: number
  received: unknown
}

/** What a protocol demands of an exchange, by the schemas of a folder such as `ucp/2026-08-25`. */
export interface Rule {
  folder: string
  demands: (schemas: OfficialSchemas) => readonly {
    what: string
    places: readonly string[]
    shape: Shape
    value: unknown
  }[]
}
