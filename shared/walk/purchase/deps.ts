import type { Address } from '../../commerce/product.ts'
import type { WalkDialect } from '../dialect.ts'
import type { Good } from '../goods.ts'
import type { TokenWanted } from '../intents.ts'
import type { BuyerOperation, QuantityForm } from '../operation.ts'
import type { PageTree } from '../pages/tree.ts'
import type { WalkReply } from '../session.ts'
import type { Exchange, WalkStep } from '../transcript.ts'

/** What a buyer finds in a store before it buys. */
export interface Storefront {
  dialect: WalkDialect
  goods: readonly Good[]
  /**
   * The currency of goods that are listed without one, as in Shopify's list: that of others, else
   * the one that the store declares, else USD.
   */
  currency: string
  /** An address that it is likely to ship to. */
  home: Address
  /** What earlier purchases over the same dialect showed; the caller keeps it between purchases. */
  learnt: {
    /** How it last refused a sound basket; null once it accepts one. */
    refusal: string | null
    /** How it last refused a sound change; null once it accepts one. */
    refusedChange?: string | null
    /** It refuses a delivery without an id, even a new one. */
    namesDelivery?: boolean
    /** The form of quantities that it accepts, if not the first one. */
    quantities?: QuantityForm
  }
}

/** A finished operation: its request, its answer, and the meaning. */
export interface Performed {
  exchanges: readonly Exchange[]
  reply: WalkReply
  /** Where the answer repeats the payment token; without it, nowhere. */
  echo?: string | null
  /** The store's signature of a checkout; left out where no mandates were agreed on. */
  signature?: 'valid' | 'missing' | 'invalid'
}

/** A page, as a browser without scripts has it. */
interface Visited {
  exchanges: readonly Exchange[]
  /** Why it was not opened, as a sentence; `elsewhere`: it is at a host of others. */
  failure: { why: string; is: 'elsewhere' | 'silent' } | null
  status: number
  /** Of the page; empty without one. */
  text: string
  /** Where the link ended. */
  url: string
}

/** A page, as a browser of its own shows it. */
interface Opened {
  tree: PageTree
  /** Why it is another store's, as a sentence. */
  elsewhere: string | null
  /** Where its picture is kept. */
  picture: string | null
}

/** A link to another store, which was not opened. */
interface NotTheirs {
  tree: null
  /** Why it is another store's, as a sentence. */
  elsewhere: string
}

/** What a purchase needs from outside. */
export interface PurchaseDeps {
  /** Never throws. `lose`: the connection is dropped before the answer can be read. */
  perform: (operation: BuyerOperation, how?: { lose?: boolean }) => Promise<Performed>
  /** Opens a link of the store as a browser does; never throws. Null: links are not followed. */
  visit: ((url: string) => Promise<Visited>) | null
  /**
   * Opens a link as a buyer does who follows it: in a fresh browser, which knows nothing of us.
   * Never throws. Left out: the walk has no browser. `isOurs`: another time it may be seen.
   */
  arrive?:
    | ((url: string) => Promise<Opened | NotTheirs | { unseen: string; isOurs: boolean }>)
    | undefined
  newKey: () => string
  now: () => Date
  pause: (ms: number) => Promise<unknown>
  /** The payment tokens of a sandbox; null in look mode. */
  tokens: { [K in TokenWanted]?: string | undefined } | null
  onStep?: (step: WalkStep) => void
  /** True once the caller no longer waits: the purchase ends, and open sessions are cancelled. */
  isOver: () => boolean
}
