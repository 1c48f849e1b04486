import { hash } from 'node:crypto'
import { formatMoney } from '../../../shared/commerce/product.ts'
import { callOutcomeOf, refusalAnswer } from '../checkout/answers.ts'
import { completeCheckout } from '../checkout/checkout.ts'
import type { StoreDeps } from '../checkout/deps.ts'
import { type IdempotentCall, idempotentCall } from '../checkout/idempotency.ts'
import type { CheckoutRefusal } from '../checkout/refusals.ts'
import {
  completionScope,
  findSession,
  type OfficialSession,
  sessionAt,
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
 * The result of a form. `done`: the session decides which page follows. `again`: the form is shown
 * again, with the current `session` and the buyer's input.
 */
export type Submitted =
  | { is: 'done' }
  | {
      is: 'again'
      status: number
      session: CheckoutSession
      faults?: FormFaults
      notice?: string
      /** The session already holds the form's values, so the page shows the session's. */
      isSaved?: true
      /** The approved token was declined, or is for another total. */
      isSpent?: boolean
    }

/** Saves the buyer's input, and pays if the buyer wants that. */
export async function submitForm(
  deps: StoreDeps,
  session: OfficialSession,
  form: SentForm,
): Promise<Submitted> {
  // The first click of a double click is being paid: the payment has the answer.
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
  // Being paid, or paid by the first click of a double click: the payment has the answer.
  const isPaying = refused?.code === 'session_closed' && form.wants === 'pay'
  if (refused && !isPaying) return again(deps, session.id, refused.status, refused.message)
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
      // The adapter's own part, unchanged.
      state: session.official,
    }),
  })
  const outcome = callOutcomeOf(answer)
  return 'refused' in outcome ? { ...outcome.refused, status: answer.status } : null
}

/**
 * Pays exactly the total that the buyer saw. If the form or a price changed it, the new one is
 * shown first.
 */
async function pay(
  deps: StoreDeps,
  { id, protocol }: OfficialSession,
  form: SentForm,
  unsaved: Refusal | null,
): Promise<Submitted> {
  const answer = await completeCheckout(deps, {
    protocol,
    id,
    keyed: keyOf({ protocol, id }, form),
    shippingOptionId: undefined,
    judge: ({ session }) => {
      const kept = formOfSession(session)
      const total = totalOf(session, kept)
      const isTyped = ADDRESS_FIELDS.every(
        (name) => form.address[name].trim() === kept.address[name],
      )
      const isSame = form.optionId === kept.optionId && isTyped
      const toReview = (message: string) => ({
        ...refusalAnswer(protocol, { code: 'invalid', message }),
        status: TO_REVIEW,
      })
      if (unsaved && !isSame) return toReview(unsaved.message)
      if (session.shipping_option_id === null || total !== form.total) {
        return toReview(newTotal(session, total))
      }
      const returnUrl = challengeReturnUrl(session)
      return { payment: { type: 'card', token: form.token, returnUrl } }
    },
  })
  const outcome = callOutcomeOf(answer)
  if (!('refused' in outcome)) return { is: 'done' }
  const { code, message } = outcome.refused
  const isToReview = code === 'invalid' && answer.status === TO_REVIEW
  return again(deps, id, answer.status, message, isToReview)
}

/** The total of the session is shown, before it is paid. */
const TO_REVIEW = 409

/** The form with the reason for its refusal; or the current page, if the checkout is not open. */
async function again(
  { db, now }: StoreDeps,
  id: string,
  status: number,
  notice: string,
  isToReview = false,
): Promise<Submitted> {
  const session = await findSession(db, id)
  const isOpen = session && sessionAt(session, now()).status === 'pending_confirmation'
  if (!isOpen) return { is: 'done' }
  // Any other refusal comes before the PSP is asked, or leaves the token unused.
  const isSpent = isToReview || status === DECLINED
  return { is: 'again', status, session, notice, isSpent, ...(isToReview && { isSaved: true }) }
}

const DECLINED = 402

const newTotal = ({ currency }: CheckoutSession, total: number | null): string =>
  total === null
    ? 'Please choose how to ship your order.'
    : `The total is now ${formatMoney({ amount: total, currency })}. Please check it, and pay if you agree.`

/** A page makes one payment per token; another token is another try. */
const keyOf = (
  session: Pick<CheckoutSession, 'protocol' | 'id'>,
  { key, token }: Pick<SentForm, 'key' | 'token'>,
): IdempotentCall | null => {
  if (key === '') return null
  // The agents' scope: the payment ends as the answer to the key that is open in it.
  const scope = completionScope(session)
  const call = idempotentCall(scope, hash('sha256', `${key} ${token}`), { token })
  return { ...call, isByHand: true }
}
