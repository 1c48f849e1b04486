import type { PageStage } from './deciding.ts'
import type { PageFinding } from './findings.ts'
import type { ReadPrice } from './product.ts'

/** One page of a walk, and what was done on it. */
export interface PagesStep {
  stage: PageStage
  url: string
  title: string
  /** Null at the end. */
  does: string | null
  /** The selector of what was used. */
  element: string | null
  /** The controls, as agents read them. */
  sees: readonly string[]
  /** `box`: where its element is in the picture. */
  findings: readonly (PageFinding & {
    box: { x: number; y: number; width: number; height: number } | null
  })[]
  /** JPEG, before anything was done. */
  picture: Uint8Array
}

/** A walk through the pages of a store, from a product to the last step before paying. */
export interface PagesWalk {
  url: string
  /**
   * `reached` the last step; `stopped` by an obstacle. `sold_out` and `elsewhere`, where the pages
   * lead to another site before the checkout, say nothing about the store.
   */
  ended: 'reached' | 'stopped' | 'sold_out' | 'elsewhere'
  product: { name: string; price: ReadPrice | null }
  steps: readonly PagesStep[]
  findings: readonly PageFinding[]
  /** Whether the basket was emptied at the end. */
  emptied: 'emptied' | 'not_found' | 'nothing_in_it'
}
