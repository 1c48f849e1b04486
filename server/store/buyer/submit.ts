import { hash } from 'node:crypto'
import { formatMoney } from '../../../shared/commerce/product.ts'
import { callOutcomeOf } from '../checkout/answers.ts'
import { completeCheckout } from '../checkout/checkout.ts'
import type { StoreDeps } from '../checkout/deps.ts'
import { type IdempotentCall, idempotentCall } from '../checkout/idempotency.ts'
import type { CheckoutRefusal } from '../checkout/refusals.ts'
import {
  completionScope,
  findSession,
  type OfficialSession,
  standingAt,
} from '../checkout/sessions.ts'
import { reviseCheckout } from '../checkout/steps/revise.ts'
import type { CheckoutSession, PartialAddress } from '../db/tables.ts'
import { challengeReturnUrl } from './addresses.ts'
import { totalOf } from './checkout-page.ts'
import {
  ADDRESS_FIELDS,
  type FormFaults,
  formOfSession,
  judgeAddress,
  NO_CARD_NUMBER,
  type SentForm,
} from './form.ts'

/**
 * What became of a form. `done`: what there is to see now, the session knows. `again`: the form is
 * shown again, with `session` as it stands and all that was typed.
 */
export type Submitted =
  | { is: 'done' }
  | {
      is: 'again'
      status: number
      session: CheckoutSession
      faults?: FormFaults
      notice?: string
      /** The session has what the form says: the page shows the session's own. */
      isSaved?: true
      /** What was approved with the form's token is declined, or of another total. */
      isSpent?: boolean
    }

/** Saves what the buyer typed and chose, and pays if the buyer wants that. */
export async function submitForm(
  deps: StoreDeps,
  session: OfficialSession,
  form: SentForm,
): Promise<Submitted> {
  // The first click of two is being paid: the payment has the answer.
  const isPaid = session.status === 'completing' && form.wants === 'pay' && form.token !== ''
  if (isPaid) return pay(deps, session, form, null)
  if (session.status !== 'pending_confirmation') return { is: 'done' }
  if (form.cardNumbers.includes('elsewhere')) {
    return { is: 'again', status: 422, session, notice: NO_CARD_NUMBER }
  }
  const judged = judgeAddress(form)
  const tokenFault = form.wants === 'pay' && form.token === '' ? { token: CHOOSE_CARD } : {}
  if ('faults' in judged) {
    return { is: 'again', status: 422, session, faults: { ...judged.faults, ...tokenFault } }
  }
  if ('token' in tokenFault) return { is: 'again', status: 422, session, faults: tokenFault }
  const refused = await save(deps, session, form, judged.address)
  // Being paid, or paid by the first click of two: the payment has the answer.
  const isPaying = refused?.code === 'session_closed' && form.wants === 'pay'
  if (refused && !isPaying) return again(deps, session, refused.status, refused.message)
  return form.wants === 'pay' ? pay(deps, session, form, refused) : { is: 'done' }
}

const CHOOSE_CARD = 'Please choose how to pay.'

type Refusal = Pick<CheckoutRefusal, 'code' | 'message'> & { status: number }

async function save(
  deps: StoreDeps,
  { id, protocol }: OfficialSession,
  { optionId }: SentForm,
  address: PartialAddress,
): Promise<Refusal | null> {
  const answer = await reviseCheckout(deps, {
    protocol,
    id,
    keyed: null,
    become: (session) => ({
      items: session.items.map(({ product_id, variant_id, quantity }) => ({
        product_id,
        ...(variant_id !== null && { variant_id }),
        quantity,
      })),
      address,
      shippingOptionId: optionId,
      // What the adapter of its dialect keeps, as it is.
      state: session.official,
    }),
  })
  const outcome = callOutcomeOf(answer)
  return 'refused' in outcome ? { ...outcome.refused, status: answer.status } : null
}

/**
 * Pays exactly the total that the buyer saw. Where the form changed it, or a price did, the new one
 * is shown first.
 */
async function pay(
  deps: StoreDeps,
  { id, protocol }: OfficialSession,
  form: SentForm,
  unsaved: Refusal | null,
): Promise<Submitted> {
  const session = await findSession(deps.db, id)
  if (session === undefined) return { is: 'done' }
  const kept = formOfSession(session)
  const total = totalOf(session, kept)
  const isOpen = standingAt(session, deps.now()).status === 'pending_confirmation'
  const isTyped = ADDRESS_FIELDS.every((name) => form.address[name].trim() === kept.address[name])
  const isSame = form.optionId === kept.optionId && isTyped
  if (unsaved && !isSame) return reviewed(session, isOpen, unsaved.message)
  if (session.shipping_option_id === null || total !== form.total) {
    return reviewed(session, isOpen, newTotal(session, total))
  }
  const answer = await completeCheckout(deps, {
    protocol,
    id,
    keyed: keyOf(session, form),
    shippingOptionId: undefined,
    payment: { type: 'card', token: form.token, returnUrl: challengeReturnUrl(session) },
    ...(total !== null && { expectedTotal: total }),
  })
  const outcome = callOutcomeOf(answer)
  return 'refused' in outcome
    ? again(deps, session, answer.status, outcome.refused.message)
    : { is: 'done' }
}

/** What the session comes to, before it is paid. */
const reviewed = (session: CheckoutSession, isOpen: boolean, notice: string): Submitted =>
  isOpen
    ? { is: 'again', status: 409, session, notice, isSaved: true, isSpent: true }
    : { is: 'done' }

/**
 * The form with why it was refused; or what there is to see, where the checkout is not open now.
 */
async function again(
  { db, now }: StoreDeps,
  { id }: Pick<CheckoutSession, 'id'>,
  status: number,
  notice: string,
): Promise<Submitted> {
  const session = await findSession(db, id)
  const isOpen = session && standingAt(session, now()).status === 'pending_confirmation'
  // Any other refusal comes before the PSP is asked, or leaves the token as it was.
  const isSpent = status === DECLINED
  return isOpen ? { is: 'again', status, session, notice, isSpent } : { is: 'done' }
}

const DECLINED = 402

const newTotal = ({ currency }: CheckoutSession, total: number | null): string =>
  total === null
    ? 'Please choose how to ship your order.'
    : `The total is now ${formatMoney({ amount: total, currency })}. Please check it, and pay if you agree.`

/** One page makes one payment with a token; with another token it is another try. */
const keyOf = (
  session: CheckoutSession,
  { key, token }: Pick<SentForm, 'key' | 'token'>,
): IdempotentCall | null => {
  if (key === '') return null
  // The agents' scope: how the payment ends is the answer to the key that is open in it.
  const scope = completionScope(session)
  const call = idempotentCall(scope, hash('sha256', `${key} ${token}`), { token })
  return { ...call, isByHand: true }
}
