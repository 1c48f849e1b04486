import { ACP } from '../../../protocols/acp/versions.ts'
import { type Rule, type RuleDefinition, rule } from '../../rule.ts'
import type { CheckName } from '../../vocabulary.ts'
import type { GapId } from '../../words.ts'
import { OPENING, openedBefore } from '../lost-with.ts'
import { judgeWalkAlone } from './judge-walk.ts'

type About = Pick<RuleDefinition<'walk'>, 'id' | 'authority'>

/** A rule that nothing but a walk can judge. */
const walkRule = (check: CheckName, about: About, lostWith: readonly GapId[]): Rule =>
  rule({
    ...about,
    check,
    lostWith,
    tool: null,
    reads: ['walk'],
    audit: ({ walk }) => judgeWalkAlone(walk, about.id),
  })

/** Without a checkout that can be asked, a walk sees nothing. */
const UNREACHABLE = ['checkout_unreachable', 'checkout_redirected'] as const
const SHIPPED = [...OPENING, 'checkout_shipping_options_missing'] as const
const READY = [...SHIPPED, 'checkout_never_ready'] as const

/** What is looked at when a checkout is opened. */
const opening = (about: About & { id: (typeof OPENING)[number] }): Rule =>
  walkRule('checkout', about, [...UNREACHABLE, ...openedBefore(about.id)])

/** What a purchase comes to only after `lostWith`. */
const later = (lostWith: readonly GapId[], about: About): Rule =>
  walkRule('checkout', about, lostWith)

const CHECKOUTS = 'UCP, Checkout; ACP, Agentic Checkout; Specification, Merchant-side endpoints'

/** In the order of a purchase. */
export const walkRules: readonly Rule[] = [
  opening({
    // Spec, Common merchant faults: "Variant not found".
    id: 'checkout_variant_unavailable',
    authority: 'Specification, Common merchant faults; UCP, Catalog and Checkout',
  }),
  opening({
    id: 'checkout_lines_wrong',
    authority: CHECKOUTS,
  }),
  opening({
    id: 'checkout_totals_wrong',
    authority: 'UCP, Checkout, Totals; ACP, Agentic Checkout, Totals',
  }),
  later(SHIPPED, {
    id: 'checkout_never_ready',
    authority: 'UCP, Checkout, Status; ACP, Agentic Checkout, Status',
  }),
  later(['checkout_dry_run_failed'], {
    id: 'checkout_accepts_sold_out',
    authority: 'Specification, UCP error body and ACP errors; UCP, Checkout, Messages',
  }),
  later(OPENING, {
    id: 'checkout_abroad_fails',
    authority: CHECKOUTS,
  }),
  later(OPENING, {
    id: 'checkout_foreign_currency_fails',
    authority: 'UCP, Checkout, Context; ACP, Agentic Checkout, Create',
  }),
  later(OPENING, {
    id: 'checkout_idempotency_ignored',
    authority: 'Specification, Idempotency; UCP, REST Binding; ACP, Idempotency',
  }),
  later(OPENING, {
    id: 'checkout_cancel_fails',
    authority: 'UCP, Checkout, Cancel; ACP, Agentic Checkout, Cancel',
  }),
  later(READY, {
    id: 'checkout_continue_url_missing',
    authority: 'UCP, Checkout, continue_url; ACP, Agentic Checkout, Status',
  }),
  later(READY, {
    id: 'checkout_complete_fails',
    authority: 'Specification, Common merchant faults; UCP, Complete Checkout; ACP, Complete',
  }),
  later(READY, {
    id: 'checkout_decline_fails',
    authority: 'Specification, UCP error body and ACP errors; UCP, Payment; ACP, Messages',
  }),
  later(READY, {
    id: 'checkout_order_unreadable',
    authority: 'Specification, Merchant-side endpoints; UCP, Order',
  }),
]

/**
 * What is particular to ACP. Its check may run without that of checkouts, whose gaps hide nothing
 * here.
 */
export const acpWalkRules: readonly Rule[] = [
  walkRule(
    'acp',
    {
      id: 'acp_currency_invalid',
      authority: `ACP ${ACP.newest}, CheckoutSession and Agentic Checkout 8`,
    },
    ['acp_services_missing'],
  ),
  walkRule(
    'acp',
    {
      id: 'acp_payment_handlers_missing',
      authority: `ACP ${ACP.newest}, Payment handlers`,
    },
    ['acp_services_missing', 'acp_currency_invalid'],
  ),
]
