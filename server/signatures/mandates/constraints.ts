import { field, isRecord, listIn } from '../../../shared/web/json/json.ts'

/** A store, as mandates name it. */
export interface Merchant {
  /** `https://shop.example`. */
  origin: string
}

type Claims = Readonly<Record<string, unknown>>

/**
 * What a checkout does not meet of the limits of an open mandate (AP2, Checkout Mandate,
 * Constraints), as a sentence; null: it meets them all. One that we do not know is not met.
 */
export function unmetConstraint(
  constraints: unknown,
  checkout: Claims,
  merchant: Merchant,
): string | null {
  const all = listIn(constraints)
  // AP2's schema: a list of items is among them.
  if (!all.some((each) => field(each, 'type') === LINE_ITEMS)) {
    return 'The open mandate does not say which items may be bought.'
  }
  for (const constraint of all) {
    const type = field(constraint, 'type')
    if (type === LINE_ITEMS && !hasItems(constraint, checkout)) {
      return 'The items of the checkout are not those of the open mandate.'
    }
    if (type === MERCHANTS && !listIn(field(constraint, 'allowed')).some(isMerchant(merchant))) {
      return 'The open mandate is for other stores.'
    }
    if (type !== LINE_ITEMS && type !== MERCHANTS) {
      return 'The open mandate has a limit that this store does not know.'
    }
  }
  return null
}

const LINE_ITEMS = 'checkout.line_items'
const MERCHANTS = 'checkout.allowed_merchants'

/**
 * Unspecified: who gives a merchant its id. Here it is the origin or the host of the store; a
 * website of that origin names it as well.
 */
const isMerchant =
  ({ origin }: Merchant) =>
  (allowed: unknown): boolean => {
    const id = field(allowed, 'id')
    const website = field(allowed, 'website')
    const isSite = typeof website === 'string' && URL.parse(website)?.origin === origin
    return id === origin || id === new URL(origin).host || isSite
  }

/** A wanted or bought quantity, and what is left of it. */
interface Amount {
  ids: readonly string[]
  left: number
}

const MOST = 1000

/**
 * Whether the items of a checkout can be dealt out to those that were allowed, each used once and
 * none left over. AP2: a maximal flow from the allowed ones to the bought ones.
 */
function hasItems(constraint: unknown, checkout: Claims): boolean {
  const wanted = listIn(field(constraint, 'items')).map((each) => ({
    ids: listIn(field(each, 'acceptable_items')).flatMap(idOf),
    left: quantityOf(each),
  }))
  const bought = listIn(checkout.line_items).map((line) => ({
    ids: idOf(field(line, 'item')),
    left: quantityOf(line),
  }))
  const sum = (amounts: readonly Amount[]) => amounts.reduce((all, { left }) => all + left, 0)
  const total = sum(wanted)
  if (!(total > 0) || total !== sum(bought) || total > MOST * MOST) return false
  if (wanted.length > MOST || bought.length > MOST) return false
  return flowOf(wanted, bought) === total
}

/** NaN: it has none that counts, and equals nothing. */
function quantityOf(line: unknown): number {
  const quantity = field(line, 'quantity')
  return Number.isSafeInteger(quantity) && Number(quantity) > 0 ? Number(quantity) : Number.NaN
}

function idOf(item: unknown): string[] {
  const id = isRecord(item) ? item.id : undefined
  return typeof id === 'string' ? [id] : []
}

/** The largest flow by augmenting paths (Ford and Fulkerson). */
function flowOf(wanted: readonly Amount[], bought: readonly Amount[]): number {
  /** What each wanted one has of each bought one. */
  const given = wanted.map(() => bought.map(() => 0))
  const fits = wanted.map(({ ids }) =>
    bought.map((each) => each.ids.some((id) => ids.includes(id))),
  )
  /** Finds up to `most` more for a wanted one, and takes it from others that have a choice. */
  const find = (from: number, most: number, tried: Set<number>): number => {
    for (const [to, line] of bought.entries()) {
      if (!fits[from]?.[to] || tried.has(to)) continue
      tried.add(to)
      const row = given[from]
      if (row === undefined) continue
      let found = Math.min(most, line.left)
      line.left -= found
      for (const [other, taken] of given.entries()) {
        if (found > 0) break
        const has = taken[to] ?? 0
        if (other === from || has === 0) continue
        found = find(other, Math.min(most, has), tried)
        taken[to] = has - found
      }
      if (found === 0) continue
      row[to] = (row[to] ?? 0) + found
      return found
    }
    return 0
  }
  let flow = 0
  for (const [from, { left }] of wanted.entries()) {
    let missing = left
    while (missing > 0) {
      const found = find(from, missing, new Set())
      if (found === 0) return flow
      missing -= found
      flow += found
    }
  }
  return flow
}
