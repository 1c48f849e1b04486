import { formatMoney } from '../../../commerce/product.ts'
import { shown } from '../../../web/json/json.ts'
import type { WalkDialect } from '../../dialect.ts'
import { type Good, itemOf, otherNamed } from '../../goods.ts'
import type { Wanted } from '../../operation.ts'
import type { Reason, Session, SessionMessage } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { isFee } from './compare-sessions.ts'
import { moneyText } from './reply-words.ts'

/** What a session is compared with. */
export interface Compared {
  dialect: WalkDialect
  /** What the store is asked for. */
  of: 'checkout' | 'cart'
  wanted: Wanted
  /** The goods of `wanted.lines`, as the catalog lists them. */
  goods: readonly Good[]
  /** All goods of the catalog. */
  listed: readonly Good[]
  /** The answer that opened it. */
  isOpening: boolean
  /** Milliseconds since 1970 at which the answer arrived. */
  now: number
  /** Another currency or quantity was asked for, and the store may or may not have agreed. */
  isLenient?: boolean
}

/**
 * Checks a session as a careful buyer would, in an order in which one fault cannot be mistaken for
 * the next, and stops at the first fault.
 */
export function judgeSession(session: Session, compared: Compared, notes: StepNotes): void {
  describe(session, compared, notes)
  for (const judge of IN_ORDER) {
    judge(session, compared, notes)
    if (notes.failed !== null) return
  }
}

type Judge = (session: Session, compared: Compared, notes: StepNotes) => void

const IN_ORDER: readonly Judge[] = [
  ({ faults, id }, { dialect }, notes) => {
    const [first, ...more] = faults.filter(({ about }) => about === undefined)
    if (first !== undefined) {
      const others = more.length === 0 ? '' : `, and ${more.length} more`
      notes.fail('session_is_whole', `${first.field}: ${first.problem}${others}.`, {
        field: first.field,
      })
    } else if (id === null) {
      notes.fail('session_is_whole', 'It has no id.', { field: dialect.fields.id })
    } else notes.hold('session_is_whole')
  },
  ({ faults }, _, notes) => {
    const wrong = faults.find(({ about }) => about === 'currency')
    if (wrong === undefined) notes.hold('currency_is_written_right')
    else {
      const { field, problem } = wrong
      notes.fail('currency_is_written_right', `${field}: ${problem}.`, { field })
    }
  },
  judgeCurrency,
  judgePrices,
  judgeLines,
  judgeTitles,
  judgeTotals,
  judgeLife,
  // The last one: a slow opening does not end the purchase.
  (_, { isOpening, dialect }, notes) => {
    if (!isOpening) return
    const { open } = dialect.limits
    if (notes.ms <= open) notes.hold('session_is_fast')
    else
      notes.fail(
        'session_is_fast',
        `It took ${(notes.ms / 1000).toFixed(1)} s, at most ${open / 1000} s.`,
      )
  },
]

function describe(session: Session, { dialect, of }: Compared, notes: StepNotes): void {
  const { fields } = dialect
  const { phase, said, total, parts, currency, shipping, messages } = session
  if (phase !== null) {
    notes.conclude(
      `The ${of} is ${PHASES[phase]}${said === null ? '' : ` (${said})`}.`,
      fields.status,
    )
  }
  if (total !== null) notes.conclude(`In all it costs ${moneyText(total, currency)}.`, fields.total)
  for (const { name, amount } of parts ?? []) {
    if (isFee(name)) {
      notes.conclude(`It includes a fee: ${name} ${moneyText(amount, currency)}.`, fields.total)
    }
  }
  if (shipping.length > 0) {
    const offers = shipping.slice(0, 5).map(({ name, cost }) => {
      return cost === null ? name : `${name} for ${moneyText(cost, currency)}`
    })
    notes.conclude(`Shipping: ${offers.join(', ')}.`, fields.shipping)
  }
  for (const { kind, code, text } of messages.slice(0, 5)) {
    const named = code === '' ? kind : `${kind} ${shown(code)}`
    notes.conclude(`The store says (${named}): ${text}`, fields.messages)
  }
}

const PHASES: Readonly<Record<NonNullable<Session['phase']>, string>> = {
  open: 'open, and something is missing',
  ready: 'ready to be paid',
  buyer: 'waiting for the buyer',
  challenge: 'waiting for the bank',
  paying: 'being paid',
  completed: 'paid',
  canceled: 'cancelled',
  expired: 'expired',
}

function judgeCurrency(session: Session, compared: Compared, notes: StepNotes): void {
  const { goods, dialect, of, isLenient = false } = compared
  const listed = goods[0]?.price?.currency
  const { currency } = session
  if (listed === undefined || currency === null || isLenient) return
  if (currency.toUpperCase() === listed) notes.hold('currency_as_listed')
  else
    notes.fail(
      'currency_as_listed',
      `The catalog lists prices in ${listed}, and the ${of} is in ${shown(currency)}.`,
      { field: dialect.fields.currency },
    )
}

function judgePrices(session: Session, compared: Compared, notes: StepNotes): void {
  const { goods, wanted, dialect, of, isLenient = false } = compared
  if (isLenient) return
  const { lines, currency, subtotal } = session
  let isSeen = false
  for (const [at, good] of goods.entries()) {
    const asked = wanted.lines[at]
    if (good.price === null || asked === undefined) continue
    const line = lines?.find(({ item }) => item === itemOf(asked))
    if (line === undefined || line.price === null) continue
    isSeen = true
    if (line.price !== good.price.amount) {
      notes.fail(
        'price_as_listed',
        `${good.name} is listed for ${formatMoney(good.price)}, and costs ${moneyText(line.price, currency)} in the ${of}.`,
        { field: dialect.fields.price },
      )
      return
    }
  }
  // Dialects whose sessions list no prices state a total for the goods.
  const together = sumOf(goods, wanted)
  if (!isSeen && subtotal !== null && together !== null) {
    isSeen = true
    if (subtotal !== together) {
      const [only] = goods
      const what = goods.length === 1 && only !== undefined ? only.name : 'What was asked for'
      notes.fail(
        'price_as_listed',
        `${what} is listed for ${moneyText(together, currency)} in all, and costs ${moneyText(subtotal, currency)} in the ${of}.`,
        { field: dialect.fields.subtotal },
      )
      return
    }
  }
  if (isSeen) notes.hold('price_as_listed')
}

function sumOf(goods: readonly Good[], { lines }: Wanted): number | null {
  let sum = 0
  for (const [at, { price }] of goods.entries()) {
    const quantity = lines[at]?.quantity
    if (price === null || quantity === undefined) return null
    sum += price.amount * quantity
  }
  return sum
}

function judgeLines(session: Session, compared: Compared, notes: StepNotes): void {
  const { wanted, goods, dialect, of, isLenient = false } = compared
  const { lines, messages } = session
  if (lines === null || isLenient) return
  // An agent can pass on any objection of the store; information that is only missing does not
  // change the goods.
  if (messages.some(({ kind, reason }) => kind === 'warning' || reason !== null)) return
  for (const [at, asked] of wanted.lines.entries()) {
    const same = lines.filter(({ item }) => item === itemOf(asked))
    const quantity = same.reduce((sum, line) => sum + (line.quantity ?? 0), 0)
    if (quantity === asked.quantity) continue
    const name = goods[at]?.name ?? itemOf(asked)
    notes.fail(
      'goods_as_asked',
      same.length === 0
        ? `${name} was asked for, and is not in the ${of}.`
        : `${asked.quantity} of ${name} were asked for, and ${quantity} are in the ${of}.`,
      { field: dialect.fields.quantity },
    )
    return
  }
  const { size } = new Set(lines.map(({ item }) => item))
  if (size > wanted.lines.length) {
    notes.fail(
      'goods_as_asked',
      `${wanted.lines.length} kinds of goods were asked for, and the ${of} has ${size}.`,
      { field: dialect.fields.quantity },
    )
    return
  }
  notes.hold('goods_as_asked')
}

/** The buyer reads titles: that of another product is another thing to buy. */
function judgeTitles({ lines }: Session, compared: Compared, notes: StepNotes): void {
  const { wanted, goods, listed, dialect, of } = compared
  for (const { item, title } of lines ?? []) {
    const good = goods[wanted.lines.findIndex((asked) => itemOf(asked) === item)]
    const other = good && title ? otherNamed(title, good, listed) : null
    if (good === undefined || other === null) continue
    const found = `${good.name} was asked for, and the ${of} calls it ${shown(title)}, as the catalog calls ${other.product_id}.`
    notes.fail('goods_as_asked', found, { field: dialect.fields.title })
    return
  }
}

/** Judges whether the amounts of a session add up to its total. */
export function judgeTotals(
  session: Session,
  compared: { dialect: Pick<WalkDialect, 'fields'> },
  notes: StepNotes,
): void {
  const { total, parts, currency } = session
  if (total === null || parts === null) return
  const sum = parts.reduce((all, { amount }) => all + amount, 0)
  if (sum === total) notes.hold('totals_add_up')
  else {
    const named = parts.map(({ name, amount }) => `${name} ${moneyText(amount, currency)}`)
    notes.fail(
      'totals_add_up',
      `${named.join(' + ')} is ${moneyText(sum, currency)}, and the total is ${moneyText(total, currency)}.`,
      { field: compared.dialect.fields.total },
    )
  }
}

function judgeLife(session: Session, compared: Compared, notes: StepNotes): void {
  if (!compared.isOpening) return
  const { faults, expires_at } = session
  const field = compared.dialect.fields.expires_at
  const wrong = faults.find(({ about }) => about === 'expiry')
  if (wrong !== undefined) {
    notes.fail('lives_long_enough', `${wrong.field}: ${wrong.problem}.`, { field: wrong.field })
    return
  }
  // A dialect that demands a lifetime has stated it by now; sessions of the others live for hours
  // without one.
  const until = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)
  if (Number.isNaN(until)) return
  const life = until - compared.now
  if (life >= compared.dialect.limits.life) notes.hold('lives_long_enough')
  else
    notes.fail(
      'lives_long_enough',
      `expires_at is ${shown(expires_at)}, ${Math.round(life / 60_000)} minutes from now.`,
      { field },
    )
}

/** The store's objections for these reasons, in a session that it gave all the same. */
export const objectionsTo = (
  { messages }: Session,
  ...reasons: readonly Reason[]
): SessionMessage[] =>
  messages.filter(
    ({ kind, reason }) => kind !== 'info' && reason !== null && reasons.includes(reason),
  )
