import type { Address } from '../../commerce/product.ts'
import type { WalkDialect } from '../dialect.ts'
import type { Good } from '../goods.ts'
import type { TokenWanted } from '../intents.ts'
import type { BuyerOperation, QuantityForm } from '../operation.ts'
import type { WalkReply } from '../session.ts'
import type { Exchange, WalkStep } from '../transcript.ts'

/** What a buyer finds in a store before it buys. */
export interface Storefront {
  dialect: WalkDialect
  goods: readonly Good[]
  /**
   * What goods cost that are listed without a currency, as in Shopify's list: that of others, else
   * what the store declares, else USD.
   */
  currency: string
  /** Where it is likely to ship to. */
  home: Address
  /**
   * What was learnt in earlier purchases over the same dialect; kept over them by whoever walks.
   */
  learnt: {
    /** How it last refused a sound basket; null since it accepts one. */
    refusal: string | null
    /** It takes no delivery without an id, not even one that it has yet to name. */
    namesDelivery?: boolean
    /** How it takes quantities, where that is not how they were first written. */
    quantities?: QuantityForm
  }
}

/** An operation as it went: what was sent and came back, and what it means. */
export interface Performed {
  exchanges: readonly Exchange[]
  reply: WalkReply
}

/** What a purchase cannot do without the world. */
export interface PurchaseDeps {
  /** Never throws. `lose`: the connection is dropped before the answer can be read. */
  perform: (operation: BuyerOperation, how?: { lose?: boolean }) => Promise<Performed>
  newKey: () => string
  now: () => Date
  pause: (ms: number) => Promise<unknown>
  /** What a sandbox is paid with; null in look mode. */
  tokens: { [K in TokenWanted]?: string | undefined } | null
  onStep?: (step: WalkStep) => void
  /** True when nobody waits any more: the purchase ends, and what is open is cancelled. */
  isOver: () => boolean
}
