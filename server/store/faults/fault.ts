import type { GapId } from '../../../shared/audit/words.ts'
import { type ExpectationId, expectationOf } from '../../../shared/walk/expectations.ts'
import { html, type Overrides, type Reply } from '../http/store-request.ts'

export interface StoreFault {
  /** Its name in hosts and in STORE_FAULTS: `catalog-empty`. */
  fault: string
  /** The one gap that it makes: `catalog_empty`. Null: no rule judges it yet, and it makes none. */
  gap: string | null
  /** Only a purchase shows it: a walk sees the gap, and an audit without one does not. */
  needsWalk?: true
  /** Only a walk through pages shows it. */
  needsBrowser?: true
  /**
   * What of a purchase is not met, where the name does not say the gap: several things may make
   * one.
   */
  shows?: ExpectationId
  overrides: Overrides
}

/** Names the fault after its gap: one fault proves one rule. */
export const storeFault = (gap: GapId, overrides: Overrides): StoreFault => ({
  fault: gap.replaceAll('_', '-'),
  gap,
  overrides,
})

/** A gap that other stores can have too, in one that speaks official UCP. */
export const officialFault = (gap: GapId, overrides: Overrides): StoreFault => ({
  fault: `ucp-${gap.replaceAll('_', '-')}`,
  gap,
  overrides,
})

/**
 * Faults of checkout sessions, which only a walk opens, in a dialect other than the first: for
 * `checkout_price_mismatch` in UCP one is called `ucp-price-mismatch`.
 */
export const sessionFaultsOf =
  (dialect: 'ucp' | 'acp' | 'spec-acp') =>
  (gap: GapId, overrides: Overrides): StoreFault => ({
    fault: `${dialect}-${gap.replace(/^(?:checkout|acp)_/, '').replaceAll('_', '-')}`,
    gap,
    needsWalk: true,
    overrides,
  })

/**
 * What is wrong with a purchase in a dialect: `ucp-paid-twice` shows `one_order`, and makes its
 * gap.
 */
export const walkFault = (
  dialect: 'ucp' | 'acp' | 'spec-ucp' | 'spec-acp',
  name: string,
  shows: ExpectationId,
  overrides: Overrides,
): StoreFault => ({
  fault: `${dialect}-${name}`,
  gap: expectationOf(shows).gaps[dialect.endsWith('ucp') ? 'ucp' : 'acp'],
  needsWalk: true,
  shows,
  overrides,
})

/** A fault that no rule judges yet. */
export const unjudgedFault = (fault: string, overrides: Overrides): StoreFault => ({
  fault,
  gap: null,
  overrides,
})

/** A page of a server that knows nothing of the store. */
export const deadPage = (): Reply =>
  html('<!doctype html><title>Not found</title><h1>Not found</h1>', { status: 404 })
