import type { Overrides } from '../http/store-request.ts'

export interface StoreFault {
  /** Its name in hosts and in STORE_FAULTS: `catalog-empty`. */
  fault: string
  /** The one gap that it makes: `catalog_empty`. */
  gap: string
  overrides: Overrides
}

export const storeFault = (gap: string, overrides: Overrides): StoreFault => ({
  fault: gap.replaceAll('_', '-'),
  gap,
  overrides,
})
