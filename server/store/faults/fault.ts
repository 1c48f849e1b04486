import type { Twists } from '../http/store-request.ts'

export interface Fault {
  /** Its name in hosts and in STORE_FAULTS: `catalog-empty`. */
  fault: string
  /** The one gap that it makes: `catalog_empty`. */
  gap: string
  twists: Twists
}

export const fault = (gap: string, twists: Twists): Fault => ({
  fault: gap.replaceAll('_', '-'),
  gap,
  twists,
})
