import { handlerFaults, isTestOnly } from '../../../manifest/ucp/handlers.ts'
import { type HandlerEntry, readProfileOffer } from '../../../manifest/ucp/offer.ts'
import { handsOver } from '../../../manifest/ucp/profile.ts'
import { gap, notApplicable, pass, type Rule, skip, type Verdict } from '../../rule.ts'
import { type JudgedProfile, profileRule } from './official-rule.ts'

const HANDLERS = 'UCP, Payment Handlers'

/** Judges the ways to pay of a profile from which agents can buy. */
const whenShoppable = (
  { profile: { shoppable, shoppable_reason, capabilities }, document, version }: JudgedProfile,
  audit: (handlers: readonly HandlerEntry[]) => Verdict,
): Verdict => {
  if (!shoppable) return skip(shoppable_reason)
  return handsOver(capabilities)
    ? notApplicable('the profile offers carts alone, and buyers pay in the store')
    : audit(readProfileOffer(document, version).handlers)
}

/** About paying inside of the agent. */
export const paymentRules: readonly Rule[] = [
  profileRule(
    {
      // Valid in UCP: the buyer is led to the store's own page, where many stop.
      id: 'ucp_payment_handlers_missing',
      lostWith: ['ucp_not_shoppable'],
      check: 'checkout',
      authority: HANDLERS,
    },
    (_, judged) =>
      whenShoppable(judged, (handlers) => {
        if (handlers.length === 0) {
          return gap(
            'payment_handlers is empty: agents fill the cart, and then send the buyer to your own page to pay.',
          )
        }
        // Unspecified: handlers in test mode are a note and no gap: the store may not be open yet.
        return isTestOnly(handlers)
          ? pass('Every payment handler is in test mode: no real money moves yet.')
          : pass()
      }),
  ),
  profileRule(
    {
      // A handler that agents do not know is right; these cannot be used by those that do.
      id: 'ucp_payment_handler_unusable',
      lostWith: ['ucp_payment_handlers_missing'],
      check: 'checkout',
      authority: `${HANDLERS}; Google Pay, payment handler for UCP; Shopify, Shop Pay handler`,
    },
    (_, judged) =>
      whenShoppable(judged, (handlers) => {
        if (handlers.length === 0) return notApplicable('the profile has no payment handlers')
        const faults = handlerFaults(handlers)
        return faults.length === 0 ? pass() : gap(faults.slice(0, 8).join(' '))
      }),
  ),
]
