import { shown } from '../../../web/json/json.ts'
import { isRefusedFor, type WalkReply } from '../../session.ts'
import { judgeCharge } from '../judging/judge-charge.ts'
import { failOutside } from '../judging/judge-refusal.ts'
import { isOutside } from '../judging/reply-kinds.ts'
import { replyText } from '../judging/reply-words.ts'
import { ask, type PurchaseState } from '../state.ts'
import { takeStep } from '../take-step.ts'

/** Asks for the order that was placed last. */
export async function readOrder(state: PurchaseState): Promise<void> {
  const order = state.orders.at(-1)
  const { can, fields } = state.store.dialect
  if (order === undefined || !can.order) return
  await takeStep(state, 'order', `Asks for the order ${order.id}`, async (notes) => {
    const reply = await ask(state, { op: 'order', id: order.id }, notes)
    if (reply.is === 'order' && (reply.order.id === null || reply.order.id === order.id)) {
      notes.hold('order_can_be_read')
      if (reply.order.status !== null) {
        notes.conclude(`The order is ${reply.order.status}.`, fields.order)
      }
      const { total, paid: also } = reply.order
      const paid = state.session
      if (paid?.order?.id === order.id) {
        const { amount = null, currency = null } = total ?? {}
        const ordered = { ...paid, lines: null, parts: null, ...also, total: amount, currency }
        judgeCharge(paid, ordered, state.store.dialect, notes)
      }
    } else if (isRefusedFor(reply, 'caller')) {
      // UCP lets stores decide who may read orders, and most require a signature.
      const says = `the store does not show it to this walk: ${replyText(reply)}`
      notes.conclude(`Whether the order is as it was paid is not known: ${says}`, fields.error)
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

/** The operation does not exist. */
const isNowhere = (reply: WalkReply): boolean =>
  reply.is === 'refused' && [404, 405, 501].includes(reply.refusal.status)
