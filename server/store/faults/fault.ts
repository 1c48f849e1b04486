import { html, type Reply } from '../http/reply.ts'
import type { Overrides } from '../http/store-request.ts'

export interface StoreFault {
  /** Its name in hosts and in STORE_FAULTS: `catalog-empty`. */
  fault: string
  /** The one gap that it makes: `catalog_empty`. Null: no rule judges it yet, and it makes none. */
  gap: string | null
  /** Only a purchase shows it: a walk sees the gap, and an audit without one does not. */
  needsWalk?: true
  overrides: Overrides
}

/** Names the fault after its gap: one fault proves one rule. */
export const storeFault = (gap: string, overrides: Overrides): StoreFault => ({
  fault: gap.replaceAll('_', '-'),
  gap,
  overrides,
})

/** A gap that other stores can have too, in one that speaks official UCP. */
export const officialTwin = (gap: string, overrides: Overrides): StoreFault => ({
  fault: `ucp-${gap.replaceAll('_', '-')}`,
  gap,
  overrides,
})

/**
 * A fault of checkout sessions, which only a walk opens, in an official dialect: for
 * `checkout_price_mismatch` in UCP it is called `ucp-price-mismatch`.
 */
export const sessionFault = (
  dialect: 'ucp' | 'acp',
  gap: string,
  overrides: Overrides,
): StoreFault => ({
  fault: `${dialect}-${gap.replace(/^(?:checkout|acp)_/, '').replaceAll('_', '-')}`,
  gap,
  needsWalk: true,
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
