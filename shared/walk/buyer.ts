import type { Address } from '../commerce/product.ts'
import { shown } from '../web/json.ts'
import { addressFor, quoteAddress } from './addresses.ts'
import { canMake } from './can-make.ts'
import type { WalkDialect } from './dialect.ts'
import type { ExpectationId } from './expectations.ts'
import { chooseGoods, type Good, itemOf, lineOf, NO_GOODS } from './goods.ts'
import type { AddressWanted, BuyerIntent, Hope, IntentId, Move, TokenWanted } from './intents.ts'
import {
  failOutside,
  isAnswered,
  isCrash,
  isInFlight,
  isOutside,
  judgeConflict,
  judgeSame,
  judgeWords,
  messageText,
  refusalWords,
  replyText,
  wantsDeliveryNamed,
} from './judge-reply.ts'
import { judgeSession, money, objectionsTo } from './judge-session.ts'
import type { BuyerOperation, Opening, QuantityForm, Wanted } from './operation.ts'
import {
  isOver,
  isStillOpen,
  type Reason,
  type Session,
  type ShippingOffer,
  saysEnded,
  type WalkReply,
} from './session.ts'
import { beginStep, type StepNotes } from './step-notes.ts'
import type { Exchange, PlacedOrder, Purchase, StepName, WalkStep } from './transcript.ts'

/** What a buyer finds in a store before it buys. */
export interface Storefront {
  dialect: WalkDialect
  goods: readonly Good[]
  /** Where it is likely to ship to. */
  home: Address
  /** What was learnt in earlier purchases over the same dialect; kept over them by whoever walks. */
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

/** What the buyer cannot do without the world. */
export interface Hands {
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

/** Whom a store writes to: nobody, as RFC 2606 keeps this domain for examples. */
const CONTACT = { email: 'test-purchase@example.com' }

/** What no store has heard of. */
const NO_COUPON = 'AISLE-NO-SUCH-COUPON'

/** Asked for where prices are in another: two currencies that nearly everybody knows. */
const foreignTo = (currency: string): string => (currency === 'EUR' ? 'USD' : 'EUR')

/** A payment that is under way is looked at so often, so many milliseconds apart. */
const POLLS = 5
const POLL_MS = 1000

/** A session that is to be cancelled at the end. */
interface OpenSession {
  /** When it ends by itself. */
  until: string | null
  /** The store was asked to keep nothing. */
  isDryRun: boolean
  /** Its payment is under way: with the bank, or with a buyer who confirms it. */
  isPaying: boolean
}

/** Why a purchase goes no further, without a step that failed. */
interface Halt {
  outcome: 'handed_over' | 'not_walked'
  why: string
}

/**
 * Makes one purchase as the intent has it, step by step: each answer decides what comes next, and the
 * first expectation that is not met ends it. Whatever was opened is cancelled at the end. Pure but
 * for `hands`; never throws for what a store does.
 */
export async function makePurchase(
  intent: BuyerIntent & { id: IntentId },
  store: Storefront,
  hands: Hands,
): Promise<Purchase> {
  const buyer = new Buyer(store, hands, intent)
  return buyer.buy()
}

class Buyer {
  private readonly store: Storefront
  private readonly hands: Hands
  private readonly intent: BuyerIntent & { id: IntentId }
  private readonly steps: WalkStep[] = []
  private readonly orders: PlacedOrder[] = []
  /** What was ordered, by the checkout that it was paid in. */
  private readonly paid = new Map<string, PlacedOrder>()
  private readonly leftOpen: Purchase['left_open'] = []
  /** Sessions that are to be cancelled, and when they end by themselves. */
  private readonly open = new Map<string, OpenSession>()
  private goods: readonly Good[] = []
  private wanted: Wanted = { lines: [], address: null, option: null, coupon: null, currency: 'USD' }
  /** What the session holds, as far as it took what was sent. */
  private told: Wanted = this.wanted
  private session: Session | null = null
  private opening: Opening | null = null
  private payment: Extract<BuyerOperation, { op: 'complete' }> | null = null
  private halt: Halt | null = null

  constructor(store: Storefront, hands: Hands, intent: BuyerIntent & { id: IntentId }) {
    this.store = store
    this.hands = hands
    this.intent = intent
  }

  async buy(): Promise<Purchase> {
    const { intent, hands } = this
    const goods = chooseGoods(intent.goods, this.store.goods)
    const { dialect } = this.store
    const lacking = this.lackingToken()
    if (!intent.moves.every((move) => canMake(move, dialect))) {
      this.halt = { outcome: 'not_walked', why: `${dialect.label} has no way to do this.` }
    } else if (goods === null) this.halt = { outcome: 'not_walked', why: NO_GOODS[intent.goods] }
    else if (lacking !== null) {
      this.halt = { outcome: 'not_walked', why: `This needs a test token that is ${lacking}.` }
    } else {
      this.goods = goods
      this.wanted.currency = goods[0]?.price?.currency ?? 'USD'
      for (const move of intent.moves) {
        if (this.halt !== null || this.failed !== null) break
        if (hands.isOver()) {
          this.halt = { outcome: 'not_walked', why: 'The walk was ended.' }
          break
        }
        await this.make(move)
      }
    }
    await this.cancelAll()
    await this.cancelPaid()
    const { halt } = this
    return {
      intent: intent.id,
      dialect: this.store.dialect.name,
      outcome: this.failed !== null ? 'failed' : (halt?.outcome ?? 'passed'),
      why: this.failed?.found ?? halt?.why ?? null,
      steps: this.steps,
      orders: this.orders,
      left_open: this.leftOpen,
    }
  }

  /** A token that this purchase would need and that its owner did not give. */
  private lackingToken(): TokenWanted | null {
    const { tokens } = this.hands
    if (tokens === null) return null
    for (const move of this.intent.moves) {
      if (move.do === 'pay' && tokens[move.with] === undefined) return move.with
    }
    return null
  }

  private get failed() {
    return this.steps.find((step) => step.failed !== null)?.failed ?? null
  }

  private async make(move: Move): Promise<void> {
    const { can } = this.store.dialect
    switch (move.do) {
      case 'open':
        return this.openCheckout(move)
      case 'quote':
        return can.quote && this.session?.phase !== 'completed' ? this.askForQuote() : undefined
      case 'address':
        return this.giveAddress(move)
      case 'choose':
        return this.chooseShipping()
      case 'quantity':
        return can.changeLines ? this.changeLines(move.quantity) : undefined
      case 'swap':
        return this.swap()
      case 'coupon':
        return this.useCoupon()
      case 'reopen':
        return this.reopen(move)
      case 'revive':
        return this.revive()
      case 'cancel':
        return this.cancelNow()
      case 'pay':
        return this.hands.tokens === null ? undefined : this.pay(move)
      case 'repay':
        return this.hands.tokens === null ? undefined : this.repay(move.key)
      case 'order':
        return this.readOrder()
    }
  }

  /** Makes a step of what `work` does, and tells whoever watches. */
  private async step(
    step: StepName,
    title: string,
    work: (notes: StepNotes) => Promise<void>,
  ): Promise<void> {
    const notes = beginStep(this.store.dialect, { n: this.steps.length + 1, step, title })
    await work(notes)
    const done = notes.done()
    this.steps.push(done)
    this.hands.onStep?.(done)
  }

  private async ask(
    operation: BuyerOperation,
    notes: StepNotes,
    how?: { lose?: boolean },
  ): Promise<WalkReply> {
    const { exchanges, reply } = await this.hands.perform(operation, how)
    notes.exchanged(exchanges)
    return reply
  }

  // Opening

  private async openCheckout(move: Extract<Move, { do: 'open' }>): Promise<void> {
    const { dialect, home } = this.store
    const { can } = dialect
    const quantity = move.quantity ?? 1
    const lines = this.goods.map((good, at) => lineOf(good, at === 0 ? quantity : 1))
    const currency = this.goods[0]?.price?.currency ?? 'USD'
    // Where a checkout is opened without an address, the address comes with a move of its own.
    const address = can.quote ? null : addressFor(move.address ?? 'home', home)
    this.wanted = {
      lines,
      address,
      contact: CONTACT,
      option: null,
      coupon: null,
      currency: move.foreign === true ? foreignTo(currency) : currency,
    }
    const hope = move.address !== undefined && can.quote ? undefined : move.hope
    const names = this.goods.map(({ name }, at) => `${lines[at]?.quantity ?? 1} × ${name}`)
    const to = address === null ? '' : `, to ${placeOf(address)}`
    const money = move.foreign === true ? `, in ${this.wanted.currency}` : ''
    await this.step('open', `Opens a checkout with ${names.join(' and ')}${to}${money}`, (notes) =>
      this.openFor(notes, hope ?? 'accepted', this.purposeOf(move, hope)),
    )
  }

  /** What an opening shows, beside whether it can be opened. */
  private purposeOf(
    { foreign, quantity = 1, address }: Extract<Move, { do: 'open' }>,
    hope: Hope | undefined,
  ): ExpectationId | null {
    if (hope === undefined) return null
    if (foreign === true) return 'other_currency_is_answered'
    if (quantity > MANY) return 'quantity_is_answered'
    if (address !== undefined) return purposeOfAddress(address)
    return this.intent.goods === 'sold_out' ? 'sold_out_is_refused' : 'unknown_is_refused'
  }

  private async openFor(
    notes: StepNotes,
    hope: Hope,
    purpose: ExpectationId | null,
  ): Promise<void> {
    const isDryRun = this.hands.tokens === null && this.canBeDry()
    const { quantities } = this.store.learnt
    if (quantities !== undefined) this.wanted = { ...this.wanted, quantities }
    const opening: Opening = {
      op: 'open',
      wanted: this.wanted,
      key: this.hands.newKey(),
      dryRun: isDryRun,
    }
    this.opening = opening
    const first = await this.ask(opening, notes)
    const reply =
      hope === 'accepted' ? ((await this.openOtherwise(opening, first, notes)) ?? first) : first
    this.note(reply, isDryRun)
    if (reply.is === 'session') this.told = this.wanted
    this.judge(reply, { notes, hope, purpose, isOpening: true })
  }

  /**
   * Opens with the quantities in the other form, where a store of a dialect that leaves the form open
   * refuses a sound basket for its own. Null where it is not tried, or helps nothing.
   */
  private async openOtherwise(
    opening: Opening,
    first: WalkReply,
    notes: StepNotes,
  ): Promise<WalkReply | null> {
    const { dialect, learnt } = this.store
    const isOfForm =
      first.is === 'refused' && isOneOf(first.refusal.reason, ['invalid', 'quantity'])
    if (!isOfForm || dialect.can.quantityForms === undefined || learnt.quantities !== undefined) {
      return null
    }
    const isOne = opening.wanted.lines.every(({ quantity }) => quantity === 1)
    const quantities: QuantityForm = isOne ? 'stated' : 'repeated'
    const wanted = { ...opening.wanted, quantities }
    const again: Opening = { ...opening, wanted, key: this.hands.newKey() }
    const reply = await this.ask(again, notes)
    if (reply.is !== 'session') return null
    learnt.quantities = quantities
    this.wanted = wanted
    this.opening = again
    notes.conclude(`The store refuses this form of a quantity. ${AS_IT_IS_NOW[quantities]}`)
    return reply
  }

  /** A session that nothing but its opening is wanted of. */
  private canBeDry(): boolean {
    const needsSession = this.intent.moves.some((move) =>
      ['reopen', 'revive', 'cancel'].includes(move.do),
    )
    return this.store.dialect.can.dryRun && !needsSession
  }

  /** Remembers a session that has to be ended some time. */
  private note(reply: WalkReply, isDryRun = false): void {
    if (reply.is !== 'session') return
    const { session } = reply
    this.session = session
    const { id } = session
    if (id === null) return
    if (isOver(session.phase)) this.open.delete(id)
    else {
      this.open.set(id, {
        until: session.expires_at,
        isDryRun: isDryRun || this.open.get(id)?.isDryRun === true,
        isPaying: session.phase === 'paying' || session.phase === 'challenge',
      })
    }
  }

  /** Judges an answer by what was hoped for. */
  private judge(
    reply: WalkReply,
    {
      notes,
      hope = 'accepted',
      purpose = null,
      isOpening = false,
    }: {
      notes: StepNotes
      hope?: Hope
      purpose?: ExpectationId | null
      isOpening?: boolean
    },
  ): void {
    const { learnt } = this.store
    if (reply.is === 'session') {
      if (isOpening) learnt.refusal = null
      this.judgeAccepted(reply.session, { notes, hope, purpose, isOpening })
      return
    }
    if (isOutside(reply)) {
      failOutside(reply, notes)
      return
    }
    if (hope === 'accepted' || purpose === null) {
      this.failRefused(reply, notes, isOpening)
      return
    }
    if (isOpening && reply.is === 'refused' && refusalWords(reply.refusal) === learnt.refusal) {
      const why = `A basket of goods in stock is refused in the same words: ${learnt.refusal}`
      notes.conclude(why)
      this.halt = { outcome: 'not_walked', why }
      return
    }
    const { fields } = this.store.dialect
    if (reply.is !== 'refused' || reply.refusal.reason === 'failed') {
      // What had to be refused was not accepted: it is the words of the refusal that are wrong.
      const unmet = typeof hope === 'object' ? 'errors_explain' : purpose
      notes.fail(unmet, `It failed instead: ${replyText(reply)}`, { field: fields.error })
      return
    }
    const { refusal } = reply
    notes.conclude(`The store refuses: ${refusalWords(refusal)}`, fields.error)
    notes.hold(purpose)
    judgeWords(refusal, notes, fields.error)
  }

  private judgeAccepted(
    session: Session,
    {
      notes,
      hope,
      purpose,
      isOpening,
    }: {
      notes: StepNotes
      hope: Hope
      purpose: ExpectationId | null
      isOpening: boolean
    },
  ): void {
    const { dialect } = this.store
    const objections = objectionsTo(session)
    if (hope === 'accepted') {
      const gone = objections.find(({ kind, reason }) => kind === 'error' && isOneOf(reason, GONE))
      if (gone !== undefined) {
        notes.fail('variant_can_be_bought', `${this.listedAs()} ${messageText(gone)}`, {
          field: dialect.fields.messages,
        })
        return
      }
      if (isOpening) {
        notes.hold('variant_can_be_bought')
        notes.hold('session_opens')
      }
    }
    if (purpose !== null) {
      if (typeof hope === 'object' && !this.isRefusedWithin(session, hope.refused)) {
        notes.fail(purpose, `The store accepted it${statusOf(session)}.`, {
          field: dialect.fields.status,
        })
        return
      }
      notes.hold(purpose)
    }
    judgeSession(
      session,
      {
        dialect,
        wanted: this.wanted,
        goods: this.goods,
        isOpening,
        now: this.hands.now().getTime(),
        isLenient: purpose !== null,
      },
      notes,
    )
    if (notes.failed === null) this.judgePhase(session, notes)
  }

  /** A session in which the store says no to what it is about, or leaves it out. */
  private isRefusedWithin(session: Session, reasons: readonly Reason[]): boolean {
    if (objectionsTo(session).some(({ reason }) => isOneOf(reason, reasons))) return true
    const { lines, messages } = session
    const asked = this.wanted.lines[0]
    const hasLess =
      lines !== null &&
      asked !== undefined &&
      !lines.some(({ item, quantity }) => item === itemOf(asked) && quantity === asked.quantity)
    // What is only still missing is said in errors that object to nothing.
    return hasLess && messages.some(({ kind, reason }) => kind !== 'error' || reason !== null)
  }

  /** What every session shows of how it goes on. */
  private judgePhase({ phase, continue_url, said }: Session, notes: StepNotes): void {
    const { fields } = this.store.dialect
    if (phase !== 'buyer') return
    if (continue_url === null) {
      notes.fail('leads_the_buyer_on', `The checkout is ${shown(said)}, without a continue_url.`, {
        field: fields.continue_url,
      })
      return
    }
    notes.hold('leads_the_buyer_on')
    notes.conclude(`The buyer goes on at ${continue_url}.`, fields.continue_url)
    this.halt = {
      outcome: 'handed_over',
      why: 'The store leads the buyer to its own pages, as the protocol has it.',
    }
  }

  /** Something that should have been accepted was not. */
  private failRefused(reply: WalkReply, notes: StepNotes, isOpening: boolean): void {
    const { dialect, learnt } = this.store
    const more = { field: dialect.fields.error }
    const reason = reply.is === 'refused' ? reply.refusal.reason : null
    if (isOpening && reply.is === 'refused') learnt.refusal = refusalWords(reply.refusal)
    if (isOpening && reason === 'invalid' && dialect.assumed !== undefined) {
      // Unspecified: what a store speaks that names no version. What it refuses to read is no fault.
      const why = `${dialect.assumed} It refuses that form: ${replyText(reply)}`
      notes.conclude(why)
      this.halt = { outcome: 'not_walked', why }
    } else if (isOneOf(reason, GONE)) {
      notes.fail('variant_can_be_bought', `${this.listedAs()} ${replyText(reply)}`, more)
    } else if (isOneOf(reason, ['address', 'shipping'])) {
      // Where a store ships to is its own affair, and our sample is no customer of its.
      notes.conclude(`The store does not ship to our sample address: ${replyText(reply)}`)
      this.halt = {
        outcome: 'not_walked',
        why: `The store does not take our sample address: ${replyText(reply)}`,
      }
    } else notes.fail(isOpening ? 'session_opens' : 'changes_count', replyText(reply), more)
  }

  private listedAs(): string {
    const [good] = this.goods
    const availability = good?.availability ?? null
    const as = availability === null ? '' : ` as ${availability}`
    return `The catalog lists ${good?.name ?? 'it'}${as}, and the store says:`
  }

  // Address and shipping

  private async change(change: Partial<Wanted>, notes: StepNotes): Promise<WalkReply> {
    const { session, hands } = this
    const id = session?.id
    if (session === null || typeof id !== 'string') {
      return { is: 'silent', why: 'there is no checkout to change' }
    }
    const { learnt, dialect } = this.store
    this.wanted = {
      ...this.wanted,
      ...change,
      ...(learnt.namesDelivery && { namesDelivery: true }),
    }
    const { wanted, told } = this
    const reply = await this.ask(
      { op: 'change', id, last: session, wanted, told, key: hands.newKey() },
      notes,
    )
    if (wantsDeliveryNamed(reply) && !learnt.namesDelivery) {
      learnt.namesDelivery = true
      notes.conclude('The store wants an id for a delivery that it has not named yet: it gets one.')
      return this.change({}, notes)
    }
    this.note(reply)
    if (reply.is !== 'session') return reply
    this.told = wanted
    const isChoiceLeft =
      dialect.can.changeLines === 'alone' && wanted.option !== null && wanted.lines !== told.lines
    return isChoiceLeft && !isOver(reply.session.phase) ? this.change({}, notes) : reply
  }

  private async askForQuote(): Promise<void> {
    const address = quoteAddress(this.store.home)
    await this.step('quote', `Asks what shipping to ${placeOf(address)} costs`, async (notes) => {
      const reply = await this.change({ address }, notes)
      // A store may want the whole address first: that is said, and no fault.
      if (reply.is === 'refused' && isOneOf(reply.refusal.reason, ['address', 'invalid'])) {
        notes.conclude(`Without a street there is no quote: ${refusalWords(reply.refusal)}`)
        return
      }
      this.judge(reply, { notes })
    })
  }

  private async giveAddress(move: Extract<Move, { do: 'address' }>): Promise<void> {
    const { dialect, home } = this.store
    const isKnown = this.wanted.address?.street !== undefined
    const kind = move.address ?? 'home'
    if (isKnown && !dialect.can.quote) return
    if (!dialect.can.changeAddress) return
    const address = addressFor(kind, home)
    await this.step('address', `Gives the address: ${placeOf(address)}`, async (notes) => {
      const reply = await this.change({ address }, notes)
      const purpose = move.hope === undefined ? null : purposeOfAddress(kind)
      this.judge(reply, { notes, hope: move.hope ?? 'accepted', purpose })
      if (reply.is === 'session' && purpose === null) this.judgeOffers(reply.session, notes)
    })
  }

  private judgeOffers(session: Session, notes: StepNotes): void {
    const { shipping, phase } = session
    const { can } = this.store.dialect
    if (notes.failed !== null || phase === 'buyer' || can.ships === false) return
    // What is sent over the net is ready without: the dialect would have said what is missing.
    if (shipping.length === 0 && phase === 'ready' && can.choose) return
    if (shipping.length > 0) notes.hold('shipping_is_offered')
    else if (phase !== 'open' || !this.haltForBuyer(session, notes))
      notes.fail('shipping_is_offered', 'The checkout offers no way to ship.', {
        field: this.store.dialect.fields.shipping,
      })
  }

  private async chooseShipping(): Promise<void> {
    const { dialect } = this.store
    const offers = this.session?.shipping ?? []
    const [cheapest] = offers.toSorted(
      (one, other) => (one.cost ?? Number.MAX_VALUE) - (other.cost ?? Number.MAX_VALUE),
    )
    if (!dialect.can.choose) {
      this.wanted = { ...this.wanted, option: cheapest?.id ?? null }
      // The answer that opened it has shown what it offers.
      if (cheapest === undefined && dialect.can.ships !== false) {
        await this.step('shipping', 'Chooses how it is shipped', async (notes) => {
          if (this.session !== null) this.judgeOffers(this.session, notes)
        })
      }
      return
    }
    if (cheapest === undefined && this.session?.phase === 'ready') return
    const name = cheapest?.name ?? 'nothing, as nothing is offered'
    await this.step('shipping', `Chooses ${name}`, async (notes) => {
      if (cheapest === undefined) {
        if (this.session !== null) this.judgeOffers(this.session, notes)
        return
      }
      const reply = await this.change({ option: cheapest.id }, notes)
      this.judge(reply, { notes })
      if (reply.is === 'session' && notes.failed === null) {
        this.judgeChoice(reply.session, cheapest, notes)
      }
    })
  }

  private judgeChoice(
    session: Session,
    { id, name, cost, costs = [] }: ShippingOffer,
    notes: StepNotes,
  ): void {
    const { fields } = this.store.dialect
    const { chosen, parts, phase, said, messages, handlers, currency } = session
    if (chosen !== null && chosen !== id) {
      notes.fail('shipping_can_be_chosen', `${name} was chosen, and ${shown(chosen)} is set.`, {
        field: fields.shipping,
      })
      return
    }
    if (
      parts !== null &&
      cost !== null &&
      cost > 0 &&
      // Its tax may be in the session's, and what is taken off it a part of its own.
      !parts.some(({ amount }) => amount === cost || (amount > 0 && costs.includes(amount)))
    ) {
      notes.fail(
        'shipping_can_be_chosen',
        `${name} costs ${money(cost, currency)}, which the totals do not have.`,
        { field: fields.total },
      )
      return
    }
    notes.hold('shipping_can_be_chosen')
    if (phase === 'open') {
      if (this.haltForBuyer(session, notes)) return
      const missing = messages.filter(({ kind }) => kind === 'error').map(messageText)
      const says = missing.length === 0 ? ', and no message says why' : `: ${missing.join(' ')}`
      notes.fail('becomes_ready', `The checkout is still ${shown(said)}${says}.`, {
        field: fields.messages,
      })
      return
    }
    notes.hold('becomes_ready')
    if (phase !== 'ready' || handlers === null) return
    if (handlers.length > 0) notes.hold('ways_to_pay')
    else if (this.store.dialect.name !== 'acp') {
      // In UCP the profile names them as well, and a session only those that fit this purchase.
      notes.conclude('The checkout names no way to pay.', fields.handlers)
    } else {
      notes.fail('ways_to_pay', 'The checkout is ready to be paid, and names no way to pay.', {
        field: fields.handlers,
      })
    }
  }

  /**
   * Where only the buyer can resolve what keeps the checkout open, the store is right to keep it so, and
   * the purchase goes no further. An error that the agent could resolve is another matter.
   */
  private haltForBuyer({ messages }: Session, notes: StepNotes): boolean {
    const errors = messages.filter(({ kind }) => kind === 'error')
    if (errors.length === 0 || !errors.every(({ isForBuyer }) => isForBuyer)) return false
    const says = errors.map(messageText).join(' ')
    notes.conclude(
      `Only the buyer can take it further: ${says}`,
      this.store.dialect.fields.messages,
    )
    this.halt = {
      outcome: 'not_walked',
      why: `Only the buyer can take it further. The store says: ${says}`,
    }
    return true
  }

  // Changes

  private async changeLines(quantity: number): Promise<void> {
    const lines = this.goods.map((good, at) => lineOf(good, at === 0 ? quantity : 1))
    await this.step('change', `Changes the quantity to ${quantity}`, async (notes) => {
      this.judgeChange(await this.change({ lines }, notes), notes)
    })
  }

  private async swap(): Promise<void> {
    const [, other] = this.goods
    if (other === undefined) return
    this.goods = [other]
    await this.step('change', `Takes ${other.name} instead`, async (notes) => {
      this.judgeChange(await this.change({ lines: [lineOf(other, 1)] }, notes), notes)
    })
  }

  private judgeChange(reply: WalkReply, notes: StepNotes): void {
    this.judge(reply, { notes })
    if (reply.is === 'session' && notes.failed === null) notes.hold('changes_count')
  }

  private async useCoupon(): Promise<void> {
    const before = this.session?.total ?? null
    await this.step('change', `Uses the coupon ${NO_COUPON}`, async (notes) => {
      const reply = await this.change({ coupon: NO_COUPON }, notes)
      const hope = { refused: ['coupon', 'invalid'] } as const
      this.judge(reply, { notes, hope, purpose: 'coupon_is_answered' })
      const after = reply.is === 'session' ? reply.session : null
      if (notes.failed === null && after !== null && before !== null && after.total !== before) {
        notes.fail(
          'coupon_is_answered',
          `The total was ${money(before, after.currency)}, and is ${after.total === null ? 'not stated' : money(after.total, after.currency)} with it.`,
          { field: this.store.dialect.fields.total },
        )
      }
    })
  }

  // Repeats

  private async reopen({ key, body }: Extract<Move, { do: 'reopen' }>): Promise<void> {
    const { opening, session } = this
    if (opening === null) return
    const [, other] = this.goods
    const wanted =
      body === 'same' || other === undefined
        ? opening.wanted
        : { ...opening.wanted, lines: [lineOf(other, 1)] }
    const operation = {
      ...opening,
      wanted,
      key: key === 'same' ? opening.key : this.hands.newKey(),
    }
    const title =
      body === 'other'
        ? 'Sends another basket under the same key'
        : key === 'same'
          ? 'Sends the same call once more, under its key'
          : 'Sends the same call again, under a new key'
    await this.step('repeat', title, async (notes) => {
      const reply = await this.ask(operation, notes)
      if (isOutside(reply)) {
        failOutside(reply, notes)
        return
      }
      const known = this.session
      this.note(reply)
      if (key === 'other') {
        this.judge(reply, { notes, isOpening: true })
        return
      }
      const { can, fields } = this.store.dialect
      // Without a place for the key, another checkout is no fault: it is cancelled like the first.
      if (can.keys === 'advised' && reply.is === 'session' && reply.session.id !== session?.id) {
        notes.conclude('The key counts for nothing where a checkout is opened.', fields.id)
      } else if (body === 'same') judgeSame(reply, session, notes, fields.id)
      else judgeConflict(reply, notes, fields.error)
      this.session = known
    })
  }

  private async revive(): Promise<void> {
    const { session, store, goods } = this
    const { can, fields } = store.dialect
    const id = session?.id
    const [good] = goods
    if (session === null || typeof id !== 'string' || good === undefined) return
    const option = session.shipping[0]?.id ?? this.wanted.option
    await this.step('return', 'Comes back to the cancelled checkout', async (notes) => {
      const wanted = can.changeLines
        ? { ...this.wanted, lines: [lineOf(good, 2)] }
        : { ...this.wanted, option }
      const key = this.hands.newKey()
      const { told } = this
      const reply = await this.ask({ op: 'change', id, last: session, wanted, told, key }, notes)
      if (isOutside(reply)) failOutside(reply, notes)
      else if (reply.is === 'session' && !isOver(reply.session.phase)) {
        this.note(reply)
        notes.fail('stays_ended', `The store changed it${statusOf(reply.session)}.`, {
          field: fields.status,
        })
      } else if (reply.is !== 'session' && !isAnswered(reply)) {
        notes.fail('stays_ended', `It failed instead: ${replyText(reply)}`, { field: fields.error })
      } else {
        notes.hold('stays_ended')
        if (reply.is === 'refused') {
          notes.conclude(`The store refuses: ${refusalWords(reply.refusal)}`, fields.error)
          judgeWords(reply.refusal, notes, fields.error)
        }
      }
    })
  }

  // Cancelling

  private async cancelNow(): Promise<void> {
    const id = this.session?.id
    if (typeof id !== 'string') return
    await this.step('cancel', 'Cancels the checkout', (notes) => this.cancel(id, notes))
    // Where nothing can be cancelled, nothing can be seen of what comes after.
    if (this.leftOpen.length > 0) {
      this.halt = {
        outcome: 'not_walked',
        why: `${this.store.dialect.label} has no way to cancel a checkout: it ends by itself.`,
      }
    }
  }

  private async cancelAll(): Promise<void> {
    for (const [id, { isDryRun }] of this.open) {
      if (isDryRun) continue
      await this.step('cancel', 'Cancels what is still open', (notes) => this.cancel(id, notes))
    }
  }

  /**
   * Asks the store to take back what was paid in a sandbox. No protocol has a refund, and most stores
   * end what is completed for good: whatever comes of it is told, and nothing of it is judged.
   */
  private async cancelPaid(): Promise<void> {
    for (const [id, order] of this.paid) {
      await this.step('cancel', `Asks the store to cancel the order ${order.id}`, (notes) =>
        this.undo(id, order, notes),
      )
    }
  }

  private async undo(id: string, order: PlacedOrder, notes: StepNotes): Promise<void> {
    const { can, fields } = this.store.dialect
    const reply = await this.ask({ op: 'cancel', id, key: this.hands.newKey() }, notes)
    if (reply.is !== 'session' || reply.session.phase !== 'canceled') {
      const said = reply.is === 'session' ? `It stays as it is${statusOf(reply.session)}.` : null
      notes.conclude(
        `The store does not take it back, which the protocol leaves to it. ${said ?? replyText(reply)}`,
        reply.is === 'session' ? fields.status : fields.error,
      )
      return
    }
    order.cancelled = true
    notes.conclude('The store cancelled the checkout that was paid.', fields.status)
    if (can.order === false) return
    const now = await this.ask({ op: 'order', id: order.id }, notes)
    const status = now.is === 'order' ? now.order.status : null
    if (status !== null) notes.conclude(`The order is ${status}.`, fields.order)
  }

  private async cancel(id: string, notes: StepNotes): Promise<void> {
    const { dialect } = this.store
    const { until = null, isPaying = false } = this.open.get(id) ?? {}
    const cancelling = { op: 'cancel', id, key: this.hands.newKey() } as const
    let reply = await this.ask(cancelling, notes)
    if (isCrash(reply)) {
      await this.hands.pause(POLL_MS)
      reply = await this.ask(cancelling, notes)
    }
    this.open.delete(id)
    const seen = await this.readAfter(reply, id, notes)
    if (reply.is === 'session' && isOver(reply.session.phase)) {
      notes.hold('can_be_cancelled')
      notes.conclude('The checkout is cancelled.', dialect.fields.status)
      return
    }
    // Somebody else ended it, or it was never kept.
    if (saysEnded(reply) && !isStillOpen(seen) && dialect.can.cancel === 'yes') {
      notes.conclude('The checkout has ended already.', dialect.fields.error)
      return
    }
    const why = isStillOpen(seen)
      ? `It is still open${statusOf(seen.session)}. The answer to the cancel was: ${replyText(reply)}`
      : reply.is === 'session'
        ? `The store answered, and it is still open${statusOf(reply.session)}.`
        : replyText(reply)
    this.leftOpen.push({ id, until, why })
    if (dialect.can.cancel === 'advised') {
      notes.conclude('This protocol has no way to cancel a checkout: it ends by itself.')
    } else if (isPaying && isAnswered(reply)) {
      // Unspecified: whether a payment can be called back that waits for the bank; few stores can.
      notes.conclude('The payment waits for the bank, and ends there.', dialect.fields.status)
    } else if (isOutside(reply)) failOutside(reply, notes)
    else notes.fail('can_be_cancelled', why, { field: dialect.fields.status })
  }

  /**
   * The session after a cancel that is refused because there would be none to cancel: an endpoint that is
   * missing answers the same. Null where nothing is to be seen.
   */
  private async readAfter(
    reply: WalkReply,
    id: string,
    notes: StepNotes,
  ): Promise<WalkReply | null> {
    if (!saysEnded(reply) || !this.store.dialect.can.read) return null
    return this.ask({ op: 'read', id }, notes)
  }

  // Paying

  private async pay({ with: which, lost }: Extract<Move, { do: 'pay' }>): Promise<void> {
    const { session, hands } = this
    const token = hands.tokens?.[which]
    const id = session?.id
    if (token === undefined || session === null || typeof id !== 'string') return
    const handler = session.handlers?.[0] ?? this.store.dialect.handlers?.[0] ?? null
    const payment = { token, handler }
    const operation = {
      op: 'complete',
      id,
      last: session,
      wanted: this.wanted,
      payment,
      key: hands.newKey(),
    } as const
    this.payment = operation
    const title = TITLES[which]
    await this.step('pay', lost === true ? `${title}, and loses the connection` : title, (notes) =>
      this.payFor(operation, which, notes, lost === true),
    )
  }

  private async payFor(
    operation: Extract<BuyerOperation, { op: 'complete' }>,
    which: TokenWanted,
    notes: StepNotes,
    isLost: boolean,
  ): Promise<void> {
    const reply = await this.ask(operation, notes, { lose: isLost })
    if (isLost) {
      notes.conclude('Whether it was paid is not known: the answer was lost.')
      return
    }
    const settled = await this.waitFor(reply, operation.id, notes)
    this.note(settled)
    this.remember(settled)
    if (isOutside(settled)) failOutside(settled, notes)
    else if (which === 'good') this.judgePaid(settled, notes)
    else if (which === 'declined') this.judgeDeclined(settled, notes)
    else this.judgeChallenged(settled, notes)
  }

  /** Looks again at a payment that is under way. */
  private async waitFor(reply: WalkReply, id: string, notes: StepNotes): Promise<WalkReply> {
    let last = reply
    for (let poll = 0; poll < POLLS; poll += 1) {
      if (last.is !== 'session' || last.session.phase !== 'paying') return last
      if (!this.store.dialect.can.read || this.hands.isOver()) return last
      await this.hands.pause(POLL_MS)
      last = await this.ask({ op: 'read', id }, notes)
    }
    return last
  }

  private remember(reply: WalkReply): void {
    if (reply.is !== 'session' || reply.session.order === null) return
    const { id: session, order } = reply.session
    if (this.orders.some(({ id }) => id === order.id)) return
    const placed = { ...order, cancelled: false }
    this.orders.push(placed)
    if (session !== null) this.paid.set(session, placed)
  }

  private judgePaid(reply: WalkReply, notes: StepNotes): void {
    const { fields } = this.store.dialect
    if (reply.is === 'session') {
      const { phase, order, said } = reply.session
      if (phase === 'completed' && order !== null) {
        notes.conclude(`The order is ${order.id}.`, fields.order)
        notes.hold('takes_payment')
      } else if (phase === 'completed') {
        notes.fail('takes_payment', 'It is completed, and names no order.', { field: fields.order })
      } else this.judgeUnpaid(reply.session, said, notes)
      return
    }
    const isDeclined = reply.is === 'refused' && reply.refusal.reason === 'payment'
    notes.fail('takes_payment', replyText(reply), {
      field: fields.error,
      // A token that this PSP does not take is for its owner to change.
      ...(isDeclined && { party: 'agent' as const }),
    })
  }

  private judgeUnpaid(session: Session, said: string | null, notes: StepNotes): void {
    const { fields } = this.store.dialect
    this.judgePhase(session, notes)
    if (notes.failed !== null || this.halt !== null) return
    const declined = objectionsTo(session).find(({ reason }) => reason === 'payment')
    if (session.phase === 'challenge') {
      this.halt = { outcome: 'handed_over', why: 'The bank wants to see the buyer.' }
      return
    }
    notes.fail(
      'takes_payment',
      declined === undefined
        ? `After the payment the checkout is ${shown(said)}.`
        : `The store says: ${declined.text}`,
      {
        field: declined === undefined ? fields.status : fields.messages,
        ...(declined !== undefined && { party: 'agent' as const }),
      },
    )
  }

  private judgeDeclined(reply: WalkReply, notes: StepNotes): void {
    const { fields } = this.store.dialect
    if (reply.is === 'refused' && reply.refusal.reason !== 'failed') {
      notes.conclude(`The store says: ${refusalWords(reply.refusal)}`, fields.error)
      notes.hold('decline_is_said')
      judgeWords(reply.refusal, notes, fields.error)
    } else if (reply.is === 'session' && reply.session.order === null) {
      const said = objectionsTo(reply.session).find(({ reason }) => reason === 'payment')
      if (said === undefined && !isOneOf(reply.session.phase, ['buyer', 'challenge'])) {
        notes.fail('decline_is_said', `No message says so${statusOf(reply.session)}.`, {
          field: fields.messages,
        })
      } else notes.hold('decline_is_said')
    } else if (reply.is === 'session') {
      // The token is not what its owner took it for.
      notes.fail('decline_is_said', 'The payment was accepted.', { party: 'agent' })
    } else {
      notes.fail('decline_is_said', `It failed instead: ${replyText(reply)}`, {
        field: fields.error,
      })
    }
  }

  private judgeChallenged(reply: WalkReply, notes: StepNotes): void {
    const { fields } = this.store.dialect
    const phase = reply.is === 'session' ? reply.session.phase : null
    if (reply.is === 'session' && (phase === 'challenge' || phase === 'buyer')) {
      const { continue_url, said } = reply.session
      if (continue_url === null) {
        const found = `The checkout is ${shown(said)}, and does not say where the buyer goes on.`
        notes.fail('challenge_leads_on', found, { field: fields.continue_url })
        return
      }
      notes.hold('challenge_leads_on')
      notes.conclude(`The buyer goes on at ${continue_url}.`, fields.continue_url)
      return
    }
    if (reply.is === 'refused' && isOneOf(reply.refusal.reason, ['challenge', 'payment'])) {
      notes.conclude(`The store says: ${refusalWords(reply.refusal)}`, fields.error)
      notes.hold('challenge_leads_on')
      return
    }
    const isPaid = reply.is === 'session' && reply.session.order !== null
    notes.fail(
      'challenge_leads_on',
      isPaid ? 'The payment was accepted without a challenge.' : replyText(reply),
      { field: fields.status, ...(isPaid && { party: 'agent' as const }) },
    )
  }

  private async repay(key: 'same' | 'other'): Promise<void> {
    const { payment, hands } = this
    if (payment === null) return
    const operation = key === 'same' ? payment : { ...payment, key: hands.newKey() }
    const title =
      key === 'same' ? 'Pays once more, under the same key' : 'Pays once more, under a new key'
    await this.step('repeat', title, async (notes) => {
      const known = this.orders.length
      const reply = await this.payAgain(operation, notes)
      this.note(reply)
      this.remember(reply)
      const { fields } = this.store.dialect
      if (isOutside(reply)) failOutside(reply, notes)
      else if (this.orders.length > Math.max(1, known)) {
        const ids = this.orders.map(({ id }) => id)
        notes.fail('one_order', `There are ${ids.length} orders now: ${ids.join(', ')}.`, {
          field: fields.order,
        })
      } else if (key === 'same' && this.orders.length === 0) {
        notes.fail('takes_payment', replyText(reply), { field: fields.order })
      } else if (reply.is === 'session' || isAnswered(reply)) {
        notes.hold('one_order')
        notes.conclude('There is one order.', fields.order)
      } else {
        notes.fail('one_order', `It failed instead: ${replyText(reply)}`, { field: fields.error })
      }
    })
  }

  /** Waits for a first call that is under way, and looks the order up where a refusal names none. */
  private async payAgain(
    operation: Extract<BuyerOperation, { op: 'complete' }>,
    notes: StepNotes,
  ): Promise<WalkReply> {
    let reply = await this.ask(operation, notes)
    for (let poll = 0; poll < POLLS && isInFlight(reply); poll += 1) {
      await this.hands.pause(POLL_MS)
      reply = await this.ask(operation, notes)
    }
    const isPaidAlready =
      reply.is === 'refused' && isOneOf(reply.refusal.reason, ['ended', 'conflict'])
    if (isPaidAlready && this.orders.length === 0 && this.store.dialect.can.read) {
      reply = await this.ask({ op: 'read', id: operation.id }, notes)
    }
    return this.waitFor(reply, operation.id, notes)
  }

  private async readOrder(): Promise<void> {
    const order = this.orders.at(-1)
    const { can, fields } = this.store.dialect
    if (order === undefined || !can.order) return
    await this.step('order', `Asks for the order ${order.id}`, async (notes) => {
      const reply = await this.ask({ op: 'order', id: order.id }, notes)
      if (reply.is === 'order' && (reply.order.id === null || reply.order.id === order.id)) {
        notes.hold('order_can_be_read')
        if (reply.order.status !== null) {
          notes.conclude(`The order is ${reply.order.status}.`, fields.order)
        }
      } else if (reply.is === 'refused' && reply.refusal.reason === 'caller') {
        // UCP leaves it to stores whom they show orders, and most want to see a signature.
        notes.conclude(
          `The store shows it to others only: ${refusalWords(reply.refusal)}`,
          fields.error,
        )
      } else if (can.order === 'advised' && isNowhere(reply)) {
        notes.conclude(
          `The store shows no orders to agents, which the protocol leaves to it: ${replyText(reply)}`,
          fields.error,
        )
      } else if (isOutside(reply)) failOutside(reply, notes)
      else {
        notes.fail(
          'order_can_be_read',
          reply.is === 'order' ? `It is the order ${shown(reply.order.id)}.` : replyText(reply),
          { field: fields.order },
        )
      }
    })
  }
}

/** There is no such operation at all. */
const isNowhere = (reply: WalkReply): boolean =>
  reply.is === 'refused' && [404, 405, 501].includes(reply.refusal.status)

const AS_IT_IS_NOW: Readonly<Record<QuantityForm, string>> = {
  stated: 'It gets one for each item, also where it is 1.',
  repeated: 'Each item is listed as many times as it is wanted.',
}

/** More of one thing than anybody buys. */
const MANY = 1000

const TITLES: Readonly<Record<TokenWanted, string>> = {
  good: 'Pays with the test token',
  declined: 'Pays with a card that is declined',
  challenged: 'Pays with a card that the bank wants to confirm',
}

/** What the catalog lists cannot be had. */
const GONE: readonly Reason[] = ['sold_out', 'unknown_item']

const isOneOf = <T>(one: T | null, many: readonly T[]): boolean =>
  one !== null && many.includes(one)

const purposeOfAddress = (kind: AddressWanted) =>
  kind === 'nowhere' ? 'bad_address_is_refused' : 'abroad_is_answered'

const placeOf = ({
  city,
  zip,
  country,
}: {
  city?: string
  zip?: string
  country: string
}): string =>
  [[zip, city].filter(Boolean).join(' '), country].filter((part) => part !== '').join(', ')

const statusOf = ({ said }: Session): string => (said === null ? '' : ` (${said})`)
