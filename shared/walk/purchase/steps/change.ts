import { lineOf, wantedLines } from '../../goods.ts'
import type { MoveOf } from '../../intents.ts'
import type { WantedLine } from '../../operation.ts'
import { judgeReply } from '../judging/judge-reply.ts'
import { moneyText } from '../judging/reply-words.ts'
import { sendChange } from '../send-change.ts'
import type { PurchaseState } from '../state.ts'
import { takeStep } from '../take-step.ts'

/** A code that no store has. */
const NO_COUPON = 'AISLE-NO-SUCH-COUPON'

/** Sets the quantity of the first of the goods. */
export async function changeQuantity(
  state: PurchaseState,
  { quantity }: MoveOf<'quantity'>,
): Promise<void> {
  if (!state.store.dialect.can.changeLines) return
  const lines = wantedLines(state.goods, quantity)
  await changeLines(state, lines, `Changes the quantity to ${quantity}`)
}

/** Replaces the first of the goods by the second. */
export async function swapGoods(state: PurchaseState): Promise<void> {
  const [, other] = state.goods
  if (other === undefined) return
  state.goods = [other]
  await changeLines(state, [lineOf(other, 1)], `Takes ${other.name} instead`)
}

const changeLines = (state: PurchaseState, lines: WantedLine[], title: string): Promise<void> =>
  takeStep(state, 'change', title, async (notes) => {
    const reply = await sendChange(state, { lines }, notes)
    judgeReply(state, reply, { notes })
    if (reply.is === 'session' && notes.failed === null) notes.hold('changes_count')
  })

/** Uses a coupon that the store cannot know: the price must not change. */
export async function useCoupon(state: PurchaseState, { hope }: MoveOf<'coupon'>): Promise<void> {
  const { session, store } = state
  const before = session?.total ?? null
  await takeStep(state, 'change', `Uses the coupon ${NO_COUPON}`, async (notes) => {
    const reply = await sendChange(state, { coupon: NO_COUPON }, notes)
    judgeReply(state, reply, { notes, hope, purpose: 'coupon_is_answered' })
    if (notes.failed !== null || reply.is !== 'session' || before === null) return
    const { total, currency } = reply.session
    if (total === before) return
    const now = total === null ? 'not stated' : moneyText(total, currency)
    notes.fail(
      'coupon_is_answered',
      `The total was ${moneyText(before, currency)}, and is ${now} with it.`,
      { field: store.dialect.fields.total },
    )
  })
}
